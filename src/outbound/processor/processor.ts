// The port to the payment processor: it takes money from people on pages of its own, and pays it out to their banks. Our row is
// stored before each call, and its id is the call's idempotency key; the result of a call is never taken from a webhook, but
// read from the processor. The adapters: the built-in sandbox, and Stripe.

/** The result of a call. `refused`: it was not done and will not be. `unknown`: no clear answer; the row stays unchanged and is
 * polled later. */
export type Called<T> =
  | { readonly outcome: 'done'; readonly value: T }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

/** A page on which a person decides. */
export interface HostedPage {
  readonly external_id: string;
  readonly url: string;
}

/** Our row, by which the processor finds what was made for it: by its own name of it, or, where the answer was lost, by our id in
 * its metadata. */
export interface OurRow {
  readonly id: string;
  readonly external_id: string | null;
  /** Epoch milliseconds; a look-up by metadata begins here. */
  readonly created_at: number;
}

export interface FundingState {
  readonly external_id: string;
  readonly status: 'pending' | 'paid' | 'expired' | 'cancelled' | 'failed';
  /** As the processor has it, and compared with ours before anything is posted. */
  readonly amount_cents: number;
  readonly currency: string;
  readonly livemode: boolean;
  /** The processor's name of the payment; null before it is paid. */
  readonly payment_id: string | null;
  /** The processor's fee; null when it does not say yet. */
  readonly processor_fee_cents: number | null;
  /** The processor's id of the paying card, the same for all its payments, or null. */
  readonly card: string | null;
  readonly reason: string | null;
}

export interface PlanState {
  readonly external_id: string;
  readonly status: 'pending' | 'paid' | 'expired' | 'cancelled' | 'failed';
  readonly amount_cents: number;
  readonly currency: string;
  readonly livemode: boolean;
  /** Of the renewing subscription; null before it is paid. */
  readonly subscription_id: string | null;
}

/** A plan that renews. Times are epoch milliseconds. */
export interface RenewalState {
  readonly status: 'active' | 'past_due' | 'ended';
  readonly renews_at: number;
}

/** The bank account to which a payee is paid out. */
export interface PayeeBank {
  /** The bank's name, if known. */
  readonly name: string | null;
  readonly country: string;
  readonly last4: string;
  /** The same for all payees with this bank account; null when the processor has none. */
  readonly fingerprint: string | null;
}

export interface PayeeState {
  readonly external_id: string;
  readonly details_submitted: boolean;
  readonly payouts_enabled: boolean;
  /** Null when there is none, or the processor does not say. */
  readonly bank: PayeeBank | null;
  /** The account at the processor was closed or never made. */
  readonly gone: boolean;
}

/** A transfer to a payee, or the payout of it to a bank. */
export interface OutState {
  readonly external_id: string;
  readonly status: 'pending' | 'paid' | 'failed' | 'reversed';
  readonly reason: string | null;
}

/** The object named by a verified webhook, whose state is then read. */
export interface Hint {
  readonly event_id: string;
  readonly kind: 'funding' | 'plan' | 'renewal' | 'payee' | 'transfer' | 'payout' | 'chargeback' | 'refund' | 'other';
  /** The processor's name of the object. */
  readonly object_id: string;
  /** Our id, where the object's metadata hold it. */
  readonly our_id: string | null;
}

/** Money that the processor took back of a payment. `won`: it was given back to us. */
export interface TakenBack {
  readonly external_id: string;
  readonly payment_id: string;
  readonly kind: 'chargeback' | 'refund';
  readonly amount_cents: number;
  /** The processor's fee. */
  readonly fee_cents: number;
  readonly status: 'open' | 'lost' | 'won';
  readonly reason: string | null;
}

export interface BookLine {
  readonly id: string;
  readonly kind: 'payment' | 'fee' | 'transfer' | 'reversal' | 'payout' | 'chargeback' | 'refund' | 'other';
  /** Into our balance, or, negative, out of it; without the fee. */
  readonly amount_cents: number;
  readonly fee_cents: number;
  /** The object of the line: a payment, a transfer, a dispute. */
  readonly source_id: string;
  /** The payment that it is or takes back, if any. */
  readonly payment_id: string | null;
  /** Our id, where the metadata of that hold it. */
  readonly our_id: string | null;
  /** The month of a plan that a payment pays; null for any other line. */
  readonly plan: PlanMonth | null;
  readonly created_at: number;
}

export interface PlanMonth {
  readonly subscription_id: string;
  /** The checkout with which the plan was bought, where its metadata hold it. */
  readonly checkout_id: string | null;
  /** Whether it is the month that was paid at the checkout. */
  readonly first: boolean;
  readonly begins_at: number;
}

export interface Processor {
  readonly name: 'sandbox' | 'stripe';
  /** Whether real money moves. */
  readonly livemode: boolean;
  /** How long paid-in money can be spent but not withdrawn. */
  readonly hold_ms: number;

  /** `refused` with the reason `amount` when it takes no payment of that size. */
  openFunding(ask: {
    readonly id: string;
    readonly amount_cents: number;
    readonly handle: string;
    readonly email: string | null;
    readonly return_url: string;
  }): Promise<Called<HostedPage>>;
  /** Null where nothing was ever made for the row. */
  findFunding(row: OurRow): Promise<Called<FundingState | null>>;

  openPlan(ask: {
    /** The product name on the page. */
    readonly product: string;
    readonly id: string;
    readonly account_id: string;
    readonly price_cents: number;
    readonly email: string | null;
    readonly return_url: string;
  }): Promise<Called<HostedPage>>;
  findPlan(row: OurRow): Promise<Called<PlanState | null>>;
  findRenewal(subscription_id: string): Promise<Called<RenewalState>>;
  /** Ends the plan at the end of its paid time; `now`: at once, and voids unpaid invoices. */
  cancelRenewal(subscription_id: string, ask: { readonly now: boolean }): Promise<Called<RenewalState>>;

  /** `id` names the account's connection. The same call again continues what was begun. */
  openPayee(ask: {
    readonly id: string;
    readonly external_id: string | null;
    readonly created_at: number;
    readonly email: string | null;
    readonly return_url: string;
  }): Promise<Called<HostedPage>>;
  findPayee(row: OurRow): Promise<Called<PayeeState | null>>;

  /** From our balance to the payee's. `refused` with the reason `insufficient` where ours is too small just now. */
  transfer(ask: {
    readonly id: string;
    readonly payee: string;
    readonly amount_cents: number;
  }): Promise<Called<OutState>>;
  findTransfer(row: OurRow): Promise<Called<OutState | null>>;
  /** Takes a transfer back in full. */
  reverseTransfer(ask: { readonly id: string; readonly transfer_id: string }): Promise<Called<OutState>>;
  /** From the payee's balance to their bank. */
  payOut(ask: {
    readonly id: string;
    readonly payee: string;
    readonly amount_cents: number;
  }): Promise<Called<OutState>>;
  findPayout(row: OurRow & { readonly payee: string }): Promise<Called<OutState | null>>;

  /** The hint of a webhook, null where its signature, a header of its own, does not hold. */
  readWebhook(body: Uint8Array, signature: string): Promise<Hint | null>;
  /** All chargebacks and refunds of a payment. */
  takenBack(payment_id: string): Promise<Called<readonly TakenBack[]>>;
  /** The lines of a time, oldest first; null where the processor keeps no books but ours. */
  readonly books: ((from_ms: number, to_ms: number) => Promise<Called<readonly BookLine[]>>) | null;
}
