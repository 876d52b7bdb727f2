// Matches a listing after it went live or changed. The listing's own turn writes the reminder `match:<listing_id>`, so
// that a crash loses nothing; a listing that was deleted or paused meanwhile is skipped.
import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { RUN_LISTING, tellUnmatched } from '../../steps/listing/derived.ts';

export const matchRunListing = flow({
  ...RUN_LISTING,
  summary: 'Match a listing that changed',
  output: Type.Object({ considered: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  faults: ['conflict'],
  run: async ({ listing_id, below }, ctx, { match }) => {
    const done = await match(ctx, listing_id, { below });
    if (isFault(done)) return done;
    const { considered, unmatched } = done;
    const effects = unmatched ? [tellUnmatched(listing_id, ctx.now_ms)] : [];
    return ctx.turn({ attempt: async () => ({ reply: { considered }, effects }) });
  },
});
