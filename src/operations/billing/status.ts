// The account's plan, and until when it is paid.
import { Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { planTermsById } from '../../../db/queries/processor.ts';
import { query } from '../../contract/operation.ts';
import { BillingStatus, billingStatusView } from '../../schemas/billing.ts';

export const billingStatus = query({
  name: 'billing.status',
  summary: 'Read the state of the plan',
  input: Type.Object({}),
  output: BillingStatus,
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  rest: [{ method: 'GET', path: '/api/billing/status' }],
  tools: [{ name: 'mesh_get_plan', title: 'Read your current plan', set: 'account', extension: true }],
  run: async (read, _input, { account_id }) => {
    const [account, term] = await Promise.all([
      read(accountById, { id: account_id }),
      read(planTermsById, { id: account_id }),
    ]);
    return billingStatusView(account?.plan ?? 'free', term);
  },
});
