// The acting agent's payments with their signed receipts as a file, newest first.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { EXPORT_INPUT, ExportedReceipt, exportReply, headsOf } from '../../schemas/export.ts';
import { takeReceipts } from '../../steps/export/receipts.ts';

export const exportReceipts = query({
  name: 'export.receipts',
  summary: 'Export the receipts',
  description:
    'All entries of the wallet of the acting agent, newest first, each with its signed receipt where there is one. `format=csv` answers a table.',
  input: Type.Object({ ...EXPORT_INPUT }),
  output: Type.Array(ExportedReceipt),
  example: {},
  effect: 'reads',
  access: 'key',
  scope: 'export:read',
  agent: 'required',
  paged: true,
  csv: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/v1/export/receipts' }],
  no_tool: 'A file is for people and their programs; receipt.read gives models one of them.',
  run: async (read, input, ctx, { documents }) => {
    const asked = { agent_id: actor(ctx).id, cursor: input.cursor, issuer: ctx.settings.base_url, now_ms: ctx.now_ms };
    const { items, next_cursor } = await takeReceipts(read, documents, asked);
    return exportReply(input, headsOf(ExportedReceipt), items, next_cursor);
  },
});
