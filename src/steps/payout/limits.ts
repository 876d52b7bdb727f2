// Counters of an account's withdrawals: the sums that limit withdrawals without a stronger proof, and payouts in doubt.
import { count, type Effect } from '../../../db/effects.ts';
import { fault } from '../../domain/fault.ts';
import { PROOF_FREE_CENTS, withdrawalWindows } from '../../domain/money/payout.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;
const HOW = 'Prove a phone number, a domain, an identity, or connect a payout account; then ask again.';

type Counted = Effect<'stronger_verification_required'>;

function windowKey(account_id: string, day: string): string {
  return `withdrawn:${account_id}:${day}`;
}

/** Counts a withdrawal in each seven days in which it lies. Without a stronger proof those that end today may not hold too much. */
export function countWithdrawal(
  account_id: string,
  amount_cents: number,
  { proven, now_ms }: { readonly proven: boolean; readonly now_ms: number },
): Counted[] {
  const refusal = fault('stronger_verification_required', undefined, { limit_cents: PROOF_FREE_CENTS, how: HOW });
  return withdrawalWindows(now_ms).map(({ day, ends_at }, ahead) =>
    count(
      windowKey(account_id, day),
      proven || ahead > 0 ? UNLIMITED : PROOF_FREE_CENTS,
      refusal,
      ends_at,
      amount_cents,
    ),
  );
}

/** Gives back what a failed withdrawal had counted, in the windows that still count. */
export function uncountWithdrawal(
  account_id: string,
  { amount_cents, created_at }: { readonly amount_cents: number; readonly created_at: number },
  now_ms: number,
): Counted[] {
  return withdrawalWindows(created_at)
    .filter(({ ends_at }) => ends_at > now_ms)
    .map(({ day, ends_at }) =>
      count(windowKey(account_id, day), UNLIMITED, fault('stronger_verification_required'), ends_at, -amount_cents),
    );
}

function doubts(account_id: string, limit: number, by: number): Effect<'payout_in_doubt'> {
  return count(`payouts_in_doubt:${account_id}`, limit, fault('payout_in_doubt'), null, by);
}

/** Refuses the turn while the outcome of one of the account's payouts is unknown. */
export function noPayoutInDoubt(account_id: string): Effect<'payout_in_doubt'> {
  return doubts(account_id, 0, 0);
}

/** Counts a payout in doubt, up or down. */
export function countDoubt(account_id: string, by: 1 | -1): Effect<'payout_in_doubt'> {
  return doubts(account_id, UNLIMITED, by);
}
