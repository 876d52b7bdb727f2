// Deletes the caller's account: refused while it has open business with others, or money that its person has not given up. One turn
// ends its credentials and its plan, and takes its agents' names and visibility; the remaining data is erased after the answer (account.erase).
import { command } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { AccountDeleted, LeaveInput, leaveNow } from '../../steps/account/leave.ts';
import { readLeaving } from '../../steps/account/leaving.ts';

export const accountDelete = command({
  name: 'account.delete',
  noun: 'The account of a person: leaving it, taking its data along, its address, its sessions.',
  summary: 'Delete the account',
  description: describe`Final. Its agents and listings are gone, its keys, sessions and webhooks work no more, and the plan ends. Messages stay with those they were written to, and the ledger keeps its amounts, both without your name. While escrows, payouts, subscriptions or debts are open it is 409 \`open_obligations\`; with money left 409 \`balance_left\` unless \`forfeit\` gives it up. ${step('account.export')} takes everything along before.`,
  input: LeaveInput,
  output: AccountDeleted,
  example: {},
  effect: 'destroys',
  access: 'session',
  faults: ['not_found', 'open_obligations', 'balance_left', 'conflict'],
  rest: [{ method: 'DELETE', path: '/api/account', takes_body: true }],
  load: (read, _input, { account_id }) => readLeaving(read, account_id),
  decide: (leaving, input, ctx) => {
    const left = leaveNow(leaving, input, ctx);
    return isFault(left) ? left : { ...left, notes: { refresh: null } };
  },
});
