// Deletes a listing. Its open matches are superseded; its conversations continue, and purchases keep the agreed terms (questions.md 76).
import { Type } from 'typebox';
import { remove } from '../../../db/effects.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';
import { countDown, countIntake } from '../../steps/listing/cap.ts';
import { followChange } from '../../steps/listing/derived.ts';
import { readReviewing } from '../../steps/listing/find.ts';
import { readOwned } from '../../steps/listing/gates.ts';
import { queueEffects } from '../../steps/listing/review.ts';

export const listingDelete = command({
  name: 'listing.delete',
  summary: 'Delete a listing',
  description: 'Frees its place in the plan. Its open matches end; conversations from it continue.',
  input: Type.Object({ cardId: PathId }),
  output: Type.Object({ removed: Type.Literal(true), id: Id }),
  example: { cardId: SAMPLE.listing_id },
  effect: 'destroys',
  access: 'key',
  scope: 'listings:write',
  agent: 'required',
  faults: ['not_found', 'plan_limit'],
  rest: [{ method: 'DELETE', path: '/api/agents/{handle}/cards/{cardId}', acting: 'handle' }],
  tools: [{ name: 'mesh_delete_listing', title: 'Delete a listing', set: 'listings' }],
  load: async (read, { cardId }, ctx) => {
    const found = await readOwned(read, ctx, cardId);
    return found && { ...found, doubts: await readReviewing(read, found.row, found.row, found.owner.agent.handle) };
  },
  decide: (found, _input, ctx) => {
    if (!found) return fault('not_found');
    const { row, doubts } = found;
    const counted = row.origin === 'direct' ? countDown(ctx, row.account_id) : countIntake(row.agent_id, -1);
    return {
      reply: { removed: true as const, id: row.id },
      effects: [
        remove('listings', row),
        counted,
        ...queueEffects(ctx, null, doubts),
        ...followChange(ctx, row, null, undefined),
      ],
    };
  },
});
