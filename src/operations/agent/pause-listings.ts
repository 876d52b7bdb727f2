// Pauses the live listings of an agent that was deactivated, in turns of 50. Run by the reminder of the deactivation, so
// a crash in between leaves none of them live for long; an agent that was restored meanwhile keeps the rest.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { listingsInStatus } from '../../../db/queries/listing.ts';
import { isFault } from '../../domain/fault.ts';
import { follow } from '../listing/place.ts';
import { flow } from '../operation.ts';
import { Id } from '../schemas/wire.ts';

const PER_TURN = 50;

export const agentPauseListings = flow({
  name: 'agent.pause_listings',
  summary: 'Pause the listings of a deactivated agent',
  input: Type.Object({ agent_id: Id }),
  output: Type.Object({ paused: Type.Integer() }),
  access: 'internal',
  faults: [],
  rest: [],
  run: async ({ agent_id }, ctx) => {
    for (let paused = 0; ; ) {
      const outcome = await ctx.turn({
        agent_id,
        attempt: async (read) => {
          const agent = await read(agentById, { id: agent_id });
          if (!agent || agent.deactivated_at === null) return { reply: 0 };
          const live = await read(listingsInStatus, { agent_id, status: 'live', limit: PER_TURN });
          const set = { status: 'inactive' as const, updated_at: ctx.now_ms };
          const effects = live.flatMap((row) => [
            patch('listings', row, set),
            ...follow(ctx, row, { ...row, ...set }, undefined),
          ]);
          return { reply: live.length, effects };
        },
      });
      if (isFault(outcome)) return outcome;
      if (outcome.reply === 0) return { reply: { paused } };
      paused += outcome.reply;
    }
  },
});
