// All that was said in the acting agent's conversations as a file, thread by thread.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import {
  EXPORT_INPUT,
  ExportedMessage,
  exportedMessage,
  exportReply,
  exportRows,
  headsOf,
} from '../../schemas/export.ts';
import { takeMessages } from '../../steps/export/walk.ts';

export const exportMessages = query({
  name: 'export.messages',
  summary: 'Export the messages',
  description: 'All conversations of the acting agent, each from its beginning. `format=csv` answers a table.',
  input: Type.Object({ ...EXPORT_INPUT }),
  output: Type.Array(ExportedMessage),
  example: {},
  effect: 'reads',
  access: 'key',
  scope: 'export:read',
  agent: 'required',
  paged: true,
  csv: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/v1/export/messages' }],
  no_tool: 'A file is for people and their programs; message.list shows the same to models.',
  run: async (read, input, ctx) => {
    const { rows, after } = await takeMessages(read, actor(ctx).id, input.cursor ?? '', exportRows(input));
    return exportReply(input, headsOf(ExportedMessage), rows.map(exportedMessage), after);
  },
});
