// Changes the plan of an account at once, as a completed checkout would, for `meshwork admin set-plan`.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { accountByEmail } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { AccountView, PlanName } from '../../schemas/account.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email, iso } from '../../schemas/wire.ts';

export const platformAdminSetPlan = command({
  name: 'platform.admin_set_plan',
  needed_by: 'the command `meshwork admin set-plan`',
  summary: 'Change the plan of an account',
  input: Type.Object({ email: Email, plan: PlanName }),
  output: AccountView,
  example: { email: SAMPLE.email, plan: 'pro' },
  effect: 'changes',
  access: 'platform',
  faults: ['invalid_request', 'not_found'],
  rest: [{ method: 'POST', path: '/internal/admin/set-plan' }],
  load: async (read, input) => {
    const email = parseEmail(input.email);
    return { email, account: isFault(email) ? null : await read(accountByEmail, { email }) };
  },
  decide: ({ email, account }, { plan }) => {
    if (isFault(email)) return email;
    if (!account) return fault('not_found', 'No account has this address.');
    return {
      reply: { id: account.id, email, plan, created_at: iso(account.created_at) },
      effects: [patch('accounts', account, { plan })],
    };
  },
});
