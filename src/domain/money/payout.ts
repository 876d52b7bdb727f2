// The states of a payout: money from a wallet to its person's bank or chain address. It ends arrived or back in the wallet, never
// both: it is credited back only when no outside party holds it any more.
import { dayOf } from '../text/day.ts';
import { DAY_MS, MINUTE_MS } from '../time.ts';

export const PAYOUT_STATES = ['pending', 'submitted', 'finalized', 'failed', 'reversed'] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

/**
 * The moves. `submit`: the rail accepted it, or may have. `finalize`: it arrived. `fail`: it did not, or it was returned, and the
 * money is still outside. `credit`: nothing of it is outside, and the wallet has it again.
 */
export const PAYOUT_MOVES = ['submit', 'finalize', 'fail', 'credit'] as const;
export type PayoutMove = (typeof PAYOUT_MOVES)[number];

/** A bank may return a payout, so `finalized` is not final; `reversed` is. */
const AFTER: Readonly<Record<PayoutState, Readonly<Partial<Record<PayoutMove, PayoutState>>>>> = {
  pending: { submit: 'submitted', fail: 'failed', credit: 'reversed' },
  submitted: { finalize: 'finalized', fail: 'failed', credit: 'reversed' },
  finalized: { fail: 'failed', credit: 'reversed' },
  failed: { credit: 'reversed' },
  reversed: {},
};

/** The state after a move; null where the state does not allow it. */
export function payoutAfter(state: PayoutState, move: PayoutMove): PayoutState | null {
  return AFTER[state][move] ?? null;
}

/** Whether a payout is still an open obligation of its agent. */
export function isOpenPayout(state: PayoutState): boolean {
  return state !== 'finalized' && state !== 'reversed';
}

/** The smallest payout, by either rail (Q127). */
export const PAYOUT_MIN_CENTS = 1_000;
/** Above this, at once or within seven days, a withdrawal requires a stronger proof (Q13). */
export const PROOF_FREE_CENTS = 50_000;
/** The credentials that count as a stronger proof. */
const STRONGER: ReadonlySet<string> = new Set(['phone', 'domain', 'stripe', 'identity']);

/** Whether one of an agent's credentials is a stronger proof. */
export function hasStrongerProof(credentials: readonly string[]): boolean {
  return credentials.some((credential) => STRONGER.has(credential));
}

/** Seven times 24 hours touch eight calendar days. */
const WINDOW_DAYS = 8;

/** The windows that contain a withdrawal, by their last day, the one of its own day first. A sum is kept for each, so that
 * the limit of seven days is one guarded counter. A window spans up to a day more, never less. */
export function withdrawalWindows(at_ms: number): readonly { readonly day: string; readonly ends_at: number }[] {
  const today = Math.floor(at_ms / DAY_MS);
  return Array.from({ length: WINDOW_DAYS }, (_, ahead) => ({
    day: dayOf((today + ahead) * DAY_MS),
    ends_at: (today + ahead + 1) * DAY_MS,
  }));
}

/** The name of an account's connection at the processor: the account's id, with a number from the second connection on, so that objects
 * of an ended connection are not found for the next. */
export function connectionName({ id, n }: { readonly id: string; readonly n: number }): string {
  return n === 0 ? id : `${id}.${n}`;
}

export function accountOfConnection(name: string): string {
  return name.split('.', 1)[0] ?? name;
}

const LOOK_MAX_MS = 3 * 60 * MINUTE_MS;

/** The pause before the next check of a payout, after so many checks without news. */
export function payoutPause(looks: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(looks, 20), LOOK_MAX_MS);
}

/** After so many checks with an unknown outcome (half an hour), a person has to act. */
export const DOUBTS_MAX = 5;
/** How long a bank may still return a payout. */
export const RETURNED_WITHIN_MS = 10 * DAY_MS;
/** How often such a payout is checked, in case the processor's hint is lost. */
export const RETURNED_LOOK_MS = DAY_MS;
