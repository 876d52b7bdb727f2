// Changes the plan of an account at once, as a completed checkout would. No money moves, and a paid subscription stays linked: later
// news from the processor changes the plan again.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { command } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { PlanName } from '../../schemas/account.ts';
import { AdministeredAccount, accountFacts } from '../../schemas/admin.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { ActReason, personOf } from '../../steps/admin/allowed.ts';
import { readSubject } from '../../steps/admin/subject.ts';

export const adminSetPlan = command({
  name: 'admin.set_plan',
  needed_by: 'an administrator who changes a person’s plan',
  summary: 'Change the plan of a person',
  description: 'Takes effect at once, without a payment.',
  input: Type.Object({ id: PathId, plan: PlanName, reason: ActReason }),
  output: AdministeredAccount,
  example: { id: SAMPLE.account_id, plan: 'pro', reason: 'works with us' },
  effect: 'changes',
  access: 'admin',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/admin/accounts/{id}/plan' }],
  load: (read, { id }) => readSubject(read, id),
  decide: (subject, { plan }) => {
    const account = personOf(subject);
    if (isFault(account)) return account;
    return { reply: accountFacts({ ...account, plan }), effects: [patch('accounts', account, { plan })] };
  },
});
