// Takes an agent's link offers out of sight whose domain is no longer proven: the claim has faded to nothing, so the site
// may be another agent's by now. They wait as they did at first, and verify brings them back.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { claimsOfAgent } from '../../../db/queries/agent.ts';
import { liveListingsOfAgent } from '../../../db/queries/listing.ts';
import { domainToProve } from '../../domain/taxonomy.ts';
import { type Ctx, command } from '../operation.ts';
import { Id } from '../schemas/wire.ts';
import { embed, follow } from './place.ts';

/** Above every id. */
const NEWEST = '~';

/** The next slice; its id is not that of the reminder which is running: that one would wait for itself. */
function holdAfter(ctx: Ctx, agent_id: string, domain: string, before: string): Effect<never> {
  const call = { operation: 'listing.hold', input: { agent_id, domain, before }, now: true };
  return { do: 'remind', id: `hold:${agent_id}:${domain}:${before}`, at: ctx.now_ms, ...call, created_at: ctx.now_ms };
}

/** Listings in one turn. */
const SLICE = 100;

export const listingHold = command({
  name: 'listing.hold',
  summary: 'Hold the link offers whose domain is lost',
  input: Type.Object({ agent_id: Id, domain: Type.String(), before: Type.Optional(Id) }),
  output: Type.Object({ held: Type.Integer() }),
  access: 'internal',
  faults: [],
  rest: [],
  load: async (read, { agent_id, domain, before = NEWEST }, ctx) => {
    const claims = await read(claimsOfAgent, { agent_id });
    const rows = await read(liveListingsOfAgent, { agent_id, before, limit: SLICE });
    const proven = claims.some(({ provider, external_id }) => provider === 'domain' && external_id === domain);
    const lost = proven ? [] : rows.filter((row) => domainToProve(row) === domain);
    return { last: rows.at(SLICE - 1), lost, embeddings: await embed(ctx, lost) };
  },
  decide: ({ last, lost, embeddings }, { agent_id, domain }, ctx) => {
    const set = { status: 'pending_verification' as const, updated_at: ctx.now_ms };
    const effects = lost.flatMap((row, at): Effect<never>[] => [
      patch('listings', row, set),
      ...follow(ctx, row, { ...row, ...set }, embeddings[at]),
    ]);
    if (last) effects.push(holdAfter(ctx, agent_id, domain, last.id));
    return { reply: { held: lost.length }, effects };
  },
});
