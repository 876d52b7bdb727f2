// A plan that renews, as rows: what every change of it does to the account's plan, to the ledger and to its reminder.
import { Type } from 'typebox';
import { type Effect, patch, type RemindEffect } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { planTermsById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { fault } from '../../domain/fault.ts';
import { PLANS } from '../../domain/identity/plan.ts';
import { post } from '../../domain/money/ledger.ts';
import { planOfTerm, type TermStatus } from '../../domain/money/plan-term.ts';
import { Id } from '../../schemas/wire.ts';
import { pauseAfter } from '../money/follow.ts';
import { remind } from '../reminder.ts';

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

export async function readTerm(read: Read, account_id: string): Promise<Bought> {
  const [account, term] = await Promise.all([
    read(accountById, { id: account_id }),
    read(planTermsById, { id: account_id }),
  ]);
  return { account, term };
}

/** A month that was paid, which is the platform's. */
export function planPaid(ctx: Ctx, id: string, subject_id: string): Effect<'conflict'> {
  const journal = { id: `plan:${id}`, kind: 'plan', subject_id, created_at: ctx.now_ms };
  const leg = { debit: 'processor', credit: 'platform_fees', amount_cents: PLANS.pro.price_cents } as const;
  return post(journal, [leg], 'again', { same: 'exists', other: fault('conflict') });
}

/** The account's plan follows the state of what it bought. */
export function accountFollows(account: Row<'accounts'> | null, status: TermStatus): Effect<never>[] {
  const plan = planOfTerm(status);
  return account && account.plan !== plan ? [patch('accounts', account, { plan })] : [];
}
