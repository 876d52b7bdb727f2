// The sandbox, which also takes money back as banks do, tells of it by hints, and keeps books of it: for tests in which that happens to
// anybody. What it did outlives a service that is opened anew.
import type {
  BookLine,
  Called,
  FundingState,
  Hint,
  OurRow,
  Processor,
  TakenBack,
} from '../../src/outbound/processor/processor.ts';
import { createSandbox, type SandboxOptions } from '../../src/outbound/processor/sandbox.ts';

/** The signature that holds. */
export const GOOD_SIGNATURE = 'good';

/** What a hint of it says: that somebody paid for a funding, or that a bank takes a payment back, or gives it back (`won`). */
export type TakingHint =
  | {
      readonly event_id: string;
      readonly funding_id: string;
      readonly amount_cents: number;
      readonly taken: boolean;
    }
  | { readonly event_id: string; readonly payment_id: string; readonly status: 'open' | 'won' };

/** What it did, over all services that were opened on it. */
/** What the bank asks for taking money back. */
const DISPUTE_FEE_CENTS = 15;

class TakingBank {
  readonly lines: BookLine[] = [];
  readonly taken = new Map<string, TakenBack>();
  readonly #paid = new Map<string, number>();
  /** What was paid on no page of the sandbox, by funding. */
  readonly #elsewhere = new Map<string, { readonly amount_cents: number; readonly taken: boolean }>();

  funding(found: Called<FundingState | null>, { id }: OurRow, now_ms: number): Called<FundingState | null> {
    if (found.outcome !== 'done' || found.value === null) return found;
    const paid = found.value.status === 'pending' ? this.#elsewhere.get(id) : undefined;
    const name = `sandbox_payment_${id}`;
    const state = paid
      ? { ...found.value, status: 'paid' as const, amount_cents: paid.amount_cents, payment_id: name }
      : found.value;
    const { payment_id, amount_cents } = state;
    if (payment_id !== null && !this.#paid.has(payment_id)) {
      this.#paid.set(payment_id, amount_cents);
      this.#book('payment', payment_id, amount_cents, now_ms);
      if (paid?.taken) this.#take(payment_id, 'open', now_ms);
    }
    return { outcome: 'done', value: state };
  }

  /** Does what a hint tells of, and answers it as it is read. */
  hint(told: TakingHint, now_ms: number): Hint {
    const { event_id } = told;
    if ('funding_id' in told) {
      this.#elsewhere.set(told.funding_id, told);
      return { event_id, kind: 'funding', object_id: '', our_id: told.funding_id };
    }
    this.#take(told.payment_id, told.status, now_ms);
    return { event_id, kind: 'chargeback', object_id: told.payment_id, our_id: null };
  }

  #take(payment_id: string, status: 'open' | 'won', now_ms: number): void {
    const amount_cents = this.#paid.get(payment_id);
    const before = this.taken.get(payment_id);
    const follows = before === undefined ? status === 'open' : before.status === 'open' && status === 'won';
    if (amount_cents === undefined || !follows) return;
    const named = { external_id: `dispute_${payment_id}`, payment_id, kind: 'chargeback' as const };
    this.taken.set(payment_id, { ...named, amount_cents, fee_cents: DISPUTE_FEE_CENTS, status, reason: null });
    this.#book('chargeback', payment_id, status === 'won' ? amount_cents : -amount_cents, now_ms);
  }

  #book(kind: BookLine['kind'], payment_id: string, amount_cents: number, created_at: number): void {
    const source_id = kind === 'payment' ? payment_id : `dispute_${payment_id}`;
    const id = `line_${this.lines.length}`;
    const fee_cents = kind === 'chargeback' && amount_cents < 0 ? DISPUTE_FEE_CENTS : 0;
    const names = { source_id, payment_id, our_id: null, plan: null };
    this.lines.push({ id, kind, amount_cents, fee_cents, ...names, created_at });
  }
}

/** Makes processors that share one memory. */
export function takingProcessor(): (sandbox: SandboxOptions) => Processor {
  const bank = new TakingBank();
  return (options) => {
    const sandbox = createSandbox(options);
    return {
      ...sandbox,
      findFunding: async (row) => bank.funding(await sandbox.findFunding(row), row, options.now()),
      readWebhook: async (body, signature) =>
        signature === GOOD_SIGNATURE ? bank.hint(JSON.parse(Buffer.from(body).toString()), options.now()) : null,
      takenBack: async (payment_id) => {
        const back = bank.taken.get(payment_id);
        return { outcome: 'done', value: back ? [back] : [] };
      },
      books: async (from_ms, to_ms) => {
        const value = bank.lines.filter(({ created_at }) => created_at >= from_ms && created_at < to_ms);
        return { outcome: 'done', value };
      },
    };
  };
}
