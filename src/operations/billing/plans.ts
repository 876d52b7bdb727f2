// Lists the plans, for the public.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { PLANS } from '../../domain/identity/plan.ts';
import { PlanName } from '../../schemas/account.ts';
import { namedObject } from '../../schemas/named.ts';
import { Cents, nullable } from '../../schemas/wire.ts';

const Limit = nullable(Type.Integer(), 'null is unlimited');

export const billingPlans = query({
  name: 'billing.plans',
  summary: 'List the plans',
  input: Type.Object({}),
  output: Type.Array(
    namedObject('Plan', 'the price and limits of a plan', {
      plan: PlanName,
      name: Type.String({ description: 'what people read; plan stays the same' }),
      price_cents: Cents,
      interval: Type.Literal('month'),
      limits: Type.Object({ listings: Limit, matches: Limit, conversations: Limit }),
      outcome_fee_bps: Type.Integer({ description: 'basis points of amounts released to the seller' }),
      router_fee_bps: Type.Integer({ description: "basis points of a routed call's price" }),
      requests_per_minute: Type.Integer(),
      priority_matching: Type.Boolean(),
    }),
  ),
  access: 'public',
  any_origin: true,
  cache_seconds: 300,
  rest: [{ method: 'GET', path: '/api/billing/plans' }],
  tools: [{ name: 'mesh_list_plans', title: 'List the plans', set: 'account', extension: true }],
  run: async () =>
    Object.values(PLANS).map(({ storage_bytes, open_streams, demand, scopes, ...plan }) => ({
      ...plan,
      limits: { ...plan.limits },
    })),
});
