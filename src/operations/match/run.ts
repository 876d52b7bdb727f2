// Runs the engine at the agent's word, for one of its listings or all of them, and shows the best of what is open
// then.
import { Type } from 'typebox';
import { listingToMatch, matchableOfAgent } from '../../../db/queries/match.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Read } from '../../../db/store.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { counterKey, PLANS, planLimit } from '../../domain/identity/plan.ts';
import { MatchShape } from '../../schemas/match.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id } from '../../schemas/wire.ts';
import { openMatches, show } from '../../steps/match.ts';
import { actor, type Ctx } from '../context.ts';
import { flow } from '../operation.ts';

/** Listings matched by one call, the newest; older ones are matched whenever they or a counterpart change. */
const LISTINGS_MAX = 50;
const SHOWN_DEFAULT = 20;

/** The 403 of an agent whose plan shows no further match this month; null while it may see one. */
async function usedUpFault(read: Read, ctx: Ctx) {
  const limit = PLANS[ctx.principal.plan].limits.matches;
  if (limit === null) return null;
  const counter = await read.peek(counterById, { id: counterKey('matches', ctx.account_id, ctx.now_ms) });
  const used = counter?.n ?? 0;
  return used < limit ? null : planLimit('matches', limit, used, ctx.now_ms);
}

/** The listings to match; null when the one asked for is not the agent's. */
async function listingsOf(read: Read, agent_id: string, listing_id: string | undefined): Promise<string[] | null> {
  if (listing_id === undefined) {
    const rows = await read(matchableOfAgent, { agent_id, limit: LISTINGS_MAX });
    return rows.map(({ id }) => id);
  }
  const listing = await read(listingToMatch, { id: listing_id });
  return listing?.agent_id === agent_id ? [listing_id] : null;
}

export const matchRun = flow({
  name: 'match.run',
  summary: 'Run matching now',
  description:
    'Matches one listing, or all live ones of the agent, and answers the best open matches. Refused once the monthly ' +
    'matches of your plan are used up; matching itself also runs at every change of a listing.',
  input: Type.Object({
    listing_id: Type.Optional(Id),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, description: 'matches in the answer; 20 unless said' }),
    ),
  }),
  output: namedObject('MatchRun', 'what a run of the engine found', {
    matches: Type.Array(MatchShape, { description: 'best first' }),
    considered: Type.Integer({ minimum: 0, description: 'candidates that were scored' }),
    took_ms: Type.Number({ minimum: 0 }),
  }),
  example: { listing_id: SAMPLE.listing_id, limit: 5 },
  effect: 'changes',
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  faults: ['not_found', 'plan_limit', 'conflict'],
  rest: [{ method: 'POST', path: '/api/matching/run' }],
  tools: [{ name: 'mesh_run_matching', title: 'Run matching now', set: 'matches', extension: true }],
  run: async ({ listing_id, limit = SHOWN_DEFAULT }, ctx, { match }) => {
    // How long the work takes is measured on the wall, whatever the service's clock says.
    const started_ms = performance.now();
    const barred = await usedUpFault(ctx.read, ctx);
    if (barred) return barred;
    const listings = await listingsOf(ctx.read, actor(ctx).id, listing_id);
    if (listings === null) return fault('not_found');
    let considered = 0;
    for (const id of listings) {
      const done = await match(ctx, id);
      if (isFault(done)) return done;
      considered += done.considered;
    }
    const took_ms = Math.round((performance.now() - started_ms) * 100) / 100;
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const loaded = await openMatches(read, ctx, listing_id ?? null, limit);
        const { views, effects, refusal } = show(ctx, loaded, limit);
        return refusal ?? { reply: { matches: views, considered, took_ms }, effects };
      },
    });
  },
});
