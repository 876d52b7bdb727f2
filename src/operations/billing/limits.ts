// What the account's plan allows, what each limit counts, and how much of it is used.
import { Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { counterById } from '../../../db/queries/turn.ts';
import { counterKey, METERS, type Meter, nextMonthStart, PLANS } from '../../domain/identity/plan.ts';
import { PlanName } from '../../schemas/account.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso, Time } from '../../schemas/wire.ts';
import { query } from '../operation.ts';

const ORDER: readonly Meter[] = ['listings', 'matches', 'conversations'];

export const billingLimits = query({
  name: 'billing.limits',
  noun: 'Plans, what they allow, and what is used of it.',
  summary: 'Read the limits of the plan and their use',
  input: Type.Object({}),
  output: namedObject('PlanLimits', 'what the plan allows, and what is used of it', {
    plan: PlanName,
    resets_at: Type.String({ ...Time, description: 'when the monthly counters start again' }),
    limits: Type.Array(
      namedObject('PlanLimit', 'one counter of the plan', {
        name: Type.String(),
        counts: Type.String({ description: 'what is counted' }),
        limit: Type.Union([Type.Integer(), Type.Null()], { description: 'null is unlimited' }),
        used: Type.Integer(),
      }),
    ),
  }),
  example: {},
  effect: 'reads',
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/billing/limits' }],
  tools: [{ name: 'mesh_get_limits', title: 'See what is used of your plan', set: 'account', extension: true }],
  run: async (read, _input, { account_id, now_ms }) => {
    const account = await read(accountById, { id: account_id });
    const { plan, limits } = PLANS[account?.plan ?? 'free'];
    const used = await Promise.all(
      ORDER.map((meter) => read(counterById, { id: counterKey(meter, account_id, now_ms) })),
    );
    return {
      plan,
      resets_at: iso(nextMonthStart(now_ms)),
      limits: ORDER.map((name, at) => ({ name, counts: METERS[name], limit: limits[name], used: used[at]?.n ?? 0 })),
    };
  },
});
