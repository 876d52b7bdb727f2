// The outgoing side of a payment processor that behaves badly: it loses questions before it does what they ask, and answers after; it
// refuses; its bank sends back what it had taken. It remembers by our ids as real ones do, and keeps books of what it did, against
// which a test holds the ledger. The incoming side is the sandbox's.
import { DAY_MS } from '../../src/domain/time.ts';
import type { Called, OutState, Processor, TakenBack } from '../../src/outbound/processor/processor.ts';
import { createSandbox, type SandboxOptions } from '../../src/outbound/processor/sandbox.ts';

export type OutCall = 'transfer' | 'findTransfer' | 'reverseTransfer' | 'payOut' | 'findPayout';
/** `lost`: it never came there. `unanswered`: it was done, and the answer is lost. */
export type Trouble = 'none' | 'lost' | 'unanswered' | 'refused' | 'insufficient';
/** What the bank does with a payout: takes it, refuses it after a day, or sends it back two days after it took it. */
export type BankTemper = 'takes' | 'refuses' | 'returns';

interface Sent {
  readonly amount_cents: number;
  reversed: boolean;
  paid_out_at: number | null;
}

export interface FaultyOptions {
  trouble(call: OutCall, id: string): Trouble;
  bank(id: string): BankTemper;
  /** What was taken back of a payment; nothing unless said. */
  takenBack?(payment_id: string): readonly TakenBack[];
}

export interface FaultyProcessor {
  readonly processor: (sandbox: SandboxOptions) => Processor;
  /** What the payee or their bank holds of a payout. */
  outside(id: string): number;
  /** How often transfers were begun, and taken back. */
  readonly counts: { transfers: number; reversals: number; payouts: number };
}

const done = <T>(value: T): Called<T> => ({ outcome: 'done', value });

class FaultyBank {
  readonly counts = { transfers: 0, reversals: 0, payouts: 0 };
  readonly sent = new Map<string, Sent>();
  readonly #options: FaultyOptions;
  #now: () => number = Date.now;

  constructor(options: FaultyOptions) {
    this.#options = options;
  }

  async #call<T>(name: OutCall, id: string, work: () => Called<T>): Promise<Called<T>> {
    const which = this.#options.trouble(name, id);
    if (which === 'lost') return { outcome: 'unknown', reason: 'The connection was lost.' };
    const isLook = name === 'findTransfer' || name === 'findPayout';
    const isRefused = which === 'refused' || which === 'insufficient';
    // What was done before is answered as it was done.
    if (isRefused && !isLook && !this.#wasDone(name, id)) return { outcome: 'refused', reason: which };
    const answer = work();
    return which === 'unanswered' ? { outcome: 'unknown', reason: 'The answer was lost.' } : answer;
  }

  #wasDone(name: OutCall, id: string): boolean {
    const known = this.sent.get(id);
    if (!known) return false;
    if (name === 'payOut') return known.paid_out_at !== null;
    return name === 'transfer' || known.reversed;
  }

  #transferState(id: string, { reversed }: Sent): OutState {
    return { external_id: `tr_${id}`, status: reversed ? 'reversed' : 'paid', reason: null };
  }

  #payoutState(id: string, at: number): OutState {
    const temper = this.#options.bank(id);
    const failed_at = temper === 'refuses' ? at + DAY_MS : temper === 'returns' ? at + 3 * DAY_MS : null;
    const failed = failed_at !== null && this.#now() >= failed_at;
    const status = failed ? 'failed' : this.#now() >= at + DAY_MS ? 'paid' : 'pending';
    return { external_id: `po_${id}`, status, reason: failed ? 'account_closed' : null };
  }

  #transfer(id: string, amount_cents: number): Called<OutState> {
    const known = this.sent.get(id) ?? { amount_cents, reversed: false, paid_out_at: null };
    if (!this.sent.has(id)) this.counts.transfers += 1;
    this.sent.set(id, known);
    return done(this.#transferState(id, known));
  }

  #reverse(id: string): Called<OutState> {
    const known = this.sent.get(id);
    if (!known) return { outcome: 'refused', reason: 'No such transfer.' };
    const isPaid = known.paid_out_at !== null && this.#payoutState(id, known.paid_out_at).status !== 'failed';
    if (isPaid) return { outcome: 'refused', reason: 'The payee has spent it.' };
    if (!known.reversed) this.counts.reversals += 1;
    known.reversed = true;
    return done(this.#transferState(id, known));
  }

  #payOut(id: string): Called<OutState> {
    const known = this.sent.get(id);
    if (!known || known.reversed) return { outcome: 'refused', reason: 'The payee has no money.' };
    if (known.paid_out_at === null) this.counts.payouts += 1;
    known.paid_out_at ??= this.#now();
    return done(this.#payoutState(id, known.paid_out_at));
  }

  open(sandbox: SandboxOptions): Processor {
    this.#now = sandbox.now;
    return {
      ...createSandbox(sandbox),
      transfer: ({ id, amount_cents }) => this.#call('transfer', id, () => this.#transfer(id, amount_cents)),
      findTransfer: ({ id }) =>
        this.#call('findTransfer', id, () => {
          const known = this.sent.get(id);
          return done(known ? this.#transferState(id, known) : null);
        }),
      reverseTransfer: ({ id }) => this.#call('reverseTransfer', id, () => this.#reverse(id)),
      payOut: ({ id }) => this.#call('payOut', id, () => this.#payOut(id)),
      findPayout: ({ id }) =>
        this.#call('findPayout', id, () => {
          const at = this.sent.get(id)?.paid_out_at ?? null;
          return done(at === null ? null : this.#payoutState(id, at));
        }),
      takenBack: async (payment_id) => done((this.#options.takenBack ?? (() => []))(payment_id)),
    };
  }
}

/** A processor with the troubles that a test asks for. */
export function faultyProcessor(options: FaultyOptions): FaultyProcessor {
  const bank = new FaultyBank(options);
  return {
    processor: (sandbox) => bank.open(sandbox),
    counts: bank.counts,
    outside: (id) => {
      const known = bank.sent.get(id);
      return known && !known.reversed ? known.amount_cents : 0;
    },
  };
}
