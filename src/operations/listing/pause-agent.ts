// Pauses every live listing of a deactivated agent (rules.md 4), a slice a turn. The commit that deactivates it writes
// the reminder for this; after a restore the owner publishes listings again.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { listingsInStatus } from '../../../db/queries/listing.ts';
import { command } from '../../contract/operation.ts';
import { followChange } from '../../steps/listing/derived.ts';
import { PAUSE, pauseListings } from '../../steps/listing/hide.ts';

/** Listings a turn; a group commit waits for its longest turn. */
const SLICE = 100;

export const listingPauseAgent = command({
  ...PAUSE,
  summary: "Pause a deactivated agent's listings",
  output: Type.Object({ paused: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
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
