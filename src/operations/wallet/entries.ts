// The statement of a wallet as a model reads it: a page of entries, and nothing but that.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { STATEMENT_FILTERS, STATEMENT_PAGE, StatementEntry } from '../../schemas/statement.ts';
import { statementPage } from '../../steps/money/statement.ts';

export const walletEntries = query({
  name: 'wallet.entries',
  summary: 'List what came into your wallet and what left it',
  description: 'Newest first, with the balance after each.',
  input: Type.Object({ ...STATEMENT_FILTERS, ...STATEMENT_PAGE }),
  output: Type.Array(StatementEntry),
  example: {},
  effect: 'reads',
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  paged: true,
  faults: [],
  rest: [],
  tools: [
    {
      name: 'mesh_list_transactions',
      title: 'List what came into your wallet and left it',
      set: 'wallet',
      extension: true,
    },
  ],
  run: (read, input, ctx) => statementPage(read, actor(ctx).id, input, ctx.now_ms),
});
