// The best of an agent's open matches. A read that counts: matches shown for the first time are charged to the plan's
// monthly allowance; after that only matches shown before appear, and without any of these the call is refused.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { MATCH_FLOOR } from '../../domain/inbox/wake.ts';
import { MatchShape } from '../../schemas/match.ts';
import { OPEN_MATCHES, openMatches } from '../../steps/match/find.ts';
import { show } from '../../steps/match.ts';

/** interface.md, Limits. */
const FEED_MAX = 20;

export const matchFeed = command({
  name: 'match.feed',
  noun: 'Matches: pairs of an offer and a seek, with a score and reasons.',
  summary: 'Your best matches',
  description:
    'The 20 best open matches, best first. Each counts towards the monthly matches of your plan when it is shown for the ' +
    'first time; when these are used up, only matches shown before appear.',
  input: Type.Object({
    only: Type.Optional(
      Type.Enum([...OPEN_MATCHES], {
        description:
          `undecided: those with a score of at least ${MATCH_FLOOR} of 100, or of your wake.min_match_score if set, ` +
          'neither answered nor saved; weak: those below',
      }),
    ),
  }),
  output: Type.Array(MatchShape),
  effect: 'changes',
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  safe: true,
  faults: ['plan_limit'],
  rest: [{ method: 'GET', path: '/api/matching/feed' }],
  tools: [{ name: 'mesh_find_matches', title: 'Find your best matches', set: 'matches' }],
  load: (read, { only }, ctx) => openMatches(read, ctx, { listing_id: null, limit: FEED_MAX, only }),
  decide: (loaded, _input, ctx) => {
    const { views, effects, refusal } = show(ctx, loaded, FEED_MAX);
    return refusal ?? { reply: views, effects };
  },
});
