// Asks for vectors to be made anew later, when the embedder that is set did not make them.
import type { Effect } from '../../../db/effects.ts';

/** How long a failing endpoint is left alone before its share is made up for. */
export const REEMBED_AFTER_MS = 300_000;

/** Asks for it at a time; one reminder stands for all listings of some minutes. A run that asks again must not ask under
 * the id that its own end removes. */
export function reembedAt(at: number, now_ms: number): Effect<never> {
  const operation = 'listing.reembed';
  const id = `${operation}:${Math.floor(at / REEMBED_AFTER_MS)}`;
  return { do: 'remind', id, at, operation, input: {}, now: false, created_at: now_ms };
}
