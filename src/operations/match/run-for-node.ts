// Matches a listing for a node without the index (ROLE=web), whose caller waits for the answer.
import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import type { Matched } from '../../domain/match/asked.ts';
import { EXPLAINED } from '../../schemas/match.ts';
import { Id } from '../../schemas/wire.ts';

export const matchRunForNode = flow({
  name: 'match.run_for_node',
  summary: 'Match a listing for another node',
  input: Type.Object({
    listing_id: Id,
    explains: Type.Optional(Type.Boolean()),
    below: Type.Optional(Type.Number()),
  }),
  output: Type.Unsafe<Matched>(
    Type.Object({
      considered: Type.Integer(),
      explained: Type.Union([Type.Object(EXPLAINED), Type.Null()]),
      unmatched: Type.Boolean(),
    }),
  ),
  effect: 'changes',
  access: 'internal',
  faults: ['conflict'],
  run: async ({ listing_id, ...asked }, ctx, { match }) => {
    const done = await match(ctx, listing_id, asked);
    return isFault(done) ? done : { reply: done };
  },
});
