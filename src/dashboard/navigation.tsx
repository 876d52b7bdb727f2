// Navigation: a sidebar on wide screens; on phones five tabs at the bottom, the last of which opens all other pages.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { PaletteButton } from './palette.tsx';
import { Avatar } from './parts/avatar.tsx';
import { Button } from './parts/button.tsx';
import { count } from './parts/format.ts';
import { Icon } from './parts/icon.tsx';
import {
  ADMIN,
  GROUPS,
  HOME,
  INVITATIONS,
  NEWS,
  PERSON,
  PLACES,
  type Place,
  placeOf,
  TAB_TEXTS,
  TABS,
} from './places.ts';
import { useRead } from './resource.ts';
import { account, actAs, agent, base, signOut } from './session.ts';
import { words } from './words/words.ts';

/** The instance's name. */
export const SERVICE =
  document.querySelector('meta[name="meshwork-name"]')?.getAttribute('content') ?? words.common.app;

/** The stylesheet's breakpoint for phones. */
const NARROW = matchMedia('(max-width: 48rem)');
const narrow = signal(NARROW.matches);
NARROW.addEventListener('change', ({ matches }) => {
  narrow.value = matches;
});

// Pending items by place.

type Waiting = Partial<Record<Place[0], number>>;

/** Number of pending items by place. */
function useWaiting(): Waiting {
  const counts = useRead('notification.unread', {});
  if (counts.state !== 'ready') return {};
  const { unread, decisions, matches, conversations } = counts.value;
  return { home: decisions, activity: unread, matches, conversations };
}

const sumOf = (places: readonly Place[], waiting: Waiting): number =>
  places.reduce((sum, [name]) => sum + (waiting[name] ?? 0), 0);

function Count({ of }: { of: number }): JSX.Element | null {
  if (of === 0) return null;
  return (
    <span class="count" title={words.nav.waiting(count(of))}>
      {count(of)}
    </span>
  );
}

function Entry({ place: [name, path], text, waiting }: { place: Place; text?: string; waiting: Waiting }): JSX.Element {
  const [here] = useLocation();
  const current = placeOf(here)?.[1] === path;
  return (
    <li>
      <Link href={path} aria-current={current ? 'page' : undefined}>
        <Icon name={name} />
        <span>{text ?? words.nav[name]}</span>
        <Count of={waiting[name] ?? 0} />
      </Link>
    </li>
  );
}

function Entries({ of, waiting }: { of: readonly Place[]; waiting: Waiting }): JSX.Element {
  return (
    <ul>
      {of.map((place) => (
        <Entry key={place[1]} place={place} waiting={waiting} />
      ))}
    </ul>
  );
}

// Groups: each opens and closes, stored in the browser. The current page's group is open.

const OPENED = 'meshwork-groups';
const FIRST_OPEN = 'work';

function readOpened(): ReadonlySet<string> {
  return new Set((localStorage.getItem(OPENED) ?? FIRST_OPEN).split(' '));
}

function Groups({ waiting }: { waiting: Waiting }): JSX.Element {
  const [here] = useLocation();
  const [opened, setOpened] = useState(readOpened);
  const at = placeOf(here)?.[1];
  const toggle = (name: string, open: boolean): void => {
    if (opened.has(name) === open) return;
    const next = new Set(opened);
    if (open) next.add(name);
    else next.delete(name);
    localStorage.setItem(OPENED, [...next].join(' '));
    setOpened(next);
  };
  return (
    <>
      {GROUPS.map(({ name, icon, places }) => {
        const isHere = places.some(([, path]) => path === at);
        return (
          <details
            key={name}
            open={isHere || opened.has(name)}
            onToggle={(event) => !isHere && toggle(name, event.currentTarget.open)}
          >
            <summary>
              <Icon name={icon} />
              <span>{words.nav[name]}</span>
              <Count of={sumOf(places, waiting)} />
              <Icon name="next" />
            </summary>
            <Entries of={places} waiting={waiting} />
          </details>
        );
      })}
    </>
  );
}

// The acting agent and the signed-in person.

