// Pauses every live listing of an agent that was deactivated (decisions.md 4), a slice a turn. Whoever deactivates it
// asks for this by a reminder in the same commit; a restored agent publishes again what it wants.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { listingsInStatus } from '../../../db/queries/listing.ts';
import { command } from '../operation.ts';
import { Id } from '../schemas/wire.ts';
import { follow } from './place.ts';

/** Listings a turn: a group commit waits for the longest of its turns. */
const SLICE = 100;

// The next slice. Its id is not that of the reminder which is running: that one would wait for itself.
function goOn(agent_id: string, last_id: string, now_ms: number): Effect<never> {
  const call = { operation: 'listing.pause_agent', input: { agent_id }, now: true };
  return { do: 'remind', id: `pause:${agent_id}:${last_id}`, at: now_ms, ...call, created_at: now_ms };
}

export const listingPauseAgent = command({
  name: 'listing.pause_agent',
  summary: "Pause a deactivated agent's listings",
  input: Type.Object({ agent_id: Id }),
  output: Type.Object({ paused: Type.Integer() }),
  access: 'internal',
  faults: [],
  rest: [],
  load: (read, { agent_id }) => read(listingsInStatus, { agent_id, status: 'live', limit: SLICE }),
  decide: (rows, { agent_id }, ctx) => {
    const set = { status: 'inactive' as const, updated_at: ctx.now_ms };
    const paused = rows.flatMap((row) => [
      patch('listings', row, set),
      ...follow(ctx, row, { ...row, ...set }, undefined),
    ]);
    const last = rows.at(SLICE - 1);
    const rest = last ? [goOn(agent_id, last.id, ctx.now_ms)] : [];
    return { reply: { paused: rows.length }, effects: [...paused, ...rest] };
  },
});
