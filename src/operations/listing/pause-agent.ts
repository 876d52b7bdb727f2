// Pauses every live listing of an agent that was deactivated (decisions.md 4), a slice a turn. Whoever deactivates it
// asks for this by a reminder in the same commit; a restored agent publishes again what it wants.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { listingsInStatus } from '../../../db/queries/listing.ts';
import { Id } from '../../schemas/wire.ts';
import { followChange } from '../../steps/listing/derived.ts';
import { remindNow } from '../../steps/reminder.ts';
import { command } from '../operation.ts';

/** Listings a turn: a group commit waits for the longest of its turns. */
const SLICE = 100;

/** The call of it. */
const PAUSE = { name: 'listing.pause_agent', input: Type.Object({ agent_id: Id }) } as const;

/** Pauses an agent's listings before the reply; a run asks for the next slice in the same way. */
export function pauseListings(agent_id: string, now_ms: number): Effect<never> {
  return remindNow(PAUSE, { agent_id }, { key: agent_id, now_ms });
}

export const listingPauseAgent = command({
  ...PAUSE,
  summary: "Pause a deactivated agent's listings",
  output: Type.Object({ paused: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  faults: [],
  rest: [],
  load: (read, { agent_id }) => read(listingsInStatus, { agent_id, status: 'live', limit: SLICE }),
  decide: (rows, { agent_id }, ctx) => {
    const set = { status: 'inactive' as const, updated_at: ctx.now_ms };
    const paused = rows.flatMap((row) => [
      patch('listings', row, set),
      ...followChange(ctx, row, { ...row, ...set }, undefined),
    ]);
    const rest = rows.length === SLICE ? [pauseListings(agent_id, ctx.now_ms)] : [];
    return { reply: { paused: rows.length }, effects: [...paused, ...rest] };
  },
});
