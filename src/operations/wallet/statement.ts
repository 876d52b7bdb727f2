// The statement of a wallet: for a signed-in person, for a program with a key, and for a model, which gets only a page of entries.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { BalanceAt, STATEMENT_FILTERS, STATEMENT_FORMS, STATEMENT_PAGE, StatementEntry } from '../../schemas/wallet.ts';
import { statementPage, statementReply } from '../../steps/money/statement.ts';

const SHARED = { agent: 'required', paged: true } as const;

const WHOLE = {
  ...SHARED,
  description:
    'All entries, newest first, with the balance after each. `at` returns the balance at a time, ' +
    '`format=csv` a table for spreadsheets.',
  input: Type.Object({ ...STATEMENT_FILTERS, ...STATEMENT_FORMS, ...STATEMENT_PAGE }),
  output: Type.Union([Type.Array(StatementEntry), BalanceAt]),
  csv: true,
} as const;

export const walletTransactions = query({
  ...WHOLE,
  name: 'wallet.transactions',
  summary: 'Read the statement of the wallet',
  access: 'session',
  for_keys: 'wallet.statement',
  even_deactivated: true,
  rest: [{ method: 'GET', path: '/api/wallet/transactions' }],
  run: (read, input, ctx) => statementReply(read, actor(ctx).id, input, ctx.now_ms),
});

export const walletStatement = query({
  ...WHOLE,
  name: 'wallet.statement',
  summary: 'Read the statement of the wallet with a key',
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  rest: [{ method: 'GET', path: '/api/v1/wallet/transactions' }],
  no_tool: 'wallet.entries is the tool; a balance at a time and tables are for programs and people.',
  run: (read, input, ctx) => statementReply(read, actor(ctx).id, input, ctx.now_ms),
});

export const walletEntries = query({
  ...SHARED,
  name: 'wallet.entries',
  needed_by: 'agents, which read the statement as a list',
  summary: 'List the entries of your wallet',
  description: 'Newest first, with the balance after each.',
  input: Type.Object({ ...STATEMENT_FILTERS, ...STATEMENT_PAGE }),
  output: Type.Array(StatementEntry),
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  tools: [
    {
      name: 'mesh_list_transactions',
      title: 'List the entries of your wallet',
      set: 'wallet',
      extension: true,
    },
  ],
  run: (read, input, ctx) => statementPage(read, actor(ctx).id, input, ctx.now_ms),
});
