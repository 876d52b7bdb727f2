// The limits of the account's plan, what each one counts, and the current use.
import { Type } from 'typebox';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { firstContactKey, firstContactLimit } from '../../domain/conversation/conversation.ts';
import {
  counterKey,
  METERS,
  type Meter,
  nextMonthStart,
  PLANS,
  sessionsPerMinute,
  storageKey,
} from '../../domain/identity/plan.ts';
import { PlanName } from '../../schemas/account.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso, nullable, Time } from '../../schemas/wire.ts';
import { AGENTS_MAX, agentsKey } from '../../steps/agent/count.ts';
import { demandPostsKey, openDemandKey } from '../../steps/demand/close.ts';
import { INTAKE_LISTINGS_MAX, intakeKey } from '../../steps/listing/cap.ts';

const ORDER: readonly Meter[] = ['listings', 'matches', 'conversations'];

/** A limit beside the plan's meters, and its counters, of which the highest is shown; null without counters. */
interface Limit {
  readonly name: string;
  readonly counts: string;
  readonly limit: number;
  readonly keys: readonly string[] | null;
}

/** Limits of an account and its agents beside the plan's meters. */
function otherLimits({ principal, account_id, now_ms }: Ctx, agents: readonly string[]): readonly Limit[] {
  const { requests_per_minute, open_streams, storage_bytes, demand } = PLANS[principal.plan];
  return [
    {
      name: 'requests_per_minute',
      counts: 'Requests per minute with keys and access tokens.',
      limit: requests_per_minute,
      keys: null,
    },
    {
      name: 'session_requests_per_minute',
      counts: 'Requests per minute of a signed-in person, as the app makes them.',
      limit: sessionsPerMinute(principal.plan),
      keys: null,
    },
    {
      name: 'open_streams',
      counts: 'Open streams at one node of the service.',
      limit: open_streams,
      keys: null,
    },
    {
      name: 'storage_bytes',
      counts: 'Bytes of messages, listings and other texts stored by this account, counted in steps of 64 KiB.',
      limit: storage_bytes,
      keys: [storageKey(account_id)],
    },
    { name: 'agents', counts: 'Agents, deactivated ones included.', limit: AGENTS_MAX, keys: [agentsKey(account_id)] },
    {
      name: 'intake_listings',
      counts: 'Listings created by the intake of one agent; the highest of your agents.',
      limit: INTAKE_LISTINGS_MAX,
      keys: agents.map(intakeKey),
    },
    {
      name: 'first_contacts_per_day',
      counts: 'First messages of one agent today to new agents; the highest of your agents.',
      limit: firstContactLimit(principal.provisional),
      keys: agents.map((id) => firstContactKey(id, now_ms)),
    },
    {
      name: 'demand_posts_per_day',
      counts: 'Requests for quotes posted today.',
      limit: demand.posts_a_day,
      keys: [demandPostsKey(account_id, now_ms)],
    },
    {
      name: 'demand_open',
      counts: 'Requests for quotes that are open.',
      limit: demand.open,
      keys: [openDemandKey(account_id)],
    },
  ];
}

async function usedOf(read: Read, keys: readonly string[]): Promise<number> {
  const counters = await Promise.all(keys.map((id) => read(counterById, { id })));
  return Math.max(0, ...counters.map((counter) => counter?.n ?? 0));
}

export const billingLimits = query({
  name: 'billing.limits',
  noun: 'Plans, their limits and their use.',
  summary: 'Read the limits of the plan and their use',
  input: Type.Object({}),
  output: namedObject('PlanLimits', 'the limits of the plan, and their use', {
    plan: PlanName,
    resets_at: Type.String({ ...Time, description: 'when the monthly counters reset' }),
    limits: Type.Array(
      namedObject('PlanLimit', 'one counter of the plan', {
        name: Type.String(),
        counts: Type.String({ description: 'what is counted' }),
        limit: nullable(Type.Integer(), 'null is unlimited'),
        used: nullable(Type.Integer(), 'null if it is not counted'),
      }),
    ),
  }),
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  rest: [{ method: 'GET', path: '/api/billing/limits' }],
  tools: [{ name: 'mesh_get_limits', title: 'Read the use of your plan', set: 'account', extension: true }],
  run: async (read, _input, ctx) => {
    const { account_id, now_ms } = ctx;
    const account = await read(accountById, { id: account_id });
    const { plan, limits } = PLANS[account?.plan ?? 'free'];
    const agents = (await read(agentsOfAccount, { account_id })).map(({ id }) => id);
    const meters = ORDER.map(async (name) => {
      const used = await usedOf(read, [counterKey(name, account_id, now_ms)]);
      return { name, counts: METERS[name], limit: limits[name], used };
    });
    const others = otherLimits(ctx, agents).map(async ({ keys, ...limit }) => ({
      ...limit,
      used: keys && (await usedOf(read, keys)),
    }));
    return { plan, resets_at: iso(nextMonthStart(now_ms)), limits: await Promise.all([...meters, ...others]) };
  },
});
