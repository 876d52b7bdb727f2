// Where the processor says something else of a payment than our row does: nothing is posted, and administrators are asked to
// look (rules.md 8).
import { type Effect, insert } from '../../../db/effects.ts';
import type { Ctx } from '../../contract/context.ts';

interface Payment {
  readonly amount_cents: number;
  readonly currency: string;
  readonly livemode: boolean;
}

function words({ amount_cents, currency, livemode }: Payment): string {
  return `${amount_cents} cents of ${currency}${livemode ? '' : ', not real'}`;
}

/** How two accounts of one payment differ, in words; null where they do not. */
export function disagreement(ours: Payment, theirs: Payment): string | null {
  const [asked, paid] = [words(ours), words(theirs)];
  return asked === paid ? null : `expected ${asked}; the processor has ${paid}`;
}

/** Opens a review of it. The id is that of what was paid for, so that there is one of each. */
export function reviewPayment(
  ctx: Ctx,
  { id, agent_id }: { readonly id: string; readonly agent_id: string },
  reason: string,
  text: string,
): Effect<never> {
  const undecided = { reporter_id: null, status: 'open' as const, decided_by: null, decided_at: null };
  const about = { id, kind: 'payment' as const, agent_id, listing_id: null, reason, text };
  return insert('reviews', { ...about, ...undecided, created_at: ctx.now_ms, version: 1 }, 'ignore');
}
