// Adds attempts to the figures of their providers, twice a minute while there are any: a provider that serves a thousand calls is
// written once for them all. What is not gathered yet is added by whoever reads, so that figures are exact at any time.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { freshAttempts, lastAttempts, providerById } from '../../../db/queries/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { WINDOW, weigh } from '../../domain/router/reliability.ts';
import { reminderId } from '../reminder.ts';

export const GATHER = { name: 'provider.gather', input: Type.Object({}) } as const;
export const GATHER_ID = reminderId(GATHER, '');
export const GATHER_MS = 30_000;
/** Attempts that one turn adds, some milliseconds of work, and the pause behind a whole slice, in which calls go on. */
export const SLICE = 100;
export const SLICE_PAUSE_MS = 50;

/** The figures of a provider with these attempts. */
async function gathered(read: Read, id: string, fresh: readonly Row<'router_attempts'>[]): Promise<Effect<never>[]> {
  const provider = await read(providerById, { id });
  if (!provider) return [];
  const counted = fresh.filter((row) => row.counted === 1 && row.outcome !== 'unknown');
  const answered = counted.filter(({ outcome }) => outcome === 'served');
  const last = await read.peek(lastAttempts, { provider_id: id, limit: WINDOW });
  const window = last
    .filter((row) => row.counted === 1 && row.outcome !== 'unknown')
    .map((row) => ({ ...row, served: row.outcome === 'served' }));
  return [
    patch('providers', provider, {
      attempts: provider.attempts + counted.length,
      served: provider.served + answered.length,
      charged: provider.charged + answered.filter(({ price_cents }) => price_cents > 0).length,
      latency_sum_ms: provider.latency_sum_ms + answered.reduce((sum, { latency_ms }) => sum + (latency_ms ?? 0), 0),
      ...weigh(window),
    }),
  ];
}

/** One slice: how many attempts were added, and the effects. */
export async function gatherSlice(read: Read, now_ms: number): Promise<{ n: number; effects: Effect<never>[] }> {
  const fresh = await read(freshAttempts, { limit: SLICE });
  const ids = [...new Set(fresh.map(({ provider_id }) => provider_id))];
  const figures = await Promise.all(
    ids.map((id) =>
      gathered(
        read,
        id,
        fresh.filter(({ provider_id }) => provider_id === id),
      ),
    ),
  );
  const noted = fresh.map((row) => patch('router_attempts', row, { gathered_at: now_ms }));
  return { n: fresh.length, effects: [...figures.flat(), ...noted] };
}
