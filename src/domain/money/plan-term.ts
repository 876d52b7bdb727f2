// The states of a plan that renews (rules.md 8). Bought it is active; cancelled it stays until its paid time ends; unpaid it is
// past due for seven days, and then over. What may happen in which state stands in one table, every cell of it.
import { DAY_MS } from '../time.ts';

export type TermStatus = 'active' | 'cancelling' | 'past_due' | 'ended';

/** What happens to a plan: it is bought, its person cancels, the processor renews it, says that it was not paid, or ended it; its
 * time or its grace runs out. */
export type TermEvent = 'bought' | 'cancelled' | 'renewed' | 'unpaid' | 'stopped' | 'run_out';

/** For so long a plan that could not be renewed goes on. */
export const GRACE_MS = 7 * DAY_MS;

/** The next state; null for what changes nothing there. `none` is an account that never bought one. */
export const TERM_TABLE: Readonly<Record<TermStatus | 'none', Readonly<Record<TermEvent, TermStatus | null>>>> = {
  none: { bought: 'active', cancelled: null, renewed: null, unpaid: null, stopped: null, run_out: null },
  active: {
    // Paid twice: the first goes on.
    bought: null,
    cancelled: 'cancelling',
    renewed: 'active',
    unpaid: 'past_due',
    stopped: 'ended',
    // What the processor says of the next period is waited for.
    run_out: null,
  },
  cancelling: {
    bought: null,
    cancelled: null,
    // A renewal that was under way when it was cancelled.
    renewed: null,
    unpaid: 'ended',
    stopped: 'ended',
    run_out: 'ended',
  },
  past_due: {
    bought: null,
    // Its paid time is over already.
    cancelled: 'ended',
    renewed: 'active',
    unpaid: null,
    stopped: 'ended',
    run_out: 'ended',
  },
  ended: { bought: 'active', cancelled: null, renewed: null, unpaid: null, stopped: null, run_out: null },
};

/** The state after an event; null where it changes nothing. */
export function afterTermEvent(status: TermStatus | 'none', event: TermEvent): TermStatus | null {
  return TERM_TABLE[status][event];
}

/** The plan that a state stands for. */
export function planOfTerm(status: TermStatus): 'free' | 'pro' {
  return status === 'ended' ? 'free' : 'pro';
}

/** The months that were paid between two renewals, as `2026-07`: a period begins in each but the last. */
export function periodsBetween(from_ms: number, to_ms: number): readonly string[] {
  const months: string[] = [];
  const [from, to] = [new Date(from_ms), new Date(to_ms)];
  const last = Date.UTC(to.getUTCFullYear(), to.getUTCMonth());
  for (let at = 0; ; at += 1) {
    const month = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + at);
    if (month >= last) return months;
    months.push(new Date(month).toISOString().slice(0, 7));
  }
}
