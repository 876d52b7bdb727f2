// The state of an account's plan, on the wire.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { GRACE_MS } from '../domain/money/plan-term.ts';
import { PlanName } from './account.ts';
import { namedObject } from './named.ts';
import { iso, NullableTime, nullable, Time } from './wire.ts';

export const BillingStatus = namedObject('BillingStatus', 'the plan of the account', {
  plan: PlanName,
  status: Type.Enum(['active', 'cancelling', 'past_due'], {
    description: 'cancelling: runs until ends_at; past_due: could not be renewed, and ends then unless it is paid',
  }),
  renews_at: NullableTime,
  ends_at: nullable(Time, 'when the account returns to the plan `free`'),
});

/** A plan that was not bought, or that has ended, does not renew. */
export function billingStatusView(plan: 'free' | 'pro', term: Row<'plan_terms'> | null): Static<typeof BillingStatus> {
  if (!term || term.status === 'ended' || plan === 'free') {
    return { plan, status: 'active', renews_at: null, ends_at: null };
  }
  const { status, renews_at, past_due_at } = term;
  if (status === 'cancelling') return { plan, status, renews_at: null, ends_at: iso(renews_at) };
  if (status === 'active') return { plan, status, renews_at: iso(renews_at), ends_at: null };
  return { plan, status, renews_at: null, ends_at: iso((past_due_at ?? renews_at) + GRACE_MS) };
}
