// Matches the live listings of an agent that came out of hiding, since hidden listings are not matched.
import { Type } from 'typebox';
import { liveListingsOfAgent } from '../../../db/queries/listing.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { flow } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { Id } from '../../schemas/wire.ts';
import { rematch } from '../../steps/listing/derived.ts';

const PER_TURN = 50;
export const agentRematch = flow({
  name: 'agent.rematch',
  summary: 'Match the listings of an agent that became visible',
  input: Type.Object({ agent_id: Id }),
  output: Type.Object({ listings: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  run: async ({ agent_id }, ctx) => {
    let before = HIGHEST_ID;
    for (let listings = 0; ; ) {
      const outcome = await ctx.turn({
        agent_id,
        attempt: async (read) => {
          const live = await read(liveListingsOfAgent, { agent_id, before, limit: PER_TURN });
          return { reply: live.map(({ id }) => id), effects: live.map(({ id }) => rematch(ctx, id)) };
        },
      });
      if (isFault(outcome)) return outcome;
      const last = outcome.reply.at(-1);
      if (last === undefined) return { reply: { listings } };
      listings += outcome.reply.length;
      before = last;
    }
  },
});
