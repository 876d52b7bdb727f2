// The sandbox, which also takes money back as banks do, tells of it by hints, and keeps books of it: for tests in which that happens to
// anybody. What it did outlives a service that is opened anew.
import type { BookLine, Hint, Processor, TakenBack } from '../../src/outbound/processor/processor.ts';
import { createSandbox, type SandboxOptions } from '../../src/outbound/processor/sandbox.ts';

/** The signature that holds. */
export const GOOD_SIGNATURE = 'good';

/** What a hint of it says: that somebody paid for a funding, or that a bank takes a payment back, or gives it back (`won`). */
export type TakingHint =
  | { readonly event_id: string; readonly funding_id: string; readonly amount_cents: number; readonly taken: boolean }
  | { readonly event_id: string; readonly payment_id: string; readonly status: 'open' | 'won' };

/** Makes processors that share one memory. */
export function takingProcessor(): (sandbox: SandboxOptions) => Processor {
  const paid = new Map<string, number>();
  const taken = new Map<string, TakenBack>();
  const lines: BookLine[] = [];
  /** Amounts that were paid on no page of the sandbox, by funding. */
  const elsewhere = new Map<string, { readonly amount_cents: number; readonly taken: boolean }>();

  function book(kind: BookLine['kind'], payment_id: string, amount_cents: number, created_at: number): void {
    const source_id = kind === 'payment' ? payment_id : `dispute_${payment_id}`;
    const id = `line_${lines.length}`;
    lines.push({ id, kind, amount_cents, fee_cents: 0, source_id, payment_id, our_id: null, created_at });
  }

  function take(payment_id: string, status: 'open' | 'won', now_ms: number): void {
    const amount_cents = paid.get(payment_id);
    const before = taken.get(payment_id);
    const follows = before === undefined ? status === 'open' : before.status === 'open' && status === 'won';
    if (amount_cents === undefined || !follows) return;
    const named = { external_id: `dispute_${payment_id}`, payment_id, kind: 'chargeback' as const };
    taken.set(payment_id, { ...named, amount_cents, fee_cents: 15, status, reason: null });
    book('chargeback', payment_id, status === 'won' ? amount_cents : -amount_cents, now_ms);
  }

  return (options) => {
    const sandbox = createSandbox(options);
    return {
      ...sandbox,
      findFunding: async (row) => {
        const found = await sandbox.findFunding(row);
        const known = found.outcome === 'done' ? found.value : null;
        const { amount_cents, taken: is_taken } = elsewhere.get(row.id) ?? {};
        const is_paid = known?.status === 'pending' && amount_cents !== undefined;
        const payment_id = `sandbox_payment_${row.id}`;
        const state = is_paid ? { ...known, status: 'paid' as const, amount_cents, payment_id } : known;
        if (state?.payment_id != null && !paid.has(state.payment_id)) {
          paid.set(state.payment_id, state.amount_cents);
          book('payment', state.payment_id, state.amount_cents, options.now());
          if (is_taken) take(state.payment_id, 'open', options.now());
        }
        return is_paid && state ? { outcome: 'done', value: state } : found;
      },
      readWebhook: async (body, signature): Promise<Hint | null> => {
        if (signature !== GOOD_SIGNATURE) return null;
        const told: TakingHint = JSON.parse(Buffer.from(body).toString());
        const { event_id } = told;
        if ('funding_id' in told) {
          elsewhere.set(told.funding_id, told);
          return { event_id, kind: 'funding', object_id: '', our_id: told.funding_id };
        }
        take(told.payment_id, told.status, options.now());
        return { event_id, kind: 'chargeback', object_id: told.payment_id, our_id: null };
      },
      takenBack: async (payment_id) => {
        const back = taken.get(payment_id);
        return { outcome: 'done', value: back ? [back] : [] };
      },
      books: async (from_ms, to_ms) => {
        const value = lines.filter(({ created_at }) => created_at >= from_ms && created_at < to_ms);
        return { outcome: 'done', value };
      },
    };
  };
}
