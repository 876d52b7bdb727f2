// The budget of a key as a person says and reads it: recipients by their handles, which are stored by their agents' ids, so that a
// rename takes nobody's place. Its counters are those that every payment by the key passes (spend.ts).
import type { Static } from 'typebox';
import { agentById } from '../../../db/queries/agent.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { BudgetColumn } from '../../../db/schema/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { type Fault, invalid } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import type { Budget, BudgetInput } from '../../schemas/key.ts';
import { budgetDayKey, budgetKey } from './spend.ts';

/** The budget to store, or a 400 that names each recipient who is not there; `found` has the agents by the handles as they were given.
 * `id` names its counters. */
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
