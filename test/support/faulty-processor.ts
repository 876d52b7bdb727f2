// The outgoing side of a payment processor that behaves badly: it loses questions before it does what they ask, and answers after; it
// refuses; its bank sends back what it had taken. It remembers by our ids as real ones do, and keeps books of what it did, against
// which a test holds the ledger. The incoming side is the sandbox's.
import type { Called, OutState, Processor } from '../../src/outbound/processor/processor.ts';
import { createSandbox, type SandboxOptions } from '../../src/outbound/processor/sandbox.ts';

export type OutCall = 'transfer' | 'findTransfer' | 'reverseTransfer' | 'payOut' | 'findPayout';
/** `lost`: it never came there. `unanswered`: it was done, and the answer is lost. */
export type Trouble = 'none' | 'lost' | 'unanswered' | 'refused' | 'insufficient';
/** What the bank does with a payout: takes it, refuses it after a day, or sends it back two days after it took it. */
export type BankTemper = 'takes' | 'refuses' | 'returns';

const DAY_MS = 86_400_000;

interface Sent {
  readonly amount_cents: number;
  reversed: boolean;
  paid_out_at: number | null;
}

export interface FaultyOptions {
  trouble(call: OutCall, id: string): Trouble;
  bank(id: string): BankTemper;
}

export interface FaultyProcessor {
  readonly processor: (sandbox: SandboxOptions) => Processor;
  /** What the payee or their bank holds of a payout. */
  outside(id: string): number;
  /** How often transfers were begun, and taken back. */
  readonly counts: { transfers: number; reversals: number; payouts: number };
}

const done = <T>(value: T): Called<T> => ({ outcome: 'done', value });

/** A processor with the troubles that a test asks for. */
export function faultyProcessor({ trouble, bank }: FaultyOptions): FaultyProcessor {
  const sent = new Map<string, Sent>();
  const counts = { transfers: 0, reversals: 0, payouts: 0 };

  async function call<T>(name: OutCall, id: string, work: () => Called<T>): Promise<Called<T>> {
    const which = trouble(name, id);
    if (which === 'lost') return { outcome: 'unknown', reason: 'The connection was lost.' };
    const looks = name === 'findTransfer' || name === 'findPayout';
    if (!looks && (which === 'refused' || which === 'insufficient')) {
      // What was done before is answered as it was done.
      const before = sent.get(id);
      const stands = name === 'transfer' ? before : name === 'payOut' ? before?.paid_out_at != null : before?.reversed;
      if (!stands) return { outcome: 'refused', reason: which };
    }
    const answer = work();
    return which === 'unanswered' ? { outcome: 'unknown', reason: 'The answer was lost.' } : answer;
  }

  const transferState = (id: string, { reversed }: Sent): OutState => ({
    external_id: `tr_${id}`,
    status: reversed ? 'reversed' : 'paid',
    reason: null,
  });

  function payoutState(id: string, at: number, now: number): OutState {
    const temper = bank(id);
    const failed = temper === 'refuses' ? now >= at + DAY_MS : temper === 'returns' && now >= at + 3 * DAY_MS;
    const status = failed ? 'failed' : now >= at + DAY_MS ? 'paid' : 'pending';
    return { external_id: `po_${id}`, status, reason: failed ? 'account_closed' : null };
  }

  const processor = (sandbox: SandboxOptions): Processor => ({
    ...createSandbox(sandbox),
    transfer: ({ id, amount_cents }) =>
      call('transfer', id, () => {
        const known = sent.get(id) ?? { amount_cents, reversed: false, paid_out_at: null };
        if (!sent.has(id)) counts.transfers += 1;
        sent.set(id, known);
        return done(transferState(id, known));
      }),
    findTransfer: ({ id }) =>
      call('findTransfer', id, () => {
        const known = sent.get(id);
        return done(known ? transferState(id, known) : null);
      }),
    reverseTransfer: ({ id }) =>
      call('reverseTransfer', id, () => {
        const known = sent.get(id);
        if (!known) return { outcome: 'refused', reason: 'No such transfer.' };
        const isPaid =
          known.paid_out_at !== null && payoutState(id, known.paid_out_at, sandbox.now()).status !== 'failed';
        if (isPaid) return { outcome: 'refused', reason: 'The payee has spent it.' };
        if (!known.reversed) counts.reversals += 1;
        known.reversed = true;
        return done(transferState(id, known));
      }),
    payOut: ({ id }) =>
      call('payOut', id, () => {
        const known = sent.get(id);
        if (!known || known.reversed) return { outcome: 'refused', reason: 'The payee has no money.' };
        if (known.paid_out_at === null) counts.payouts += 1;
        known.paid_out_at ??= sandbox.now();
        return done(payoutState(id, known.paid_out_at, sandbox.now()));
      }),
    findPayout: ({ id }) =>
      call('findPayout', id, () => {
        const at = sent.get(id)?.paid_out_at ?? null;
        return done(at === null ? null : payoutState(id, at, sandbox.now()));
      }),
  });

  return {
    processor,
    counts,
    outside: (id) => {
      const known = sent.get(id);
      return known && !known.reversed ? known.amount_cents : 0;
    },
  };
}
