// How anything that is loaded looks before it is there, when it is empty, and when it cannot be: one way for all screens.
import type { ComponentChildren, JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { MeshworkError } from '../../client/error.ts';
import { online } from '../live.ts';
import type { Resource } from '../resource.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Lifting } from './lift.tsx';

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

/** What is shown where there is nothing: what it would be, and what to do next. */
export function Empty({ text, href, action }: { text: string; href?: string; action?: string }): JSX.Element {
  return (
    <div class="empty">
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

/** Grey lines in the place of what comes. */
function Skeleton(): JSX.Element {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{words.common.loading}</span>
      <span />
      <span />
      <span />
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
