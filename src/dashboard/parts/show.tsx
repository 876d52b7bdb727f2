// Small things that all screens show: times, money, names of agents, facts, lists that grow.
import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { errorOf, type Pages } from '../resource.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { away, dateTime, money } from './format.ts';
import { Failure } from './states.tsx';

/** A time as it is away from now; the exact one for whoever points at it. */
export function Time({ at, exact }: { at: string; exact?: boolean }): JSX.Element {
  return (
    <time dateTime={at} title={dateTime(at)}>
      {exact ? dateTime(at) : away(at)}
    </time>
  );
}

/** An amount; with `signed` what comes in has a plus. */
export function Money({ cents, signed }: { cents: number; signed?: boolean }): JSX.Element {
  return (
    <span class={signed && cents > 0 ? 'money in' : 'money'}>
      {signed && cents > 0 ? `+${money(cents)}` : money(cents)}
    </span>
  );
}

export function Agent({ handle }: { handle: string | null }): JSX.Element {
  return handle === null ? (
    <span class="quiet">{words.common.none}</span>
  ) : (
    <Link href={`/people/${handle}`}>@{handle}</Link>
  );
}

/** What somebody else wrote as an address: to be read, and to be opened in a window that knows nothing of this one. What is no web
 * address is no link, whoever let it in. */
export function Outside({ url, name = url }: { url: string; name?: string }): JSX.Element {
  return /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {name}
    </a>
  ) : (
    <span>{name}</span>
  );
}

/** How something stands, in a word. */
export function Badge({
  children,
  tone = 'plain',
}: {
  children: ComponentChildren;
  tone?: 'plain' | 'good' | 'bad' | 'wait';
}): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** Facts by name. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A part of a screen under a heading. */
export function Section({
  title,
  children,
  aside,
}: {
  title: string;
  children: ComponentChildren;
  aside?: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Adds the next page of a list at its end, or where the list runs the other way, at its beginning. */
export function More<T>({ of, label }: { of: Pages<T>; label?: string }): JSX.Element | null {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  const { more } = of;
  if (more === null) return null;
  const load = async (): Promise<void> => {
    setState({ busy: true, error: null });
    await more().then(
      () => setState({ busy: false, error: null }),
      (error) => setState({ busy: false, error }),
    );
  };
  return (
    <div class="more">
      {state.error !== null && <Failure error={errorOf(state.error)} />}
      <Button busy={state.busy} onClick={load}>
        {label ?? words.common.more}
      </Button>
    </div>
  );
}
