// Hooks that read from the service (with their states) and act on it (with their errors).
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { MeshworkError } from '../client/error.ts';
import type { Final, Yes } from './final.ts';
import { changed } from './live.ts';
import { type Answer, type Asking, ask, type Input, type Item, type Name, newKey, type Output } from './server.ts';
import { agent } from './session.ts';
import { freshnessOf, type Touched, touchedByAct } from './touched.ts';

/** A read's state. `ready` keeps its value during a reload; `stale` means that the last reload failed. */
export type Resource<T> =
  | { readonly state: 'loading'; readonly retry: () => void }
  | { readonly state: 'failed'; readonly error: MeshworkError; readonly retry: () => void }
  | { readonly state: 'ready'; readonly value: T; readonly stale: MeshworkError | null; readonly retry: () => void };

/** A bounded in-memory cache, so that going back displays data at once. */
const KEPT_MAX = 100;
const kept = new Map<string, unknown>();

function keep(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
}

/** Any failure as a client error. */
export function errorOf(error: unknown): MeshworkError {
  if (error instanceof MeshworkError) return error;
  return new MeshworkError({ code: 'network_error', message: error instanceof Error ? error.message : String(error) });
}

interface Held<T> {
  readonly key: string;
  readonly value: T | undefined;
  readonly error: MeshworkError | null;
}

interface UnderWay {
  readonly value: Promise<unknown>;
  readonly ends: AbortController;
  waiting: number;
}

/** Reads in flight. */
const under_way = new Map<string, UnderWay>();

/** Shares one request among concurrent readers; aborts it when the last of them unmounts. */
function loadShared<T>(key: string, load: (signal: AbortSignal) => Promise<T>) {
  let read = under_way.get(key);
  if (!read) {
    const ends = new AbortController();
    read = { value: load(ends.signal), ends, waiting: 0 };
    under_way.set(key, read);
  }
  const own = read;
  own.waiting += 1;
  const forget = (): void => {
    if (under_way.get(key) === own) under_way.delete(key);
  };
  own.value.then(forget, forget);
  const leave = (): void => {
    own.waiting -= 1;
    if (own.waiting > 0) return;
    forget();
    own.ends.abort();
  };
  return { value: own.value as Promise<T>, leave };
}

/** Reads, and reads again after events that affect it or when the acting agent changes. Null reads nothing yet. */
function useLoaded<T>(name: Name, key: string | null, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const [held, setHeld] = useState<Held<T>>({ key: '', value: undefined, error: null });
  const [tries, setTries] = useState(0);
  const loader = useRef(load);
  loader.current = load;
  const fresh = freshnessOf(name);
  useEffect(() => {
    if (key === null) return undefined;
    let left = false;
    const { value, leave } = loadShared(`${key} ${fresh}`, loader.current);
    value
      .then((value) => {
        keep(key, value);
        if (!left) setHeld({ key, value, error: null });
      })
      .catch((error) => {
        if (left) return;
        setHeld((last) => ({ key, value: last.key === key ? last.value : undefined, error: errorOf(error) }));
      });
    return () => {
      left = true;
      leave();
    };
  }, [key, fresh, tries]);
  const retry = useCallback(() => setTries((n) => n + 1), []);
  const own = key !== null && held.key === key ? held : null;
  const value = own?.value ?? (key === null ? undefined : (kept.get(key) as T | undefined));
  if (value !== undefined) return { state: 'ready', value, stale: own?.error ?? null, retry };
  return own?.error ? { state: 'failed', error: own.error, retry } : { state: 'loading', retry };
}

/** Reads an operation as the acting agent or another own agent; a null input reads nothing yet. */
export function useRead<N extends Name>(
  name: N,
  input: Input<N> | null = {} as Input<N>,
  options: { readonly as?: string } = {},
): Resource<Output<N>> {
  const acting = options.as ?? agent.value;
  const key = input === null ? null : `${acting ?? ''} ${name} ${JSON.stringify(input)}`;
  return useLoaded(name, key, async (signal) => (await ask(name, input ?? undefined, { agent: acting, signal })).value);
}

/** A paged list. */
export interface Pages<T> {
  readonly items: readonly T[];
  /** Null on the last page. */
  readonly more: (() => Promise<void>) | null;
}

/** The loaded pages: the fresh first page, then the added ones. When they no longer overlap, because more than a page of new items
 * came, the added pages are dropped and loaded again on demand. */
