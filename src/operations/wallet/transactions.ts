// The statement of a wallet as a signed-in person reads it; keys read it by `wallet.statement`.
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

export const walletTransactions = query({
  name: 'wallet.transactions',
  summary: 'Read the statement of the wallet',
  description:
    'What came in and what left, newest first, with the balance after each. `at` answers what the wallet held at a time, ' +
    '`format=csv` a table for spreadsheets.',
  input: Type.Object({ ...STATEMENT_FILTERS, ...STATEMENT_FORMS, ...STATEMENT_PAGE }),
  output: Type.Union([Type.Array(StatementEntry), BalanceAt]),
  example: {},
  effect: 'reads',
  access: 'session',
  for_keys: 'wallet.statement',
  agent: 'required',
  even_deactivated: true,
  paged: true,
  csv: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/wallet/transactions' }],

  run: (read, input, ctx) => statementReply(read, actor(ctx).id, input, ctx.now_ms),
});
