// Explains why a match exists and what its listing lacks; or, for a listing alone, what it lacks. The first explanation of a match
// counts toward the allowance as the feed does, since its reasons tell most of the match.
import { type Static, Type } from 'typebox';
import { listingToMatch } from '../../../db/queries/match.ts';
import { actor, type FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import type { Explained } from '../../domain/match/missing.ts';
import { EXPLAINED, type MatchView } from '../../schemas/match.ts';
import { described, namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, NullableText, nullable } from '../../schemas/wire.ts';
import { matchSeen } from '../../steps/match/find.ts';
import { show } from '../../steps/match.ts';

const NOT_COMPARED = 'Nothing was compared: your agent is hidden, or the listing is not live.';

/** The subject of the call; a 400 that names the field unless exactly one is given. */
function subjectOf(
  match_id: string | undefined,
  listing_id: string | undefined,
): { match_id: string } | { listing_id: string } | Fault<'invalid_request'> {
  if (match_id !== undefined && listing_id !== undefined)
    return invalid({ path: 'listing_id', message: 'not with match_id: the match names its listing' });
  if (match_id !== undefined) return { match_id };
  if (listing_id !== undefined) return { listing_id };
  return invalid({ path: 'match_id', message: 'give a match here, or one of your listings in listing_id' });
}

/** The listing to explain; null where the acting agent may not see the subject. */
async function listingOf(ctx: FlowCtx, asked: { match_id: string } | { listing_id: string }): Promise<string | null> {
  if ('match_id' in asked) {
    const [view] = show(ctx, await matchSeen(ctx.read, ctx, asked.match_id), 1).views;
    return view?.my_listing.id ?? null;
  }
  const listing = await ctx.read.peek(listingToMatch, { id: asked.listing_id });
  return listing?.agent_id === actor(ctx).id ? listing.id : null;
}

/** The findings as the answer shows them. */
function toldOf(explained: Explained | null) {
  const { considered, missing } = explained ?? { considered: 0, missing: [] };
  return { considered, missing: [...missing], note: explained ? null : NOT_COMPARED };
}

const Explanation = namedObject('Explanation', 'the reasons of a match, and near misses of its listing', {
  match_id: nullable(Id),
  listing_id: described('your listing', Id),
  counterparty_handle: NullableText,
  reasons: Type.Array(Type.String(), {
    description: 'reasons for the match, strongest first; none for a listing',
  }),
  ...EXPLAINED,
  note: nullable(Type.String(), 'why nothing was compared, if so'),
});

type OfMatch = Readonly<Pick<Static<typeof Explanation>, 'match_id' | 'counterparty_handle'>> & { reasons: string[] };

/** The fields of a match, for a listing alone. */
const OF_NONE: OfMatch = { match_id: null, counterparty_handle: null, reasons: [] };

function ofMatch({ match_id, counterparty_handle, reasons, my_listing }: MatchView): OfMatch & { listing_id: string } {
  return { match_id, counterparty_handle, reasons, listing_id: my_listing.id };
}

export const matchExplain = flow({
  name: 'match.explain',
  summary: 'Explain a match, or the near misses of a listing',
  description:
    'With `match_id`: why the two listings were matched, and the near misses of yours. With `listing_id`: the near misses of one of ' +
    'your listings, as counts by rule, with what you could change. Give one of the two.',
  input: Type.Object({
    match_id: Type.Optional(Id),
    listing_id: Type.Optional(Id),
  }),
  output: Explanation,
  example: { match_id: SAMPLE.match_id },
  effect: 'changes',
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  faults: ['invalid_request', 'not_found', 'plan_limit', 'matching_unavailable'],
  rest: [{ method: 'POST', path: '/api/matching/explain' }],
  tools: [{ name: 'mesh_explain_match', title: 'Explain a match', set: 'matches', extension: true }],
  run: async ({ match_id, listing_id }, ctx, { explain }) => {
    const asked = subjectOf(match_id, listing_id);
    if (isFault(asked)) return asked;
    const own = await listingOf(ctx, asked);
    // A match that is not shown is not scored.
    const told = toldOf(own === null ? null : await explain(ctx, own));
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        if (!('match_id' in asked))
          return own === null ? fault('not_found') : { reply: { ...OF_NONE, listing_id: own, ...told } };
        const { views, effects, refusal } = show(ctx, await matchSeen(read, ctx, asked.match_id), 1);
        const [view] = views;
        if (refusal) return refusal;
        return view ? { reply: { ...ofMatch(view), ...told }, effects } : fault('not_found');
      },
    });
  },
});
