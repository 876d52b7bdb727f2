// A person creates a key for one of their programs. Only such keys may spend, and only on a plan that includes it (rules.md 3);
// the scopes can be narrowed to what the program needs.

import { Type } from 'typebox';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { givesScope, PLANS, type PlanName } from '../../domain/identity/plan.ts';
import { isScope, SCOPES, type Scope, SIGNUP_SCOPES } from '../../domain/identity/scope.ts';
import { DEFAULT_KEY_LIMIT, isBoundByDefault } from '../../domain/money/key-limit.ts';
import { DAY_MS } from '../../domain/time.ts';
import { BudgetInput, DeveloperKey } from '../../schemas/key.ts';
import { namedObject } from '../../schemas/named.ts';
import { DefaultKeyLimit } from '../../schemas/wallet.ts';
import { HandleInput, iso, visibleText } from '../../schemas/wire.ts';
import { agentsByHandles } from '../../steps/agent/find.ts';
import { mintApiKey } from '../../steps/key.ts';
import { budgetOf, newBudgetView } from '../../steps/money/budget.ts';

/** The longest lifetime of every key (interface.md, Authentication 6). */
const DAYS_MAX = 90;

/** The requested scopes without duplicates, or the fault. */
function scopesFor(
  wanted: readonly string[],
  plan: PlanName,
): readonly Scope[] | Fault<'invalid_request' | 'plan_limit'> {
  const unknown = wanted.flatMap((text, at) =>
    isScope(text) ? [] : [{ path: `scopes.${at}`, message: `is none of ${SCOPES.join(', ')}` }],
  );
  if (unknown.length > 0) return invalid(...unknown);
  const missing = SCOPES.filter((scope) => wanted.includes(scope) && !givesScope(plan, scope));
  if (missing.length > 0) {
    const data = { limit: 0, used: 0, resets_at: null, scopes: missing };
    const helps = missing.every((scope) => givesScope('pro', scope));
    const message = helps
      ? `A key with ${missing.join(' and ')} needs the ${PLANS.pro.name} plan.`
      : 'No plan allows a key all of these.';
    return fault('plan_limit', message, data);
  }
  return SCOPES.filter((scope) => wanted.includes(scope));
}

/** Whether keys of these scopes may spend, within the default limit only. */
function spendsByDefault(scopes: readonly Scope[]): boolean {
  return scopes.includes('router:call') && isBoundByDefault('key', new Set(scopes));
}

export const keyCreate = command({
  name: 'key.create',
  noun: 'API keys: renewal, and keys that developers create for their programs.',
  summary: 'Create a developer key',
  description:
    'The key is shown only once. Without `scopes` it has the scopes of a key from signup; `payments:write`, ' +
    '`export:read` and `analytics:read` need a plan that includes them. With `agent_handle` it acts as that agent only. ' +
    '`budget` limits its spending, in addition to the limits of the wallet; a renewed key continues with the remaining budget.',
  input: namedObject('DeveloperKeyInput', 'the rights of a new API key', {
    name: visibleText(200),
    scopes: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 64 })),
    agent_handle: Type.Optional(HandleInput),
    budget: Type.Optional(BudgetInput),
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS_MAX })),
  }),
  output: namedObject('DeveloperKeyWithSecret', 'a new API key for a program', {
    ...DeveloperKey.properties,
    api_key: Type.String({ description: 'shown only once; store it' }),
    default_key_limit: DefaultKeyLimit,
  }),
  example: { name: 'a program', scopes: ['agents:read'], expires_in_days: 30 },
  effect: 'adds',
  access: 'session',
  secret: true,
  status: 'created',
  faults: ['invalid_request', 'plan_limit', 'not_found'],
  rest: [{ method: 'POST', path: '/api/developer/keys' }],
  load: async (read, { budget }, { account_id, now_ms }) => ({
    recipients: await agentsByHandles(read, budget?.recipients ?? [], now_ms),
    account: await read(accountById, { id: account_id }),
    agents: await read(agentsOfAccount, { account_id }),
  }),
  decide: ({ account, agents, recipients }, input, ctx) => {
    const scopes = scopesFor(input.scopes ?? SIGNUP_SCOPES, account?.plan ?? 'free');
    if (isFault(scopes)) return scopes;
    const handle = input.agent_handle === undefined ? null : parseHandle(input.agent_handle, 'agent_handle');
    if (isFault(handle)) return handle;
    const agent = handle === null ? null : agents.find((each) => each.handle === handle);
    if (agent === undefined) return fault('not_found', 'You have no agent with that handle.');
    const budget = input.budget ? budgetOf(ctx.id(), input.budget, recipients) : null;
    if (isFault(budget)) return budget;
    const expires_at = ctx.now_ms + (input.expires_in_days ?? DAYS_MAX) * DAY_MS;
    const owner = { account_id: ctx.account_id, agent_id: agent?.id ?? null };
    const { api_key, row, effects } = mintApiKey(ctx, {
      ...owner,
      name: input.name,
      kind: 'developer',
      scopes,
      expires_at,
      budget,
    });
    return {
      reply: {
        id: row.id,
        kind: 'developer' as const,
        name: input.name,
        prefix: row.prefix,
        scopes: [...scopes],
        agent_handle: handle,
        created_at: iso(ctx.now_ms),
        last_used_at: null,
        expires_at: iso(expires_at),
        budget: budget && newBudgetView(budget, input.budget?.recipients ?? null),
        api_key,
        default_key_limit: spendsByDefault(scopes) ? DEFAULT_KEY_LIMIT : null,
      },
      effects,
    };
  },
});
