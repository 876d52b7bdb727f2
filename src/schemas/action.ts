// Actions on the wire: calls of a program beyond the bounds of its agent. Only the agent's own side reads them; the operation's
// answer may hold words of another party.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import type { PlanName } from '../domain/identity/plan.ts';
import { type Proceeds, proceedsOfWhole } from '../domain/money/fee.ts';
import { actionStatus, PERFORMABLE, type Performable } from '../domain/negotiation/action.ts';
import { textsWithin } from './authored.ts';
import { named, namedObject } from './named.ts';
import { Cents, Id, iso, isoOrNull, NullableTime, nullable, Time } from './wire.ts';

const ActionResult = textsWithin(Type.Unknown({ description: "the answer of the operation's own route" }));

export const ActionShape = namedObject('Action', 'a request of a program outside the bounds of its agent', {
  id: Id,
  operation: named(
    'ActionOperation',
    Type.Enum([...PERFORMABLE], { description: 'the operation that approval performs' }),
  ),
  input: Type.Record(Type.String(), Type.Unknown(), { description: 'the input of the operation' }),
  amount_cents: Cents,
  fee_cents: nullable(Cents, 'the fee in it; null if there is none, or the payee is not known yet'),
  net_cents: nullable(Cents, 'what the payee would get'),
  to_handle: nullable(Type.String(), 'the payee, or the charged agent; null for a routed call or a deleted agent'),
  bound: named(
    'ActionBound',
    Type.Enum(['max_pay_cents', 'max_pay_per_day_cents', 'min_charge_cents', 'policy'], {
      description: 'the bound that it exceeds; policy if it exceeds none and a policy asks',
    }),
  ),
  bound_cents: nullable(Cents, 'null for a policy'),
  on_timeout: Type.Enum(['refuse', 'allow'], {
    description:
      'the default without an answer until expires_at: nothing, or, within the bounds, the request is performed',
  }),
  status: named('ActionStatus', Type.Enum(['pending', 'approved', 'rejected', 'expired', 'failed', 'withdrawn'])),
  result: ActionResult,
  asked_by: nullable(Id, 'the key of the request'),
  expires_at: Time,
  decided_at: NullableTime,
  created_at: Time,
});

/** An action as its own side reads it. */
export type ActionView = Static<typeof ActionShape>;

/** The counterparty, as far as it is known, and the plan of the agent's own account. */
interface ActionSides {
  readonly payee: { readonly handle: string; readonly plan: PlanName } | null;
  readonly own_plan: PlanName;
}

/** What the seller would get; for a quote the agent itself is the seller. */
function proceedsOfAction(
  { operation, amount_cents, input }: Row<'actions'>,
  { payee, own_plan }: ActionSides,
): Proceeds | { readonly fee_cents: null; readonly net_cents: null } {
  const seller_plan = operation === 'demand.quote' ? own_plan : payee?.plan;
  if (seller_plan === undefined || operation === 'wallet.send') return { fee_cents: null, net_cents: null };
  const { milestones } = input;
  const parts = Array.isArray(milestones) ? (milestones as readonly { readonly amount_cents: number }[]) : [];
  return proceedsOfWhole(amount_cents, parts, seller_plan);
}

export function actionView(row: Row<'actions'>, sides: ActionSides, now_ms: number): ActionView {
  return {
    id: row.id,
    // Only operations write it, each with its own name.
    operation: row.operation as Performable,
    input: row.input,
    amount_cents: row.amount_cents,
    ...proceedsOfAction(row, sides),
    to_handle: sides.payee?.handle ?? null,
    bound: row.bound,
    bound_cents: row.bound === 'policy' ? null : row.bound_cents,
    on_timeout: row.on_timeout ?? 'refuse',
    status: actionStatus(row, now_ms),
    result: row.result,
    asked_by: row.asked_by,
    expires_at: iso(row.respond_by),
    decided_at: isoOrNull(row.decided_at),
    created_at: iso(row.created_at),
  };
}

export const DecidedAction = namedObject('DecidedAction', 'the result of a decision', {
  action: ActionShape,
  result: ActionResult,
});
