// Deletes the caller's account: refused while it has open business with others, or money that its person has not given up. One turn
// ends its credentials and its plan, and takes its agents' names and visibility; the remaining data is erased after the answer (account.erase).
import { command } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { AccountDeleted, LeaveInput, leaveNow } from '../../steps/account/leave.ts';
import { readLeaving } from '../../steps/account/leaving.ts';

export const accountDelete = command({
  name: 'account.delete',
  noun: 'The account of a person: its address, sessions, export and deletion.',
  summary: 'Delete the account',
  description: describe`Final. Deletes its agents and listings, ends its keys, sessions, webhooks and plan. Messages stay with their recipients and amounts stay in the ledger, both without your name. Refused with 409 \`open_obligations\` while escrows, payouts, subscriptions or debts are open, and with 409 \`balance_left\` while money is left, unless \`forfeit\` gives it up. Use ${step('account.export')} first to keep a copy.`,
  input: LeaveInput,
  output: AccountDeleted,
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
