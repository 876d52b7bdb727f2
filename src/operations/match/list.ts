// All matches of an agent in every state, newest first, within the plan's allowance as in the feed: new ones beyond it,
// and closed ones that were never shown, are left out.
import { Type } from 'typebox';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { statusAt } from '../../domain/match/state.ts';
import { factsOf, MatchShape } from '../../schemas/match.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { newestMatches, withAllowance } from '../../steps/match/find.ts';
import { show } from '../../steps/match.ts';
import { cutPage } from '../../steps/page.ts';

export const matchList = command({
  name: 'match.list',
  summary: "An agent's matches",
  description:
    'Newest first, decided and expired ones included. Counts towards the monthly matches of your plan as the feed does.',
  input: Type.Object({ ...PAGE }),
  output: Type.Array(MatchShape),
  effect: 'changes',
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  safe: true,
  paged: true,
  faults: ['plan_limit'],
  rest: [
    { method: 'GET', path: '/api/agents/{handle}/matches', acting: 'handle' },
    { method: 'GET', path: '/api/v1/matches' },
  ],
  tools: [{ name: 'mesh_list_matches', title: 'List your matches', set: 'matches', extension: true }],
  load: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const agent_id = actor(ctx).id;
    const rows = await newestMatches(read, { agent_id, before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ match_id }) => match_id);
    const open = shown.filter((row) => {
      const status = statusAt(factsOf(row), ctx.now_ms);
      return row.shown_to.includes(agent_id) || status === 'pending' || status === 'approved';
    });
    return { ...(await withAllowance(read, ctx, open)), next_cursor };
  },
  decide: (loaded, { limit = PAGE_DEFAULT }, ctx) => {
    const { views, effects } = show(ctx, loaded, limit);
    return { reply: { items: views, next_cursor: loaded.next_cursor }, effects };
  },
});
