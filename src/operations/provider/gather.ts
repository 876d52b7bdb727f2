// Adds the attempts of the last half minute to the figures of their providers, a slice at a time.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { freshAttempts, lastAttempts, providerById } from '../../../db/queries/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { command } from '../../contract/operation.ts';
import { WINDOW, weigh } from '../../domain/router/reliability.ts';
import { remind } from '../../steps/reminder.ts';
import { GATHER, GATHER_MS } from '../../steps/router/expire.ts';

/** Attempts that one turn adds, some milliseconds of work, and the pause after a full slice, in which other calls run. */
const SLICE = 100;

const SLICE_PAUSE_MS = 50;

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
async function gatherSlice(read: Read, now_ms: number): Promise<{ n: number; effects: Effect<never>[] }> {
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

export const providerGather = command({
  ...GATHER,
  summary: 'Aggregate the figures of providers',
  output: Type.Object({ gathered: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  load: (read, _input, { now_ms }) => gatherSlice(read, now_ms),
  decide: ({ n, effects }, _input, { now_ms }) => {
    // Calls do not write the reminder where it stands, so it runs once more after each run that found something.
    const at = now_ms + (n === SLICE ? SLICE_PAUSE_MS : GATHER_MS);
    const again = remind(GATHER, {}, { key: '', at, now_ms });
    return { reply: { gathered: n }, effects: [...effects, ...(n > 0 ? [again] : [])] };
  },
});
