// Ends the undecided matches of a listing that was deleted, paused or taken out of matching (questions.md 48), in turns
// of 50. Decided matches and their conversations continue. The freed places at the other listings are filled by their own
// next runs, or by the next better listing: a listing with ten thousand matches must not cause as many runs.
import { Type } from 'typebox';
import { listingStamp, pendingOfListing } from '../../../db/queries/match.ts';
import { flow } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { MATCH_TTL_MS } from '../../domain/match/state.ts';
import { supersedePair } from '../../matching/pair.ts';
import { SUPERSEDE } from '../../steps/listing/derived.ts';

const PER_TURN = 50;

export const matchSupersede = flow({
  ...SUPERSEDE,
  summary: 'End the open matches of a listing that is gone',
  output: Type.Object({ superseded: Type.Integer() }),
  effect: 'destroys',
  access: 'internal',
  run: async ({ listing_id }, ctx) => {
    let superseded = 0;
    for (;;) {
      const outcome = await ctx.turn({
        attempt: async (read) => {
          const listing = await read(listingStamp, { id: listing_id });
          // It went live again meanwhile; its own run decides which pairs still fit.
          if (listing?.status === 'live') return { reply: 0 };
          const rows = await read(pendingOfListing, {
            listing_id,
            since_ms: ctx.now_ms - MATCH_TTL_MS,
            limit: PER_TURN,
          });
          return { reply: rows.length, effects: rows.flatMap((row) => supersedePair(row, 'listing', ctx.now_ms)) };
        },
      });
      if (isFault(outcome)) return outcome;
      superseded += outcome.reply;
      if (outcome.reply < PER_TURN) return { reply: { superseded } };
    }
  },
});
