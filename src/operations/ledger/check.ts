// Checks the ledger with db/ledger-check, on one snapshot, in a thread of its own.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { LedgerCheck } from '../../schemas/wallet.ts';

export const ledgerCheck = query({
  name: 'ledger.check',
  noun: 'The ledger: whether every cent is where it belongs, and the seals of its days.',
  summary: 'Prove the ledger',
  description:
    'Each balance is the sum of its transfers, none is below zero, and all together are nothing; what is held, in escrow and taken as fees is what its rows say; no day that was sealed has changed. A long ledger takes some seconds.',
  input: Type.Object({}),
  output: LedgerCheck,
  example: {},
  effect: 'reads',
  access: 'admin',
  slow: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/admin/ledger/check' }],
  run: async (_read, _input, { now_ms }, { ledger }) => {
    const { ok, accounts, transfers, sum_cents, problems } = await ledger.check(now_ms);
    return { ok, accounts, transfers, sum_cents, problems: [...problems] };
  },
});
