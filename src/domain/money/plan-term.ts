// The states of a renewing plan (rules.md 8). A bought plan is active; a cancelled one stays until its paid period ends; an unpaid one is
// past due for seven days, then ended. One table defines every event in every state.
import { DAY_MS } from '../time.ts';

export type TermStatus = 'active' | 'cancelling' | 'past_due' | 'ended';

/** The events: the plan is bought, its person cancels, the processor renews it, reports it unpaid, or ended it; its period or its
 * grace period runs out. */
export type TermEvent = 'bought' | 'cancelled' | 'renewed' | 'unpaid' | 'stopped' | 'run_out';

/** How long an unpaid plan continues. */
export const GRACE_MS = 7 * DAY_MS;

/** The next state; null where the event has no effect. `none` is an account that never bought a plan. */
export const TERM_TABLE: Readonly<Record<TermStatus | 'none', Readonly<Record<TermEvent, TermStatus | null>>>> = {
  none: { bought: 'active', cancelled: null, renewed: null, unpaid: null, stopped: null, run_out: null },
  active: {
    // Paid twice: the first plan continues.
    bought: null,
    cancelled: 'cancelling',
    renewed: 'active',
    unpaid: 'past_due',
    stopped: 'ended',
    // The processor's news about the next period decides.
    run_out: null,
  },
  cancelling: {
    bought: null,
    cancelled: null,
    // A renewal in progress when the plan was cancelled.
    renewed: null,
    unpaid: 'ended',
    stopped: 'ended',
    run_out: 'ended',
  },
  past_due: {
    bought: null,
    // Its paid period is already over.
    cancelled: 'ended',
    renewed: 'active',
    unpaid: null,
    stopped: 'ended',
    run_out: 'ended',
  },
  ended: { bought: 'active', cancelled: null, renewed: null, unpaid: null, stopped: null, run_out: null },
};

export function afterTermEvent(status: TermStatus | 'none', event: TermEvent): TermStatus | null {
  return TERM_TABLE[status][event];
}

/** The plan of an account in a state. */
export function planOfTerm(status: TermStatus): 'free' | 'pro' {
  return status === 'ended' ? 'free' : 'pro';
}

/** The paid months between two renewals, such as `2026-07`: a period begins in each but the last. */
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
