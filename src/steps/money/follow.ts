// Polls the payment processor about open objects, such as a plan's payments: by reminders with growing pauses, besides its
// webhooks.
import { Type } from 'typebox';
import { type Effect, patch, type RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { fault } from '../../domain/fault.ts';
import { post } from '../../domain/money/ledger.ts';
import { planOfTerm, type TermStatus } from '../../domain/money/plan-term.ts';
import { dayOf } from '../../domain/text/day.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Processor } from '../../outbound/processor/processor.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

/** The call that reconciles a day (UTC), `again` when it is repeated. */
export const RECONCILE = {
  name: 'processor.reconcile',
  input: Type.Object({
    day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    again: Type.Optional(Type.Literal(true)),
  }),
} as const;

/** After midnight, so that what was under way is there. */
const SETTLED_MS = 5_400_000;

/** The comparison of the day in which an instant lies; of a processor that keeps books. The same again changes nothing. */
export function reconcileLater({ books }: Pick<Processor, 'books'>, at_ms: number): RemindEffect[] {
  if (books === null) return [];
  const day = dayOf(at_ms);
  return [remind(RECONCILE, { day }, { at: Date.parse(day) + DAY_MS + SETTLED_MS, key: day, now_ms: at_ms })];
}

/** The call that asks the processor what became of a funding. */
export const FOLLOW_FUNDING = { name: 'funding.follow', input: Type.Object({ funding_id: Id }) } as const;

export function followFundingLater(
  { id, created_at, processor, status }: Pick<Row<'fundings'>, 'id' | 'created_at' | 'processor' | 'status'>,
  now_ms: number,
): RemindEffect {
  const at = now_ms + pauseAfter({ created_at, processor, open: status === 'pending' }, now_ms);
  return remind(FOLLOW_FUNDING, { funding_id: id }, { at, key: id, now_ms });
}

const Count = Type.Optional(Type.Integer({ minimum: 0 }));

/** `looks` polls in a row gave nothing new; `doubts` of them gave no answer. */
export const FOLLOW_PAYOUT = {
  name: 'payout.follow',
  input: Type.Object({ payout_id: Id, looks: Count, doubts: Count }),
} as const;

export function followAt(
  at: number,
  look: { readonly payout_id: string; readonly looks?: number; readonly doubts?: number },
  now_ms: number,
): RemindEffect {
  return remind(FOLLOW_PAYOUT, look, { at, key: look.payout_id, now_ms });
}

/** Most people decide at once or not at all. */
const FIRST_MS = 600_000;

const LONGEST_MS = 21_600_000;

interface Asked {
  readonly created_at: number;
  readonly processor: string;
  /** A person may still decide there. */
  readonly open: boolean;
}

/** The time since the beginning, within bounds. Webhooks may be lost, so an open page of a processor is polled every ten minutes;
 * the sandbox's pages need no poll. */
function pauseAfter({ created_at, processor, open }: Asked, now_ms: number): number {
  const longest = open && processor !== 'sandbox' ? FIRST_MS : LONGEST_MS;
  return Math.min(Math.max(now_ms - created_at, FIRST_MS), longest);
}

/** The call that polls chargebacks and refunds of a funding. */
export const FOLLOW_TAKEN_BACK = { name: 'chargeback.follow', input: Type.Object({ funding_id: Id }) } as const;

export function takenJournal(external_id: string): string {
  return `chargeback:${external_id}`;
}

/** The call that asks the processor what became of a plan's checkout. */
export const FOLLOW_PLAN = { name: 'plan.follow', input: Type.Object({ checkout_id: Id }) } as const;

/** The call that asks it whether a plan was renewed. */
export const RENEW_PLAN = { name: 'plan.renew', input: Type.Object({ account_id: Id }) } as const;

export function followPlanLater(
  { id, created_at, processor }: Pick<Row<'plan_checkouts'>, 'id' | 'created_at' | 'processor'>,
  now_ms: number,
): RemindEffect {
  const at = now_ms + pauseAfter({ created_at, processor, open: true }, now_ms);
  return remind(FOLLOW_PLAN, { checkout_id: id }, { at, key: id, now_ms });
}

export function renewPlanAt(account_id: string, at: number, now_ms: number): RemindEffect {
  return remind(RENEW_PLAN, { account_id }, { at, key: account_id, now_ms });
}

/** An account with the plan that it bought. */
export interface Bought {
  readonly account: Row<'accounts'> | null;
  readonly term: Row<'plan_terms'> | null;
}

/** A month that was paid, which is the platform's: the first of a checkout, or a later one by its name. */
export function planPaid(
  ctx: Ctx,
  { id, account_id, price_cents: amount_cents }: Row<'plan_checkouts'>,
  month?: string,
): Effect<'conflict'> {
  const name = month === undefined ? id : `${account_id}:${month}`;
  const journal = { id: `plan:${name}`, kind: 'plan', subject_id: id, created_at: ctx.now_ms };
  const leg = { debit: 'processor', credit: 'platform_fees', amount_cents } as const;
  return post(journal, [leg], 'again', { same: 'exists', other: fault('conflict') });
}

/** The account's plan follows the state of what it bought. */
export function accountFollows(account: Row<'accounts'> | null, status: TermStatus): Effect<never>[] {
  const plan = planOfTerm(status);
  return account && account.plan !== plan ? [patch('accounts', account, { plan })] : [];
}
