// The built-in processor, which moves no real money. Its pages are the service's own, at unguessable addresses; its books are the
// rows that those pages write (sandbox_objects). Payouts succeed a day after the request.

import { createHmac } from 'node:crypto';
import { DAY_MS } from '../../domain/time.ts';
import type { Called, HostedPage, OurRow, OutState, Processor } from './processor.ts';

/** From the request of a payout to its arrival at the bank (rules.md 8: within three days). */
const SANDBOX_PAYOUT_MS = DAY_MS;
/** The life of an undecided page, as with other processors. */
export const SANDBOX_PAGE_MS = DAY_MS;

export type SandboxPage = 'pay' | 'plan' | 'payee';

export interface SandboxOptions {
  readonly base_url: string;
  /** Makes the addresses of its pages, which are their credential. */
  readonly key: Uint8Array;
  readonly hold_ms: number;
  readonly books: SandboxBooks;
  readonly now: () => number;
}

/** Its reads of the books. */
export interface SandboxBooks {
  /** A person's decision on one of its pages, by the id of our row. */
  decided(id: string): Promise<{
    readonly decision: 'paid' | 'cancelled';
    readonly amount_cents: number;
    readonly created_at: number;
  } | null>;
  /** When a payout was handed to it. */
  submittedAt(id: string): Promise<number | null>;
}

const done = <T>(value: T): Called<T> => ({ outcome: 'done', value });

/** The unguessable part of a page's address. */
export function sandboxToken(key: Uint8Array, page: SandboxPage, id: string): string {
  return createHmac('sha256', key).update(`sandbox-page:${page}:${id}`).digest('base64url');
}

function pageOf({ base_url, key }: SandboxOptions, page: SandboxPage, id: string): HostedPage {
  return { external_id: `sandbox_${id}`, url: `${base_url}/sandbox/${page}/${id}/${sandboxToken(key, page, id)}` };
}

function undecided({ now }: SandboxOptions, created_at: number): 'pending' | 'expired' {
  return now() - created_at < SANDBOX_PAGE_MS ? 'pending' : 'expired';
}

/** The end of the month's period in which an instant lies, counted from the purchase. */
function renewalAfter(paid_at: number, now_ms: number): number {
  const from = new Date(paid_at);
  for (let months = 1; ; months += 1) {
    const last = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
    const at = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, Math.min(from.getUTCDate(), last));
    const renewal = at + (paid_at % DAY_MS);
    if (renewal > now_ms) return renewal;
  }
}

type Side<K extends keyof Processor> = Pick<Processor, K>;

function fundings(options: SandboxOptions): Side<'openFunding' | 'findFunding'> {
  return {
    openFunding: async ({ id }) => done(pageOf(options, 'pay', id)),
    findFunding: async ({ id, external_id, created_at }) => {
      const found = await options.books.decided(id);
      if (!found && external_id === null) return done(null);
      const status = found?.decision ?? undecided(options, created_at);
      return done({
        external_id: external_id ?? `sandbox_${id}`,
        status,
        amount_cents: found?.amount_cents ?? 0,
        currency: 'USD',
        livemode: false,
        payment_id: status === 'paid' ? `sandbox_payment_${id}` : null,
        processor_fee_cents: 0,
        card: null,
        reason: null,
      });
    },
  };
}

/** The name of a plan's subscription, and the row of its purchase. */
const subscriptionName = (id: string): string => `sandbox_sub_${id}`;
const rowOfSubscription = (name: string): string => name.replace(/^sandbox_sub_/, '');

function plans(options: SandboxOptions): Side<'openPlan' | 'findPlan' | 'findRenewal' | 'cancelRenewal'> {
  const findRenewal: Processor['findRenewal'] = async (subscription_id) => {
    const bought = await options.books.decided(rowOfSubscription(subscription_id));
    if (!bought) return done({ status: 'ended', renews_at: 0 });
    return done({ status: 'active', renews_at: renewalAfter(bought.created_at, options.now()) });
  };
  return {
    openPlan: async ({ id }) => done(pageOf(options, 'plan', id)),
    findPlan: async ({ id, external_id, created_at }) => {
      const found = await options.books.decided(id);
      if (!found && external_id === null) return done(null);
      return done({
        external_id: external_id ?? `sandbox_${id}`,
        status: found?.decision ?? undecided(options, created_at),
        amount_cents: found?.amount_cents ?? 0,
        currency: 'USD',
        livemode: false,
        subscription_id: found?.decision === 'paid' ? subscriptionName(id) : null,
      });
    },
    findRenewal,
    cancelRenewal: findRenewal,
  };
}

/** The bank of all payouts; without a fingerprint, so that it links no accounts. */
const SANDBOX_BANK = { name: 'Test Bank', country: 'US', last4: '6789', fingerprint: null } as const;

function payees(options: SandboxOptions): Side<'openPayee' | 'findPayee'> {
  return {
    openPayee: async ({ id }) => done(pageOf(options, 'payee', id)),
    findPayee: async ({ id, external_id }) => {
      const found = await options.books.decided(id);
      if (!found && external_id === null) return done(null);
      const paid = found?.decision === 'paid';
      const bank = paid ? SANDBOX_BANK : null;
      const enabled = { details_submitted: paid, payouts_enabled: paid, bank, gone: false };
      return done({ external_id: external_id ?? `sandbox_${id}`, ...enabled });
    },
  };
}

function payouts({
  books,
  now,
}: SandboxOptions): Side<'transfer' | 'findTransfer' | 'reverseTransfer' | 'payOut' | 'findPayout'> {
  const moved = (id: string): OutState => ({ external_id: `sandbox_transfer_${id}`, status: 'paid', reason: null });
  const findPayout: Processor['findPayout'] = async ({ id }: Pick<OurRow, 'id'>) => {
    const submitted_at = await books.submittedAt(id);
    if (submitted_at === null) return done(null);
    const status = now() >= submitted_at + SANDBOX_PAYOUT_MS ? 'paid' : 'pending';
    return done({ external_id: `sandbox_${id}`, status, reason: null });
  };
  return {
    transfer: async ({ id }) => done(moved(id)),
    findTransfer: async ({ id }) => done(moved(id)),
    reverseTransfer: async ({ id }) => done({ ...moved(id), status: 'reversed' }),
    payOut: async ({ id }) => done({ external_id: `sandbox_${id}`, status: 'pending', reason: null }),
    findPayout,
  };
}

export function createSandbox(options: SandboxOptions): Processor {
  return {
    name: 'sandbox',
    livemode: false,
    hold_ms: options.hold_ms,
    ...fundings(options),
    ...plans(options),
    ...payees(options),
    ...payouts(options),
    readWebhook: async () => null,
    takenBack: async () => done([]),
    books: null,
  };
}
