// Pauses every live listing of an agent that was deactivated (rules.md 4), a slice a turn. Whoever deactivates it
// asks for this by a reminder in the same commit; a restored agent publishes again what it wants.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { listingsInStatus } from '../../../db/queries/listing.ts';
import { command } from '../../contract/operation.ts';
import { followChange } from '../../steps/listing/derived.ts';
import { PAUSE, pauseListings } from '../../steps/listing/hide.ts';

/** Listings a turn: a group commit waits for the longest of its turns. */
const SLICE = 100;

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
