// The life of a payout: money that left a wallet for its person's bank or chain address. It ends where it arrived, or where it is
// back in the wallet, and never in both: only what nobody outside holds any more is given back.
import { DAY_MS, MINUTE_MS } from '../time.ts';

export const PAYOUT_STATES = ['pending', 'submitted', 'finalized', 'failed', 'reversed'] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

/**
 * What happens to it. `submit`: the rail took it, or may have. `finalize`: it arrived. `fail`: it did not, or it was sent back,
 * and the money is still outside. `credit`: nothing of it is outside, and the wallet has it again.
 */
export const PAYOUT_MOVES = ['submit', 'finalize', 'fail', 'credit'] as const;
export type PayoutMove = (typeof PAYOUT_MOVES)[number];

/** A bank may send back what it had taken, so `finalized` is not the last word; `reversed` is. */
const AFTER: Readonly<Record<PayoutState, Readonly<Partial<Record<PayoutMove, PayoutState>>>>> = {
  pending: { submit: 'submitted', fail: 'failed', credit: 'reversed' },
  submitted: { finalize: 'finalized', fail: 'failed', credit: 'reversed' },
  finalized: { fail: 'failed', credit: 'reversed' },
  failed: { credit: 'reversed' },
  reversed: {},
};

/** The state after a move; null where that move is none from there. */
export function payoutAfter(state: PayoutState, move: PayoutMove): PayoutState | null {
  return AFTER[state][move] ?? null;
}

/** Whether a payout still is an obligation of its agent. */
export function isOpenPayout(state: PayoutState): boolean {
  return state !== 'finalized' && state !== 'reversed';
}

/** The least that is paid out, by either rail (Q127). */
export const PAYOUT_MIN_CENTS = 1_000;
/** Above this, at once or within seven days, a withdrawal takes a stronger proof (Q13). */
export const PROOF_FREE_CENTS = 50_000;
/** The credentials that are such a proof. */
const STRONGER: ReadonlySet<string> = new Set(['phone', 'domain', 'stripe', 'identity']);

/** Whether one of an agent's credentials is a stronger proof. */
export function hasStrongerProof(credentials: readonly string[]): boolean {
  return credentials.some((credential) => STRONGER.has(credential));
}

/** Seven times 24 hours touch eight days of the calendar. */
const WINDOW_DAYS = 8;

/** The windows of days in which a withdrawal lies, by the day on which each ends; that of its own day comes first. A sum is kept
 * for each, so that a limit of seven days is one guarded counter. It spans up to a day more, never less. */
export function withdrawalWindows(at_ms: number): readonly { readonly day: string; readonly ends_at: number }[] {
  const today = Math.floor(at_ms / DAY_MS);
  return Array.from({ length: WINDOW_DAYS }, (_, ahead) => ({
    day: new Date((today + ahead) * DAY_MS).toISOString().slice(0, 10),
    ends_at: (today + ahead + 1) * DAY_MS,
  }));
}

/** How processors know an account's connection: by the account's id, and by its number from the second on. So nothing that belongs to one
 * that was ended is found for the next. */
export function connectionName({ id, n }: { readonly id: string; readonly n: number }): string {
  return n === 0 ? id : `${id}.${n}`;
}

export function accountOfConnection(name: string): string {
  return name.split('.', 1)[0] ?? name;
}

const LOOK_MAX_MS = 3 * 60 * MINUTE_MS;

/** How long to wait before the next look at a payout that has been looked at so many times without any news. */
export function payoutPause(looks: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(looks, 20), LOOK_MAX_MS);
}

/** After so many looks without a word about what became of it (half an hour), a person has to look. */
export const DOUBTS_MAX = 5;
/** For so long a bank may still send back what it has taken. */
export const RETURNED_WITHIN_MS = 10 * DAY_MS;
/** How often such a payout is looked at, should the word of it be lost. */
export const RETURNED_LOOK_MS = DAY_MS;