function joined<T>(
  head: readonly T[],
  added: readonly T[],
  idOf: ((item: T) => string) | undefined,
): readonly T[] | null {
  if (!idOf) return [...head, ...added.slice(head.length)];
  const ids = new Set(head.map(idOf));
  const rest = added.filter((item) => !ids.has(idOf(item)));
  return rest.length === added.length ? null : [...head, ...rest];
}

/** Reads a paged operation: the first page is kept fresh, further ones are added on demand. `idOf` prevents gaps and duplicates
 * when the first page changes. */
export function usePages<N extends Name>(
  name: N,
  input: Input<N> = {} as Input<N>,
  idOf?: (item: Item<N>) => string,
): Resource<Pages<Item<N>>> {
  const acting = agent.value;
  const [tail, setTail] = useState<{ key: string; items: readonly Item<N>[]; next: string | null } | null>(null);
  const key = `${acting ?? ''} ${name} ${JSON.stringify(input)} pages`;
  const first = useLoaded(name, key, (signal) => ask(name, input, { agent: acting, signal }));
  if (first.state !== 'ready') return first;
  const head = first.value as Answer<N>;
  const newest = head.value as readonly Item<N>[];
  const whole = tail?.key === key ? joined(newest, tail.items, idOf) : null;
  const items = whole ?? newest;
  const next = whole && tail ? tail.next : head.next;
  const more = async (): Promise<void> => {
    const answer = await ask(name, { ...input, cursor: next } as Input<N>, { agent: acting });
    setTail({ key, items: [...items, ...(answer.value as Item<N>[])], next: answer.next });
  };
  return { ...first, value: { items, more: next === null ? null : more } };
}

/** Final acts require a confirmation. */
type Asked<N extends Name> = N extends Final ? [yes: Yes] : [];

/** An act of a button, run once per press, and its outcome. */
interface Deed<I, O, Yeses extends readonly unknown[]> {
  readonly busy: boolean;
  readonly error: MeshworkError | null;
  /** Null when refused; `error` says why. Final acts take the dialog's confirmation. */
  readonly run: (input: I, ...yes: Yeses) => Promise<O | null>;
  readonly reset: () => void;
}

export type Act<N extends Name> = Deed<Input<N>, Output<N>, Asked<N>>;

interface DeedOptions {
  readonly quiet?: boolean;
  readonly as?: string;
  /** The parts it changes; by default all. */
  readonly touches?: Touched;
  /** Called on a refusal, in addition to `error`. */
  readonly onRefused?: (error: MeshworkError) => void;
}

export function useAct<N extends Name>(name: N, options: DeedOptions = {}): Act<N> {
  return useDeed<Input<N>, Output<N>, Asked<N>>(async (input, asking) => (await ask(name, input, asking)).value, {
    touches: touchedByAct(name),
    ...options,
  });
}

/** Runs an act. A press while it runs does nothing; a retry without a response reuses the Idempotency-Key, so that the act runs
 * once. */
export function useDeed<I, O, Yeses extends readonly unknown[] = []>(
  perform: (input: I, asking: Asking) => Promise<O>,
  options: DeedOptions = {},
): Deed<I, O, Yeses> {
  const [state, setState] = useState<{ busy: boolean; error: MeshworkError | null }>({ busy: false, error: null });
  const pressed = useRef<{ text: string; key: string } | null>(null);
  const busy = useRef(false);
  const run = async (input: I, ..._yes: Yeses): Promise<O | null> => {
    if (busy.current) return null;
    busy.current = true;
    const acting = options.as ?? agent.value;
    const text = JSON.stringify([acting, input]);
    if (pressed.current?.text !== text) pressed.current = { text, key: newKey() };
    setState({ busy: true, error: null });
    try {
      const value = await perform(input, { agent: acting, key: pressed.current.key });
      pressed.current = null;
      setState({ busy: false, error: null });
      if (!options.quiet) changed(options.touches ?? 'all');
      return value;
    } catch (error) {
      const refused = errorOf(error);
      // After a refusal the next press is a new call; without a response, or after a 5xx, it repeats the same call.
      if (refused.status !== 0 && refused.status < 500) pressed.current = null;
      setState({ busy: false, error: refused });
      options.onRefused?.(refused);
      return null;
    } finally {
      busy.current = false;
    }
  };
  return { ...state, run, reset: () => setState({ busy: false, error: null }) };
}
