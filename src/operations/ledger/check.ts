// Checks the ledger with db/ledger-check, on one snapshot, in a thread of its own.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { LedgerCheck } from '../../schemas/wallet.ts';

export const ledgerCheck = query({
  name: 'ledger.check',
  noun: 'The ledger: its consistency check, and its daily seals.',
  summary: 'Check the ledger',
  description:
    'Checks that each balance is the sum of its transfers, none is negative and all sum to zero; that holds, escrows and fees match their rows; and that no sealed day has changed. A long ledger takes some seconds.',
  input: Type.Object({}),
  output: LedgerCheck,
  access: 'admin',
  slow: true,
  rest: [{ method: 'GET', path: '/api/admin/ledger/check' }],
  run: async (_read, _input, { now_ms }, { ledger }) => {
    const { ok, accounts, transfers, sum_cents, problems } = await ledger.check(now_ms);
    return { ok, accounts, transfers, sum_cents, problems: [...problems] };
  },
});
