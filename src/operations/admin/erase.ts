// Deletes another person's account as they would themselves (account.delete); the administrator is accountable for it.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { AccountDeleted, LeaveInput, leaveNow } from '../../steps/account/leave.ts';
import { readLeaving } from '../../steps/account/leaving.ts';
import { ActReason, removableOf } from '../../steps/admin/allowed.ts';
import { readSubject } from '../../steps/admin/subject.ts';

export const adminErase = command({
  name: 'admin.erase',
  needed_by: 'an administrator whom a person asks for deletion',
  summary: 'Delete the account of a person',
  description:
    'Final, with the rules of account.delete: 409 `open_obligations` while escrows, payouts, subscriptions or debts are open, and ' +
    '409 `balance_left` while money is left, unless `forfeit` gives it up. The person is told by mail.',
  input: Type.Object({ id: PathId, reason: ActReason, ...LeaveInput.properties }),
  output: AccountDeleted,
  example: { id: SAMPLE.account_id, reason: 'asked for it by mail' },
  effect: 'destroys',
  access: 'admin',
  faults: ['not_found', 'open_obligations', 'balance_left', 'conflict'],
  rest: [{ method: 'POST', path: '/api/admin/accounts/{id}/erase' }],
  load: async (read, { id }) => {
    const [subject, leaving] = await Promise.all([readSubject(read, id), readLeaving(read, id)]);
    return { subject, leaving };
  },
  decide: ({ subject, leaving }, input, ctx) => {
    const account = removableOf(subject, ctx);
    return isFault(account) ? account : leaveNow(leaving, input, ctx);
  },
});
