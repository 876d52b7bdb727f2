// The acting agent's listings as a file, in every state, newest first.
import { Type } from 'typebox';
import { listingsOfAgent } from '../../../db/queries/listing.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import {
  EXPORT_INPUT,
  ExportedListing,
  exportedListing,
  exportReply,
  exportRows,
  headsOf,
} from '../../schemas/export.ts';
import { cutPage } from '../../steps/page.ts';

export const exportListings = query({
  name: 'export.listings',
  noun: 'What an agent has here as files: JSON, or tables for spreadsheets.',
  summary: 'Export the listings',
  description: 'Of the acting agent, newest first. `format=csv` answers a table.',
  input: Type.Object({ ...EXPORT_INPUT }),
  output: Type.Array(ExportedListing),
  example: {},
  effect: 'reads',
  access: 'key',
  scope: 'export:read',
  agent: 'required',
  paged: true,
  csv: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/v1/export/listings' }],
  no_tool: 'A file is for people and their programs; listing.mine shows the same to models.',
  run: async (read, input, ctx) => {
    const limit = exportRows(input);
    const asked = { agent_id: actor(ctx).id, before: input.cursor ?? HIGHEST_ID, limit: limit + 1 };
    const { shown, next_cursor } = cutPage(await read.peek(listingsOfAgent, asked), limit, ({ id }) => id);
    return exportReply(input, headsOf(ExportedListing), shown.map(exportedListing), next_cursor);
  },
});
