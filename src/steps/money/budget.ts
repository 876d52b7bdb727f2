// What is read before a payment: what the wallet and its keys have spent and what its person was asked lately. And the budget of a
// key as a person reads it: recipients by handle; they are stored by agent id, so that a renamed handle never means another agent.
import type { Static } from 'typebox';
import { actionsOpen, actionsRefused } from '../../../db/queries/action.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { counterById } from '../../../db/queries/turn.ts';
import { payerById } from '../../../db/queries/wallet.ts';
import type { BudgetColumn } from '../../../db/schema/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { type Fault, invalid } from '../../domain/fault.ts';
import { idAt } from '../../domain/id-time.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { ACTION_MS, ACTIONS_OPEN_MAX, REFUSED_MS } from '../../domain/negotiation/action.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Budget, BudgetInput } from '../../schemas/key.ts';
import { askedKey, type Escalated, escalationsKey, NOT_ESCALATED } from './escalate.ts';
import { budgetDayKey, budgetKey, paidByKeys, type SpendState } from './spend.ts';

/** The budget to store, or a 400 that names each unknown recipient; `found` has the agents by the given handles. `id` names its
 * counters. */
export function budgetOf(
  id: string,
  given: Static<typeof BudgetInput>,
  found: ReadonlyMap<string, Pick<Row<'agents'>, 'id'> | null>,
): BudgetColumn | Fault<'invalid_request'> {
  const {
    per_call_cents = null,
    per_day_cents = null,
    total_cents = null,
    recipients = null,
    capabilities = null,
  } = given;
  const missing = (recipients ?? []).flatMap((handle, at) =>
    found.get(handle) ? [] : [{ path: `budget.recipients.${at}`, message: 'is the handle of no agent' }],
  );
  if (missing.length > 0) return invalid(...missing);
  const ids = recipients?.flatMap((handle) => found.get(handle)?.id ?? []) ?? null;
  return { id, per_call_cents, per_day_cents, total_cents, recipients: ids && [...new Set(ids)], capabilities };
}

/** A budget that was just made, its recipients named as they were given. */
export function newBudgetView(budget: BudgetColumn, recipients: readonly string[] | null): Static<typeof Budget> {
  const { id: _of_counters, capabilities, ...rest } = budget;
  const handles =
    recipients?.map((handle) => parseHandle(handle)).filter((handle) => typeof handle === 'string') ?? null;
  return {
    ...rest,
    recipients: handles && [...new Set(handles)],
    capabilities: capabilities && [...capabilities],
    spent_today_cents: 0,
    spent_total_cents: 0,
  };
}

/** A budget with what was spent of it. */
export async function budgetView(
  read: Read['peek'],
  budget: BudgetColumn | null,
  now_ms: number,
): Promise<Static<typeof Budget> | null> {
  if (budget === null) return null;
  const { id, per_call_cents, per_day_cents, total_cents, recipients, capabilities } = budget;
  const [today, total, agents] = await Promise.all([
    read(counterById, { id: budgetDayKey(id, now_ms) }),
    read(counterById, { id: budgetKey(id) }),
    Promise.all((recipients ?? []).map((agent_id) => read(agentById, { id: agent_id }))),
  ]);
  return {
    per_call_cents,
    per_day_cents,
    total_cents,
    recipients: recipients && agents.flatMap((agent) => agent?.handle ?? []),
    capabilities: capabilities && [...capabilities],
    spent_today_cents: today?.n ?? 0,
    spent_total_cents: total?.n ?? 0,
  };
}

/** The latest refusals that are compared; an older one is asked again. */
const REFUSED_LOOKED_AT = 100;

/** Reads it for an agent that has bounds. */
async function readEscalated(read: Read, agent_id: string, now_ms: number): Promise<Escalated> {
  const limit = ACTIONS_OPEN_MAX;
  // Older actions no longer wait, and older still cannot have been refused within a day; a timeout may run a day late.
  const [open_from, refused_from] = [0, REFUSED_MS].map((ms) => idAt(now_ms - ACTION_MS - ms - DAY_MS));
  // The counter is read before the rows, so that an action that another node adds meanwhile is counted and not missed.
  const asked = await read.peek(counterById, { id: askedKey(agent_id) });
  const [counter, waiting, refused] = await Promise.all([
    read.peek(counterById, { id: escalationsKey(agent_id, now_ms) }),
    read.peek(actionsOpen, { agent_id, behind: open_from, now_ms, limit }),
    read.peek(actionsRefused, { agent_id, behind: refused_from, since: now_ms - REFUSED_MS, limit: REFUSED_LOOKED_AT }),
  ]);
  return { escalated: counter?.n ?? 0, waiting, refused, asked: asked?.n ?? 0 };
}

/** Reads it for a turn of the agent's. */
export async function readSpending(read: Read, agent_id: string, now_ms: number): Promise<SpendState> {
  const payer = await read(payerById, { id: agent_id });
  const { max_pay_cents = null, max_pay_per_day_cents: by_day = null, min_charge_cents = null } = payer?.bounds ?? {};
  const bounded = [max_pay_cents, by_day, min_charge_cents].some((cents) => cents !== null);
  const told = bounded || (payer?.bounds.policies ?? []).length > 0;
  return {
    payer,
    paid_by_keys: by_day === null ? 0 : ((await read.peek(counterById, { id: paidByKeys(agent_id, now_ms) }))?.n ?? 0),
    ...(told ? await readEscalated(read, agent_id, now_ms) : NOT_ESCALATED),
  };
}
