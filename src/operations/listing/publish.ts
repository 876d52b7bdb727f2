// Publishes the listings that waited for an agent's first verification: its held intake listings go live and are matched
// for both sides (questions.md 8). The commit that verifies the agent writes the reminder for this.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { agentById, claimsOfAgent } from '../../../db/queries/agent.ts';
import { listingsInStatus } from '../../../db/queries/listing.ts';
import { command } from '../../contract/operation.ts';
import { statusAfterVerify } from '../../domain/listing/state.ts';
import { PUBLISH } from '../../steps/claim.ts';
import { followChange } from '../../steps/listing/derived.ts';
import { readReviewing } from '../../steps/listing/find.ts';
import { factsOf } from '../../steps/listing/gates.ts';
import { queueEffects } from '../../steps/listing/review.ts';
import { embed, unchangedWords } from '../../steps/listing/vectors.ts';

/** More than one intake makes; the rest goes live by single calls of `listing.verify`. */
const HELD_MAX = 200;

export const listingPublish = command({
  ...PUBLISH,
  summary: 'Publish the listings held until verification',
  output: Type.Object({ published: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  load: async (read, { agent_id }, _ctx, ports) => {
    const [agent, claims, rows] = await Promise.all([
      read(agentById, { id: agent_id }),
      read(claimsOfAgent, { agent_id }),
      read(listingsInStatus, { agent_id, status: 'pending_verification', limit: HELD_MAX }),
    ]);
    const doubts = await Promise.all(rows.map((row) => readReviewing(read, row, row, agent?.handle ?? '')));
    return { agent, claims, rows, doubts, embeddings: await embed(read, ports, unchangedWords(rows)) };
  },
  decide: ({ agent, claims, rows, doubts, embeddings }, _input, ctx) => {
    if (!agent || agent.verified_at === null || agent.deactivated_at !== null) return { reply: { published: 0 } };
    const effects: Effect<never>[] = [];
    let published = 0;
    rows.forEach((row, at) => {
      const doubt = doubts[at];
      if (!doubt) return;
      const status = statusAfterVerify(row.status, factsOf(row, { agent, claims }, doubt));
      if (status === row.status) return;
      const set = { status, updated_at: ctx.now_ms };
      if (status === 'live') published += 1;
      const after = { ...row, ...set };
      effects.push(patch('listings', row, set), ...queueEffects(ctx, after, doubt));
      effects.push(...followChange(ctx, row, after, embeddings[at]));
    });
    return { reply: { published }, effects };
  },
});
