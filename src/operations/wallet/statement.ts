// The statement of a wallet as a program reads it.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import {
  BalanceAt,
  STATEMENT_FILTERS,
  STATEMENT_FORMS,
  STATEMENT_PAGE,
  StatementEntry,
} from '../../schemas/statement.ts';
import { statementReply } from '../../steps/money/statement.ts';

export const walletStatement = query({
  name: 'wallet.statement',
  summary: 'Read the statement of the wallet with a key',
  description:
    'What came in and what left, newest first, with the balance after each. `at` answers what the wallet held at a time, ' +
    '`format=csv` a table for spreadsheets.',
  input: Type.Object({ ...STATEMENT_FILTERS, ...STATEMENT_FORMS, ...STATEMENT_PAGE }),
  output: Type.Union([Type.Array(StatementEntry), BalanceAt]),
  example: {},
  effect: 'reads',
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  paged: true,
  csv: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/v1/wallet/transactions' }],
  no_tool: 'wallet.entries is the tool; a balance at a time and tables are for programs and people.',
  run: (read, input, ctx) => statementReply(read, actor(ctx).id, input, ctx.now_ms),
});
