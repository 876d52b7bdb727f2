// The acting agent's matches as a file, newest first.
import { Type } from 'typebox';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { EXPORT_INPUT, ExportedMatch, exportedMatch, exportReply, exportRows, headsOf } from '../../schemas/export.ts';
import { newestMatches } from '../../steps/match.ts';
import { cutPage } from '../../steps/page.ts';

export const exportMatches = query({
  name: 'export.matches',
  summary: 'Export the matches',
  description:
    'Of the acting agent, in every state, newest first: those that it was shown, so that an export uses up nothing of the plan. `format=csv` answers a table.',
  input: Type.Object({ ...EXPORT_INPUT }),
  output: Type.Array(ExportedMatch),
  example: {},
  effect: 'reads',
  access: 'key',
  scope: 'export:read',
  agent: 'required',
  paged: true,
  csv: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/v1/export/matches' }],
  no_tool: 'A file is for people and their programs; match.list shows the same to models.',
  run: async (read, input, ctx) => {
    const limit = exportRows(input);
    const { id: agent_id } = actor(ctx);
    const asked = { agent_id, before: input.cursor ?? HIGHEST_ID, limit: limit + 1 };
    const { shown, next_cursor } = cutPage(await newestMatches(read, asked), limit, (row) => row.match_id);
    const items = shown
      .filter(({ shown_to }) => shown_to.includes(agent_id))
      .map((row) => exportedMatch(row, agent_id));
    return exportReply(input, headsOf(ExportedMatch), items, next_cursor);
  },
});