function Acting(): JSX.Element {
  const agents = useRead('agent.list', {});
  const known = agents.state === 'ready' ? agents.value : [];
  const [first] = known;
  if (!first) return <p class="acting quiet">{words.nav.noAgent}</p>;
  if (known.length === 1) {
    return (
      <p class="acting">
        <Avatar handle={first.handle} /> <span>@{first.handle}</span>
      </p>
    );
  }
  return (
    <label class="acting">
      <Avatar handle={agent.value ?? first.handle} />
      <span class="hidden">{words.nav.actingAs}</span>
      <select value={agent.value} onChange={(event) => actAs(event.currentTarget.value)}>
        {known.map(({ handle }) => (
          <option key={handle} value={handle}>
            @{handle}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The person's entries and signing out. */
function PersonEntries({ waiting, invites }: { waiting: Waiting; invites: boolean }): JSX.Element {
  return (
    <>
      <p class="quiet">{account.value?.email}</p>
      <Entries of={invites ? [...PERSON, INVITATIONS] : PERSON} waiting={waiting} />
      <Button onClick={signOut}>
        <Icon name="signOut" />
        {words.nav.signOut}
      </Button>
    </>
  );
}

/** The menu at the bottom. The browser closes it on Escape or a press outside (popover). */
function PersonMenu({ waiting, invites }: { waiting: Waiting; invites: boolean }): JSX.Element {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [here] = useLocation();
  useEffect(() => {
    if (here !== '' && menu.current?.matches(':popover-open')) menu.current.hidePopover();
  }, [here]);
  return (
    <div class="who">
      <button type="button" class="ghost" popovertarget={id}>
        <Icon name="account" />
        <span class="hidden">{words.nav.person}</span>
        <span class="who-name">{account.value?.email}</span>
      </button>
      <div id={id} ref={menu} class="menu" popover="auto">
        <PersonEntries waiting={waiting} invites={invites} />
      </div>
    </div>
  );
}

/** A phone's tabs and the page of all other entries. */
function Tabs({ waiting, invites, admin }: { waiting: Waiting; invites: boolean; admin: boolean }): JSX.Element {
  const { nav } = words;
  const [here] = useLocation();
  const [open, setOpen] = useState(false);
  const id = useId();
  useEffect(() => setOpen(false), [here]);
  const tabbed = new Set<string>(TABS.map(([name]) => name));
  const rest = PLACES.filter(([name]) => !tabbed.has(name));
  return (
    <nav class="foot" aria-label={nav.main} onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}>
      <ul class="first">
        {TABS.map((place) => (
          <Entry key={place[1]} place={place} text={TAB_TEXTS[place[0]]} waiting={waiting} />
        ))}
        <li>
          <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            <Icon name="more" />
            <span>{nav.more}</span>
            <Count of={sumOf(rest, waiting)} />
          </button>
        </li>
      </ul>
      <div id={id} class="rest" hidden={!open}>
        <Entries of={admin ? [...NEWS, ADMIN] : NEWS} waiting={waiting} />
        {GROUPS.map(({ name, places }) => (
          <section key={name} aria-label={nav[name]}>
            <h2>{nav[name]}</h2>
            <Entries of={places} waiting={waiting} />
          </section>
        ))}
        <section aria-label={nav.person}>
          <h2>{nav.person}</h2>
          <PersonEntries waiting={waiting} invites={invites} />
        </section>
      </div>
    </nav>
  );
}

/** The frame around each page. */
export function Navigation(): JSX.Element {
  const own = useRead('account.read', {});
  const { admin, may_invite: invites } = own.state === 'ready' ? own.value : { admin: false, may_invite: false };
  const waiting = useWaiting();
  const isNarrow = narrow.value;
  return (
    <>
      <header class="frame">
        <Link class="brand" href="/">
          <img src={`${base}logo`} alt="" height="28" />
          {SERVICE}
        </Link>
        <Acting />
        <PaletteButton />
        {!isNarrow && (
          <nav class="side" aria-label={words.nav.main}>
            <Entries of={[HOME, ...NEWS]} waiting={waiting} />
            <Groups waiting={waiting} />
            {admin && <Entries of={[ADMIN]} waiting={waiting} />}
          </nav>
        )}
        {!isNarrow && <PersonMenu waiting={waiting} invites={invites} />}
      </header>
      {isNarrow && <Tabs waiting={waiting} invites={invites} admin={admin} />}
    </>
  );
}
