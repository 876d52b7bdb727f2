// Takes what an account owes out of what came into its wallet meanwhile; each hour while it owes anything, and at once when its
// person paid in.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { COLLECT, collect } from '../../steps/money/receivable.ts';

export const chargebackCollect = command({
  ...COLLECT,
  summary: 'Collect what an account owes',
  output: Type.Object({ owed_cents: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  faults: ['account_restricted', 'open_obligations', 'conflict'],
  rest: [],
  load: (read, { account_id }, { now_ms }) => collect(read, account_id, now_ms),
  decide: ({ owed_cents, effects }) => ({ reply: { owed_cents }, effects }),
});
