// The way around: beside the page on wide screens, at its foot on phones, where the rest is behind one button.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { actAs, agent } from '../acting.ts';
import { useRead } from '../resource.ts';
import { account, signOut } from '../session.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { count } from './format.ts';

type Target = keyof typeof words.nav & string;

const FIRST: readonly (readonly [path: string, name: Target])[] = [
  ['/', 'home'],
  ['/inbox', 'inbox'],
  ['/wallet', 'wallet'],
];
const REST: readonly (readonly [path: string, name: Target])[] = [
  ['/approvals', 'approvals'],
  ['/market', 'market'],
  ['/demand', 'demand'],
  ['/calls', 'calls'],
  ['/listings', 'listings'],
  ['/knowledge', 'knowledge'],
  ['/matches', 'matches'],
  ['/conversations', 'conversations'],
  ['/analytics', 'analytics'],
  ['/deals', 'deals'],
  ['/escrows', 'escrows'],
  ['/subscriptions', 'subscriptions'],
  ['/payouts', 'payouts'],
  ['/people', 'people'],
  ['/agents', 'agents'],
  ['/trust', 'trust'],
  ['/webhooks', 'webhooks'],
  ['/keys', 'keys'],
  ['/passkeys', 'passkeys'],
  ['/notifications', 'notifications'],
  ['/billing', 'billing'],
  ['/account', 'account'],
];
/** Proposals and actions are counted up to here, each. */
const COUNTED = 50;

const OF_ADMINISTRATORS: readonly (readonly [path: string, name: Target])[] = [['/admin', 'admin']];

/** What waits behind an entry: how much, and in words. */
interface Waiting {
  readonly count: number;
  readonly text: string;
}

function Entry({ path, name, waiting }: { path: string; name: Target; waiting: Waiting | null }): JSX.Element {
  const [here] = useLocation();
  const current = path === '/' ? here === '/' : here === path || here.startsWith(`${path}/`);
  return (
    <li>
      <Link href={path} aria-current={current ? 'page' : undefined}>
        {String(words.nav[name])}
        {waiting !== null && waiting.count > 0 && (
          <span class="count" title={waiting.text}>
            {count(waiting.count)}
          </span>
        )}
      </Link>
    </li>
  );
}

function Acting(): JSX.Element {
  const agents = useRead('agent.list', {});
  const known = agents.state === 'ready' ? agents.value : [];
  if (known.length < 2) {
    return <p class="acting">{known[0] ? `@${known[0].handle}` : words.nav.noAgent}</p>;
  }
  return (
    <label class="acting">
      <span>{words.nav.actingAs}</span>
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

/** What waits behind which entry. */
function useWaiting(): (name: Target) => Waiting | null {
  const unread = useRead('notification.unread', {});
  const proposals = useRead('proposal.list', agent.value === undefined ? null : { waiting: true, limit: COUNTED });
  const actions = useRead('action.list', agent.value === undefined ? null : { waiting: true, limit: COUNTED });
  const news = unread.state === 'ready' ? unread.value.unread : 0;
  const asked = [proposals, actions].reduce((sum, of) => sum + (of.state === 'ready' ? of.value.length : 0), 0);
  return (name) => {
    if (name === 'notifications') return { count: news, text: words.nav.unread(count(news)) };
    if (name === 'approvals') return { count: asked, text: words.nav.waiting(count(asked)) };
    return null;
  };
}

/** The head of the frame: the brand, who acts, where to go, who is signed in. */
export function Navigation(): JSX.Element {
  const [path] = useLocation();
  const [open, setOpen] = useState(false);
  const own = useRead('account.read', {});
  const rest = own.state === 'ready' && own.value.admin ? [...REST, ...OF_ADMINISTRATORS] : REST;
  const waiting = useWaiting();
  useEffect(() => setOpen(false), [path]);
  const entry = ([to, name]: readonly [string, Target]): JSX.Element => (
    <Entry key={to} path={to} name={name} waiting={waiting(name)} />
  );
  return (
    <header class="frame">
      <Link class="brand" href="/">
        {words.common.app}
      </Link>
      <Acting />
      <nav aria-label={words.nav.main}>
        <ul class="first">{FIRST.map(entry)}</ul>
        <Button label={words.nav.more} onClick={() => setOpen(!open)}>
          {words.nav.more}
        </Button>
        <ul class={open ? 'rest open' : 'rest'}>{rest.map(entry)}</ul>
      </nav>
      <div class="who">
        <span class="quiet">{account.value?.email}</span>
        <Button onClick={signOut}>{words.nav.signOut}</Button>
      </div>
    </header>
  );
}
