// Calls of Stripe. Objects are created with our row's id as idempotency key. Stripe replays a key's saved answer, an error too, and
// forgets it after 24 hours; so before a creation the object is searched by our id in its metadata, and after a saved error,
// when nothing is found, it is created with the next key.
import type Stripe from 'stripe';
import type { Called } from '../processor.ts';

/** The metadata field of our id. */
export const OUR_ID = 'meshwork_id';

/** The most saved errors that are skipped; after that the call has the last one's result. */
const KEYS_MAX = 24;

/** The members of the SDK's errors, in any of its builds. */
interface StripeFailure {
  readonly type?: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const SHORT: ReadonlySet<string> = new Set(['balance_insufficient', 'insufficient_funds']);
/** Statuses that mean that nothing was done; after others it may have been. */
const REFUSING: ReadonlySet<number> = new Set([400, 402, 404]);
const REFUSALS: ReadonlySet<string> = new Set(['StripeCardError', 'StripeInvalidRequestError']);
const MISSING: ReadonlySet<string> = new Set(['resource_missing', 'account_invalid']);

function failureOf(error: unknown): StripeFailure {
  return typeof error === 'object' && error !== null ? error : {};
}

export function done<T>(value: T): Called<T> {
  return { outcome: 'done', value };
}

/** Stripe's code, or the kind of error. Its message is in English and for developers. */
function reasonOf(error: unknown): string {
  const { type, code } = failureOf(error);
  if (type === 'StripeConnectionError') return 'no_answer';
  return code ?? type ?? (error instanceof Error ? error.name : 'no_answer');
}

/** The result of a creating call that failed. */
function failed(error: unknown): Called<never> {
  const { type = '', code, statusCode = 0 } = failureOf(error);
  const reason = reasonOf(error);
  if (!REFUSING.has(statusCode) || !REFUSALS.has(type)) return { outcome: 'unknown', reason };
  return { outcome: 'refused', reason: SHORT.has(code ?? '') ? 'insufficient' : reason };
}

/** Whether the requested object does not exist, or is no longer accessible. */
function isMissing(error: unknown): boolean {
  const { code, statusCode } = failureOf(error);
  return MISSING.has(code ?? '') && (statusCode === 404 || statusCode === 403 || statusCode === 400);
}

/** Whether an error is one that Stripe had saved under the key, which is then useless. */
function isSaved(error: unknown): boolean {
  return failureOf(error).headers?.['idempotent-replayed'] === 'true';
}

/** A read: null when the object does not exist. Failures say nothing about the object. */
export async function look<T>(read: () => Promise<T>): Promise<Called<T | null>> {
  try {
    return done(await read());
  } catch (error) {
    if (isMissing(error)) return done(null);
    const called = failed(error);
    return called.outcome === 'refused' ? { outcome: 'unknown', reason: called.reason } : called;
  }
}

/** Creates an object unless `find` finds it. `find` runs first unless `fresh`, and again after every saved error. */
export async function make<T>(
  key: string,
  find: () => Promise<T | null>,
  create: (options: { readonly idempotencyKey: string }) => Promise<T>,
  { fresh = false } = {},
): Promise<Called<T>> {
  let last: Called<T> = { outcome: 'unknown', reason: 'no_answer' };
  for (let n = 1; n <= KEYS_MAX; n += 1) {
    if (n > 1 || !fresh) {
      const found = await look(find);
      if (found.outcome !== 'done') return found;
      if (found.value !== null) return done(found.value);
    }
    try {
      return done(await create({ idempotencyKey: n === 1 ? key : `${key}:${n}` }));
    } catch (error) {
      last = failed(error);
      if (!isSaved(error)) return last;
    }
  }
  return last;
}

/** A call that changes an existing object, idempotently. */
export async function change<T>(work: () => Promise<T>): Promise<Called<T>> {
  try {
    return done(await work());
  } catch (error) {
    return failed(error);
  }
}

/** Looks through a list for what carries our id. Bounded: a service that makes more objects of a kind within the time that
 * is looked through finds them by their own names. */
export async function findByOurId<T extends { readonly metadata?: Stripe.Metadata | null }>(
  list: AsyncIterable<T>,
  id: string,
): Promise<T | null> {
  let seen = 0;
  for await (const each of list) {
    if (each.metadata?.[OUR_ID] === id) return each;
    seen += 1;
    if (seen >= LOOKED_THROUGH_MAX) return null;
  }
  return null;
}

const LOOKED_THROUGH_MAX = 5000;
const [BEFORE_S, AFTER_S] = [600, 3600];

/** The time around a row's making in which what was made for it can only have been made, in Stripe's seconds. */
export function around(created_at: number): Stripe.RangeQueryParam {
  const at = Math.floor(created_at / 1000);
  return { gte: at - BEFORE_S, lte: at + AFTER_S };
}

/** The name of an object that Stripe gives either by name or whole. */
export function nameOf(given: string | { readonly id: string } | null | undefined): string | null {
  return typeof given === 'string' ? given : (given?.id ?? null);
}

/** The expanded object, or null. */
export function whole<T extends object>(given: string | T | null | undefined): T | null {
  return typeof given === 'object' ? given : null;
}
