// Publishes what waited for an agent's first verification: its held intake listings go live and are matched for both
// sides (questions.md 8). Whoever verifies an agent asks for this by a reminder in the same commit.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { agentById, claimsOfAgent } from '../../../db/queries/agent.ts';
import { listingsInStatus } from '../../../db/queries/listing.ts';
import { statusAfterVerify } from '../../domain/listing-state.ts';
import { command } from '../operation.ts';
import { Id } from '../schemas/wire.ts';
import { factsOf } from './gates.ts';
import { embed, follow } from './place.ts';

/** More than an intake makes; an agent that sent several is worked off by one call of `listing.verify` each. */
const HELD_MAX = 200;

export const listingPublish = command({
  name: 'listing.publish',
  summary: 'Publish the listings that waited for a verification',
  input: Type.Object({ agent_id: Id }),
  output: Type.Object({ published: Type.Integer() }),
  access: 'internal',
  faults: [],
  rest: [],
  load: async (read, { agent_id }, ctx) => {
    const [agent, claims, rows] = await Promise.all([
      read(agentById, { id: agent_id }),
      read(claimsOfAgent, { agent_id }),
      read(listingsInStatus, { agent_id, status: 'pending_verification', limit: HELD_MAX }),
    ]);
    return { agent, claims, rows, embeddings: await embed(ctx, rows) };
  },
  decide: ({ agent, claims, rows, embeddings }, _input, ctx) => {
    if (!agent || agent.verified_at === null || agent.deactivated_at !== null) return { reply: { published: 0 } };
    const effects: Effect<never>[] = [];
    let published = 0;
    rows.forEach((row, at) => {
      const status = statusAfterVerify(row.status, factsOf(row, { agent, claims }));
      if (status === row.status) return;
      const set = { status, updated_at: ctx.now_ms };
      if (status === 'live') published += 1;
      effects.push(patch('listings', row, set), ...follow(ctx, row, { ...row, ...set }, embeddings[at]));
    });
    return { reply: { published }, effects };
  },
});
