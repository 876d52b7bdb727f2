// Loading, empty and error states, the same on all screens.
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
import { leftOf } from './refused.ts';

// The outcome of an act whose button is gone, with links that lead on.

export function Way({ href, text, main }: { href: string; text: string; main?: boolean }): JSX.Element {
  return (
    <Link class={main ? 'button main' : 'button'} href={href}>
      {text}
    </Link>
  );
}

/** The outcome; it takes the focus from the removed button. */
export function Notice({ good, children }: { good: boolean; children: ComponentChildren }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} class={good ? 'notice good' : 'notice'} role="status" tabIndex={-1}>
      {children}
    </div>
  );
}

// Opening the page that a notification links to marks it as read.

const LOOKED_AT = 50;

/** Marks the latest notifications that link to this page as read. */
export function useNoticed(path: string): void {
  const news = useRead('notification.list', { limit: LOOKED_AT });
  const items = news.state === 'ready' ? news.value : [];
  const unread = items.filter(({ read, url }) => !read && pathOf(url) === path).map(({ id }) => id);
  useEffect(() => {
    if (unread.length === 0) return;
    const marks = unread.map((id) => ask('notification.read', { id }));
    // On failure they stay unread, which is harmless.
    void Promise.allSettled(marks).then(() => changed(['notification.unread']));
  }, [unread.join()]);
}

// From a refusal to the page that resolves it, and back.

/** A link to the app's page at `url`; nothing when it is not one or is the current page. */
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

/** The link back to the refused act. */
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

/** Explains a failure to a person; the request id is for support. What fields display is not repeated: the first of them gets the focus. */
export function Failure({ error, retry }: { error: MeshworkError; retry?: () => void }): JSX.Element | null {
  const { failed, common } = words;
  const { left, at } = leftOf(error);
  const all_at_fields = at.length > 0 && left.length === 0;
  useEffect(() => {
    if (!all_at_fields) return;
    const [first] = at.toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    first?.focus();
  }, [error, all_at_fields]);
  if (all_at_fields && error.how === null && error.url === null) return null;
  const lost = error.status === 0;
  // With `retry` a read failed, otherwise an act.
  const said = retry ? failed : failed.deed;
  const text = lost
    ? online.value
      ? failed.network
      : retry
        ? failed.offlineEmpty
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
      {left.length > 0 && (
        <ul>
          {left.map(({ path, name, message }) => (
            <li key={path}>
              {name}: {message}
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

/** An empty state: what would be listed here, and what to do next. */
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

/** Rows of a skeleton. */
const ROWS = ['long', 'short', 'middle'] as const;

/** A skeleton; screen readers announce that the page loads. */
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

/** Renders loaded data, or the loading or error state. */
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

// Says where an unsent letter or text message is stored, without its content.

/** What the outbox keeps, from the page's meta element. */
const kept = document.querySelector('meta[name="meshwork-outbox"]')?.getAttribute('content')?.split(' ') ?? [];

/** Displayed where a code was requested; `to` holds the addresses or the number. */
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

// Debounces input, so that the service is called per word rather than per keystroke.

const PAUSE_MS = 250;

/** The value after the last pause. */
export function useSettled<T>(value: T, pause_ms = PAUSE_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), pause_ms);
    return () => clearTimeout(pause);
  }, [value, pause_ms]);
  return settled;
}
