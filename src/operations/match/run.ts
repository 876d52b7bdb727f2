// Runs matching on request, for one of an agent's listings or all of them, and shows the best open matches.
import { Type } from 'typebox';
import { listingToMatch, matchableOfAgent } from '../../../db/queries/match.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { type Explained, sumExplained } from '../../domain/match/missing.ts';
import { EXPLAINED, MatchShape } from '../../schemas/match.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, nullable } from '../../schemas/wire.ts';
import { matchesLeft, openMatches } from '../../steps/match/find.ts';
import { show } from '../../steps/match.ts';

const NOTHING: Explained = { considered: 0, missing: [] };

/** The newest listings, matched by one call; older ones are matched whenever they or a counterpart change. */
const LISTINGS_MAX = 50;
const SHOWN_DEFAULT = 20;

/** Explains an answer with few matches. */
function noteOf(done: readonly (Explained | null)[]): string | null {
  if (done.length === 0) return 'Your agent has no live listing, so there is nothing to match.';
  if (done.every((each) => each === null)) {
    return 'Nothing was matched: your agent is hidden, or the listing is not live.';
  }
  return done.some((each) => each && each.considered > 0)
    ? null
    : 'No listing that your agent may match shares a label or words with it yet. New listings are matched automatically.';
}

/** The listings to match; null when the named one is not the agent's. */
async function listingsOf(
  read: Read,
  agent_id: string,
  listing_id: string | undefined,
): Promise<Pick<Row<'listings'>, 'id' | 'headline'>[] | null> {
  if (listing_id === undefined) {
    return read(matchableOfAgent, { agent_id, limit: LISTINGS_MAX });
  }
  const listing = await read(listingToMatch, { id: listing_id });
  return listing?.agent_id === agent_id ? [listing] : null;
}

export const matchRun = flow({
  name: 'match.run',
  summary: 'Run matching now',
  description:
    'Matches one listing, or all live ones of the agent, and returns the best open matches, and the candidates that ' +
    'are none, by rule. Refused once the monthly matches of your plan are used up; matching also ' +
    'runs at every change of a listing.',
  input: Type.Object({
    listing_id: Type.Optional(Id),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, description: 'matches in the response; default: 20' }),
    ),
  }),
  output: namedObject('MatchRun', 'the result of a matching run', {
    matches: Type.Array(MatchShape, { description: 'best first' }),
    ...EXPLAINED,
    listings: Type.Array(namedObject('MatchedRun', 'the candidates of one listing', { listing_id: Id, ...EXPLAINED }), {
      description: 'the matched listings, newest first, with the near misses of each',
    }),
    note: nullable(Type.String(), 'why nothing was compared, if so'),
    took_ms: Type.Number({ minimum: 0 }),
  }),
  example: { listing_id: SAMPLE.listing_id, limit: 5 },
  effect: 'changes',
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  faults: ['not_found', 'plan_limit', 'conflict', 'matching_unavailable'],
  rest: [{ method: 'POST', path: '/api/matching/run' }],
  tools: [{ name: 'mesh_run_matching', title: 'Run matching now', set: 'matches', extension: true }],
  run: async ({ listing_id, limit = SHOWN_DEFAULT }, ctx, { match }) => {
    // Measured in real time, not by the service's clock.
    const started_ms = performance.now();
    const allowance = await matchesLeft(ctx.read, ctx);
    if (isFault(allowance)) return allowance;
    const listings = await listingsOf(ctx.read, actor(ctx).id, listing_id);
    if (listings === null) return fault('not_found');
    const explained: (Explained & { listing_id: string; headline: string })[] = [];
    const outcomes: (Explained | null)[] = [];
    for (const { id, headline } of listings) {
      const done = await match(ctx, id, { explains: true });
      if (isFault(done)) return done;
      outcomes.push(done.explained);
      explained.push({ listing_id: id, headline, ...(done.explained ?? NOTHING) });
    }
    const { considered, missing } = sumExplained(explained);
    const note = noteOf(outcomes);
    const took_ms = Math.round((performance.now() - started_ms) * 100) / 100;
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const loaded = await openMatches(read, ctx, { listing_id: listing_id ?? null, limit });
        const { views, effects, refusal } = show(ctx, loaded, limit);
        const each = explained.map(({ headline: _own, ...listing }) => listing);
        return refusal ?? { reply: { matches: views, considered, missing, listings: each, note, took_ms }, effects };
      },
    });
  },
});
