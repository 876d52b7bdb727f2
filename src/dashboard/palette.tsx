// The command palette: one field that finds pages, own and other agents, conversations, deals and actions.
import { type ComponentChildren, Fragment, type JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { closeOverlay, overlay, PALETTE_KEYS } from './overlay.ts';
import { Avatar } from './parts/avatar.tsx';
import { Dialog } from './parts/dialog.tsx';
import { count, money } from './parts/format.ts';
import { Icon, type IconName } from './parts/icon.tsx';
import { useSettled } from './parts/states.tsx';
import { PLACES } from './places.ts';
import { useRead } from './resource.ts';
import { actAs, agent, signOut } from './session.ts';
import { words } from './words/words.ts';

/** An option. */
interface Choice {
  readonly id: string;
  readonly mark: ComponentChildren;
  readonly text: string;
  /** Displayed next to the text and searched with it. */
  readonly more?: string;
  readonly choose: () => unknown;
}

interface Found {
  readonly title: string;
  readonly choices: readonly Choice[];
}

const SHOWN_EACH = 6;
/** How many of the newest conversations and deals are searched here. */
const LOOKED_THROUGH = 50;
/** Minimum input length to search other agents. */
const LETTERS_MIN = 2;

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Options in which each typed word is the prefix of a word. */
function fitting(choices: readonly Choice[], typed: string): readonly Choice[] {
  const wanted = folded(typed).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return choices;
  return choices.filter(({ text, more = '' }) => {
    const parts = folded(`${text} ${more}`).split(/[^\p{L}\p{N}]+/u);
    return wanted.every((word) => parts.some((part) => part.startsWith(word.replace(/^@/, ''))));
  });
}

type Go = (path: string) => void;

function pages(go: Go): readonly Choice[] {
  return PLACES.map(([name, path]) => ({
    id: `page ${path}`,
    mark: <Icon name={name} />,
    text: words.nav[name],
    choose: () => go(path),
  }));
}

function actions(go: Go): readonly Choice[] {
  const { palette, nav } = words;
  const leading: readonly (readonly [icon: IconName, text: string, path: string])[] = [
    ['add', palette.newListing, '/listings/new'],
    ['wallet', palette.addMoney, '/wallet'],
    ['keys', palette.newKey, '/keys'],
    ['agent', palette.newAgent, '/agents/new'],
    ['selling', palette.newService, '/market/selling/new'],
  ];
  return [
    ...leading.map(([icon, text, path]) => ({ id: text, mark: <Icon name={icon} />, text, choose: () => go(path) })),
    {
      id: 'shortcuts',
      mark: <Icon name="keyboard" />,
      text: words.shortcuts.title,
      choose: () => {
        overlay.value = 'shortcuts';
      },
    },
    { id: 'sign out', mark: <Icon name="signOut" />, text: nav.signOut, choose: signOut },
  ];
}

/** Own agents except the acting one. */
function useOwn(): readonly Choice[] {
  const agents = useRead('agent.list', {});
  if (agents.state !== 'ready') return [];
  return agents.value
    .filter(({ handle }) => handle !== agent.value)
    .map(({ handle, display_name }) => ({
      id: `own ${handle}`,
      mark: <Avatar handle={handle} />,
      text: words.palette.actAs(handle),
      more: display_name,
      choose: () => actAs(handle),
    }));
}

function useOthers(typed: string, go: Go): readonly Choice[] {
  const q = useSettled(typed.trim().replace(/^@/, ''));
  const found = useRead('agent.registry', q.length < LETTERS_MIN ? null : { q, limit: SHOWN_EACH });
  if (found.state !== 'ready') return [];
  return found.value.map(({ handle, display_name }) => ({
    id: `agent ${handle}`,
    mark: <Avatar handle={handle} />,
    text: `@${handle}`,
    more: display_name,
    choose: () => go(`/people/${handle}`),
  }));
}

function useTalks(go: Go): readonly Choice[] {
  const talks = useRead('conversation.list', agent.value === undefined ? null : { limit: LOOKED_THROUGH });
  if (talks.state !== 'ready') return [];
  return talks.value.map(({ conversation_id, counterparty_handle, subject }) => ({
    id: conversation_id,
    mark: <Avatar handle={counterparty_handle} />,
    text: `@${counterparty_handle}`,
    more: subject,
    choose: () => go(`/conversations/${conversation_id}`),
  }));
}

function useDeals(go: Go): readonly Choice[] {
  const deals = useRead('deal.list', agent.value === undefined ? null : { limit: LOOKED_THROUGH });
  if (deals.state !== 'ready') return [];
  return deals.value.map(({ deal_id, counterparty_handle, amount_cents, title, conversation_id }) => ({
    id: deal_id,
    mark: <Icon name="deals" />,
    text: `${money(amount_cents)} · @${counterparty_handle}`,
    more: title ?? '',
    choose: () => go(conversation_id === null ? '/deals' : `/conversations/${conversation_id}`),
  }));
}

/** All options that match the input; without input, actions and pages. */
function useFound(typed: string): readonly Found[] {
  const [, go] = useLocation();
  const { palette } = words;
  const own = useOwn();
  const others = useOthers(typed, go);
  const talks = useTalks(go);
  const deals = useDeals(go);
  const isEmpty = typed.trim() === '';
  const some = (choices: readonly Choice[]) => fitting(choices, typed).slice(0, SHOWN_EACH);
  const all: readonly Found[] = [
    { title: palette.conversations, choices: some(talks) },
    { title: palette.deals, choices: isEmpty ? [] : some(deals) },
    { title: palette.pages, choices: isEmpty ? [] : some(pages(go)) },
    { title: palette.actions, choices: fitting(actions(go), typed) },
    { title: palette.own, choices: some(own) },
    { title: palette.others, choices: isEmpty ? [] : others },
    { title: palette.pages, choices: isEmpty ? pages(go) : [] },
  ];
  return all.filter(({ choices }) => choices.length > 0);
}

interface ListProps {
  id: string;
  found: readonly Found[];
  active: Choice | undefined;
  setActive: (choice: Choice) => void;
  take: (choice: Choice) => void;
}

const optionId = (list: string, { id }: Choice): string => `${list} ${id}`.replaceAll(/[^\w-]/g, '-');

/** Options under headings. The field keeps the focus and names the active one (aria-activedescendant). */
function List({ id, found, active, setActive, take }: ListProps): JSX.Element {
  return (
    <div id={id} class="choices" role="listbox" aria-label={words.palette.title}>
      {found.map(({ title, choices }) => (
        <Fragment key={title}>
          <p aria-hidden="true">{title}</p>
          {choices.map((each) => (
            <div
              key={each.id}
              id={optionId(id, each)}
              role="option"
              tabIndex={-1}
              aria-selected={each === active}
              onPointerMove={() => setActive(each)}
              onClick={() => take(each)}
              onKeyDown={({ key }) => key === 'Enter' && take(each)}
            >
              {each.mark}
              <span dir="auto">{each.text}</span>
              {each.more !== undefined && (
                <span class="quiet" dir="auto">
                  {each.more}
                </span>
              )}
            </div>
          ))}
        </Fragment>
      ))}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function Opened(): JSX.Element {
  const { palette } = words;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [active_id, setActive] = useState<string | null>(null);
  const found = useFound(typed);
  const all = found.flatMap(({ choices }) => choices);
  const active = all.find((each) => each.id === active_id) ?? all[0];
  const option = active && optionId(id, active);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (option !== undefined) document.getElementById(option)?.scrollIntoView({ block: 'nearest' });
  }, [option]);
  const take = (choice: Choice): void => {
    closeOverlay('palette');
    void choice.choose();
  };
  const press = (event: JSX.TargetedKeyboardEvent<HTMLInputElement>): void => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    if (event.isComposing || !active) return;
    event.preventDefault();
    if (step === undefined) take(active);
    else setActive(all[(all.indexOf(active) + step + all.length) % all.length]?.id ?? null);
  };
  const type = (text: string): void => {
    setTyped(text);
    setActive(null);
  };
  return (
    <Dialog kind="palette" label={palette.title} gone={() => closeOverlay('palette')}>
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={palette.title}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={option}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        placeholder={palette.hint}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
      />
      <p class={all.length === 0 ? 'quiet' : 'hidden'} role="status">
        {all.length === 0 ? palette.none : palette.found(count(all.length))}
      </p>
      <List id={id} found={found} active={active} setActive={(each) => setActive(each.id)} take={take} />
    </Dialog>
  );
}

export function Palette(): JSX.Element | null {
  return overlay.value === 'palette' ? <Opened /> : null;
}

/** The button that opens it and displays its shortcut. */
export function PaletteButton(): JSX.Element {
  return (
    <button
      type="button"
      class="find"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => {
        overlay.value = 'palette';
      }}
    >
      <Icon name="search" />
      <span>{words.palette.button}</span>
      <kbd>{PALETTE_KEYS}</kbd>
    </button>
  );
}
