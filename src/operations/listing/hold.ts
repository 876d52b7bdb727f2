// Holds an agent's link offers whose domain is no longer proven: the claim has expired, so the site may now belong to
// another agent. If it was the agent's only proof, all of its listings are held. They return to their first state, and
// listing.verify publishes them again.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { agentById, claimsOfAgent } from '../../../db/queries/agent.ts';
import { liveListingsOfAgent } from '../../../db/queries/listing.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { command } from '../../contract/operation.ts';
import { domainToProve } from '../../domain/listing/taxonomy.ts';
import { followChange } from '../../steps/listing/derived.ts';
import { HOLD, holdListings } from '../../steps/listing/hide.ts';
import { embed, unchangedWords } from '../../steps/listing/vectors.ts';

/** Listings in one turn. */
const SLICE = 100;

export const listingHold = command({
  ...HOLD,
  summary: 'Hold the listings whose proof was lost',
  output: Type.Object({ held: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  load: async (read, { agent_id, domain, before = HIGHEST_ID }, _ctx, ports) => {
    const [agent, claims, rows] = await Promise.all([
      read(agentById, { id: agent_id }),
      read(claimsOfAgent, { agent_id }),
      read(liveListingsOfAgent, { agent_id, before, limit: SLICE }),
    ]);
    // The domain may have been proven again meanwhile.
    const proven =
      domain === undefined
        ? agent?.verified_at !== null
        : claims.some(({ provider, external_id }) => provider === 'domain' && external_id === domain);
    const lost = proven ? [] : rows.filter((row) => domain === undefined || domainToProve(row) === domain);
    return { last: rows.at(SLICE - 1), lost, embeddings: await embed(read, ports, unchangedWords(lost)) };
  },
  decide: ({ last, lost, embeddings }, { agent_id, domain }, ctx) => {
    const set = { status: 'pending_verification' as const, updated_at: ctx.now_ms };
    const effects = lost.flatMap((row, at): Effect<never>[] => [
      patch('listings', row, set),
      ...followChange(ctx, row, { ...row, ...set }, embeddings[at]),
    ]);
    if (last) effects.push(holdListings({ agent_id, domain, before: last.id }, ctx.now_ms));
    return { reply: { held: lost.length }, effects };
  },
});
