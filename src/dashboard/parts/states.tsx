// How anything that is loaded looks before it is there, when it is empty, and when it cannot be: one way for all screens.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import type { MeshworkError } from '../../client/error.ts';
import { changed, online } from '../live.ts';
import { type Resource, useRead } from '../resource.ts';
import { ask } from '../server.ts';
import { base } from '../session.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { pathOf } from './format.ts';
import { Icon, type IconName } from './icon.tsx';

// What came of a button that is gone with what it was pressed for, and ways on from there.

export function Way({ href, text, main }: { href: string; text: string; main?: boolean }): JSX.Element {
  return (
    <Link class={main ? 'button main' : 'button'} href={href}>
      {text}
    </Link>
  );
}

/** What came. Whoever pressed the button is led to it. */
export function Notice({ good, children }: { good: boolean; children: ComponentChildren }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} class={good ? 'notice good' : 'notice'} role="status" tabIndex={-1}>
      {children}
    </div>
  );
}

// Who is at the page that news lead to has noticed them: they are not counted as unread any more.

const LOOKED_AT = 50;

/** Marks the latest news that lead to this page as read. */
export function useNoticed(path: string): void {
  const news = useRead('notification.list', { limit: LOOKED_AT });
  const items = news.state === 'ready' ? news.value : [];
  const unread = items.filter(({ read, url }) => !read && pathOf(url) === path).map(({ id }) => id);
  useEffect(() => {
    if (unread.length === 0) return;
    const marks = unread.map((id) => ask('notification.read', { id }));
    // What could not be marked stays unread, which harms nobody.
    void Promise.allSettled(marks).then(() => changed(['notification.unread']));
  }, [unread.join()]);
}

// From a refusal to the page on which a person lifts it, and back.

/** A link to the page of this app that `url` names; nothing where it is no page of it, or the one that is shown. */
function Lifting({ url }: { url: string }): JSX.Element | null {
  const [here] = useLocation();
  const there = new URL(url, location.href);
  if (!there.pathname.startsWith(base) || there.pathname === base) return null;
  const page = `/${there.pathname.slice(base.length)}`;
  if (page === here) return null;
  there.searchParams.set('back', here + location.search);
  return (
    <p>
      <Link class="button" href={`${page}${there.search}`}>
        {words.failed.lift}
      </Link>
    </p>
  );
}

/** The way back for whoever came from a refusal. */
export function Back(): JSX.Element | null {
  const [asked] = useSearchParams();
  const said = asked.get('back');
  if (!said?.startsWith('/') || said.startsWith('//')) return null;
  return (
    <p>
      <Link href={said}>{words.failed.back}</Link>
    </p>
  );
}

/** What a field is called where a refusal names it: its own name, without where it stands in the input. */
function nameOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path;
  return name.replace(/_cents$/, '').replaceAll('_', ' ');
}

/** What a failure means to a person, with the request's id, for whoever is asked for help. */
export function Failure({ error, retry }: { error: MeshworkError; retry?: () => void }): JSX.Element {
  const { failed, common } = words;
  const lost = error.status === 0;
  // What can be asked for anew was to be shown; anything else was to be done.
  const said = retry ? failed : failed.deed;
  const text = lost
    ? online.value
      ? failed.network
      : retry
        ? failed.offline
        : failed.deed.offline
    : error.status === 404
      ? said.absent
      : error.message;
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{lost ? failed.lost : error.status === 403 ? said.denied : said.title}</strong>
      </p>
      {error.fields.length === 0 && <p>{text}</p>}
      {error.how !== null && <p>{error.how}</p>}
      {error.url !== null && <Lifting url={error.url} />}
      {error.fields.length > 0 && (
        <ul>
          {error.fields.map(({ path, message }) => (
            <li key={path}>
              {nameOf(path)}: {message}
            </li>
          ))}
        </ul>
      )}
      {retry && <Button onClick={retry}>{common.retry}</Button>}
      {error.request_id !== null && <p class="quiet">{common.requestId(error.request_id)}</p>}
    </div>
  );
}

interface EmptyProps {
  text: string;
  href?: string;
  action?: string;
  icon?: IconName;
}

/** What is shown where there is nothing: what it would be, and what to do next. */
export function Empty({ text, href, action, icon = 'inbox' }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p>{text}</p>
      {href !== undefined && action !== undefined && (
        <p>
          <Link class="button" href={href}>
            {action}
          </Link>
        </p>
      )}
    </div>
  );
}

/** How many rows of what comes are drawn in grey. */
const ROWS = ['long', 'short', 'middle'] as const;

/** Grey shapes in the place of what comes; whoever hears the page is told that it loads. */
export function Skeleton(): JSX.Element {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{words.common.loading}</span>
      {ROWS.map((row) => (
        <div key={row} class={`skeleton-row ${row}`} />
      ))}
    </div>
  );
}

interface LoadedProps<T> {
  of: Resource<T>;
  children: (value: T) => ComponentChildren;
}

/** Shows what is loaded, or how that stands. */
export function Loaded<T>({ of, children }: LoadedProps<T>): JSX.Element {
  if (of.state === 'loading') return <Skeleton />;
  if (of.state === 'failed') return <Failure error={of.error} retry={of.retry} />;
  return (
    <>
      {of.stale && (
        <p class="notice" role="status">
          {online.value ? words.failed.stale : words.failed.offline}{' '}
          <Button onClick={of.retry}>{words.common.retry}</Button>
        </p>
      )}
      {children(of.value)}
    </>
  );
}

// Where a letter or text message is that this server did not send. It shows nobody what it says.

/** What rests in the outbox, as the page was told. */
const kept = document.querySelector('meta[name="meshwork-outbox"]')?.getAttribute('content')?.split(' ') ?? [];

/** Shown where a code was asked for; `to` are the addresses, or the number. */
export function KeptNote({ what, to }: { what: 'mail' | 'text'; to: readonly string[] }): JSX.Element | null {
  if (!kept.includes(what)) return null;
  const { common } = words;
  return (
    <>
      {to.map((address) => (
        <p key={address} class="quiet">
          {what === 'mail' ? common.keptMail(address) : common.keptText(address)}
        </p>
      ))}
    </>
  );
}

// What somebody types, once they pause: so that the service is asked about words and not about letters.

const PAUSE_MS = 250;

/** The value as it was when it last stood still. */
export function useSettled<T>(value: T, pause_ms = PAUSE_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), pause_ms);
    return () => clearTimeout(pause);
  }, [value, pause_ms]);
  return settled;
}
