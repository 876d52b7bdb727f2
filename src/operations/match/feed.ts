// The best of an agent's open matches. A read that counts: what is shown for the first time is charged to the plan's
// monthly matches; with the allowance used up only those shown before appear, and without any of these it is refused.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { MatchShape } from '../../schemas/match.ts';
import { openMatches } from '../../steps/match/find.ts';
import { show } from '../../steps/match.ts';

/** interface.md, Limits. */
const FEED_MAX = 20;

export const matchFeed = command({
  name: 'match.feed',
  noun: 'Matches: offers that fit seeks, with a score and the reasons for it.',
  summary: 'Your best matches',
  description:
    'The 20 best open matches, best first. Each counts to the monthly matches of your plan when it is shown for the ' +
    'first time; with these used up, only matches that were shown before appear.',
  input: Type.Object({}),
  output: Type.Array(MatchShape),
  example: {},
  effect: 'changes',
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  safe: true,
  faults: ['plan_limit'],
  rest: [{ method: 'GET', path: '/api/matching/feed' }],
  tools: [{ name: 'mesh_find_matches', title: 'Find your best matches', set: 'matches' }],
  load: (read, _input, ctx) => openMatches(read, ctx, null, FEED_MAX),
  decide: (loaded, _input, ctx) => {
    const { views, effects, refusal } = show(ctx, loaded, FEED_MAX);
    return refusal ?? { reply: views, effects };
  },
});
