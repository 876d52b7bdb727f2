// The Stripe adapter, with Stripe's SDK, which is loaded with the first call. Answers have a deadline of seconds by the wall clock;
// late or lost ones are polled.
import type Stripe from 'stripe';
import { DAY_MS } from '../../../domain/time.ts';
import type {
  BookLine,
  Called,
  Hint,
  OutState,
  PayeeBank,
  PayeeState,
  PlanMonth,
  Processor,
  TakenBack,
} from '../processor.ts';
import { around, change, done, findByOurId, look, make, nameOf, OUR_ID, whole } from './call.ts';
import { type Client, stripeFundings, stripePlans } from './checkout.ts';

// Payees: Stripe's connected accounts (express), which people complete on Stripe's own pages. Their payouts to banks are manual,
// without a schedule.

function accountParams(id: string, email: string | null): Stripe.AccountCreateParams {
  return {
    type: 'express',
    capabilities: { transfers: { requested: true } },
    settings: { payouts: { schedule: { interval: 'manual' } } },
    metadata: { [OUR_ID]: id },
    ...(email !== null && { email }),
  };
}

/** Where our payouts go, which are in dollars: the default of that currency, else the first there is. A debit card is as good as a bank. */
function bankOf({ external_accounts }: Stripe.Account): PayeeBank | null {
  const all = external_accounts?.data ?? [];
  const found = all.find((each) => each.currency === 'usd' && each.default_for_currency === true) ?? all[0];
  if (!found) return null;
  const name = found.object === 'card' ? found.brand : found.bank_name;
  return { name, country: found.country ?? '', last4: found.last4, fingerprint: found.fingerprint ?? null };
}

function stateOf(account: Stripe.Account): PayeeState {
  const { id, details_submitted, payouts_enabled, capabilities } = account;
  const enabled = payouts_enabled && capabilities?.transfers === 'active';
  return { external_id: id, details_submitted, payouts_enabled: enabled, bank: bankOf(account), gone: false };
}

const GONE = { details_submitted: false, payouts_enabled: false, bank: null, gone: true } as const;

function stripePayees(client: Client): Pick<Processor, 'openPayee' | 'findPayee'> {
  return {
    openPayee: async ({ id, external_id, created_at, email, return_url }) => {
      const stripe = await client();
      const made = async (): Promise<Stripe.Account | null> =>
        external_id === null
          ? findByOurId(stripe.accounts.list({ created: around(created_at), limit: 100 }), id)
          : stripe.accounts.retrieve(external_id);
      const account = await make(`${id}:payee`, made, (options) =>
        stripe.accounts.create(accountParams(id, email), options),
      );
      if (account.outcome !== 'done') return account;
      // A link lives for minutes and works once, so each call has a new one.
      const link = await change(() =>
        stripe.accountLinks.create({
          account: account.value.id,
          type: 'account_onboarding',
          refresh_url: return_url,
          return_url,
        }),
      );
      return link.outcome === 'done' ? done({ external_id: account.value.id, url: link.value.url }) : link;
    },
    findPayee: async ({ id, external_id, created_at }) => {
      const stripe = await client();
      const found = await look(() =>
        external_id === null
          ? findByOurId(stripe.accounts.list({ created: around(created_at), limit: 100 }), id)
          : stripe.accounts.retrieve(external_id),
      );
      if (found.outcome !== 'done') return found;
      if (found.value !== null) return done(stateOf(found.value));
      return done(external_id === null ? null : { external_id, ...GONE });
    },
  };
}

// Webhooks, as hints: of a webhook with a valid signature only the kind and the ids are used; the state of the object is
// read.

/** Within what time a signature may have been made, in seconds; events are kept for longer than that by their ids. */
const TOLERANCE_S = 300;

/** The parts of an event's object that name what it is about. */
interface Told {
  readonly id?: string;
  readonly mode?: string;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly payment_intent?: string | { readonly id: string } | null;
  readonly parent?: {
    readonly subscription_details?: { readonly subscription?: string | { readonly id: string } } | null;
  } | null;
}

type Found = Pick<Hint, 'kind' | 'object_id'>;

function ofSession({ id = '', mode }: Told): Found {
  return { kind: mode === 'subscription' ? 'plan' : 'funding', object_id: id };
}

/** By the payment, because chargebacks and refunds are read by it. */
function ofPayment(kind: 'chargeback' | 'refund', { id = '', payment_intent }: Told): Found {
  const payment_id = nameOf(payment_intent);
  return payment_id === null ? { kind: 'other', object_id: id } : { kind, object_id: payment_id };
}

function ofInvoice({ id = '', parent }: Told): Found {
  const subscription = nameOf(parent?.subscription_details?.subscription);
  return subscription === null ? { kind: 'other', object_id: id } : { kind: 'renewal', object_id: subscription };
}

const BEGINNINGS: readonly (readonly [string, (told: Told) => Found])[] = [
  ['checkout.session.', ofSession],
  ['charge.dispute.', (told) => ofPayment('chargeback', told)],
  ['charge.refund', (told) => ofPayment('refund', told)],
  ['refund.', (told) => ofPayment('refund', told)],
  ['customer.subscription.', ({ id = '' }) => ({ kind: 'renewal', object_id: id })],
  ['invoice.', ofInvoice],
  ['account.', ({ id = '' }) => ({ kind: 'payee', object_id: id })],
  ['transfer.', ({ id = '' }) => ({ kind: 'transfer', object_id: id })],
  ['payout.', ({ id = '' }) => ({ kind: 'payout', object_id: id })],
];

function hintOf(event: Pick<Stripe.Event, 'id' | 'type' | 'data' | 'account'>): Hint {
  // The fields depend on the type, so each is optional.
  const told = event.data.object as Told;
  const our_id = told.metadata?.[OUR_ID] ?? null;
  const [, read] = BEGINNINGS.find(([beginning]) => event.type.startsWith(beginning)) ?? [];
  const found = read?.(told) ?? { kind: 'other' as const, object_id: told.id ?? event.id };
  // Of an account that took its leave the object is an application; the event names the account.
  const object_id = found.kind === 'payee' && event.account ? event.account : found.object_id;
  return { event_id: event.id, ...found, object_id, our_id };
}

/** The hint of a webhook, null where its signature does not hold. */
async function readStripeWebhook(
  stripe: Stripe,
  { body, signature, secret, now_ms }: { body: Uint8Array; signature: string; secret: string; now_ms: number },
): Promise<Hint | null> {
  try {
    const event = await stripe.webhooks.constructEventAsync(body, signature, secret, TOLERANCE_S, undefined, now_ms);
    return hintOf(event);
  } catch {
    return null;
  }
}

// Money on its way out: from our balance to a payee's (a transfer), and from there to their bank (a payout, on their account).

function transferState({ id, reversed }: Stripe.Transfer): OutState {
  return { external_id: id, status: reversed ? 'reversed' : 'paid', reason: null };
}

const PAYOUTS: Readonly<Record<string, OutState['status']>> = { paid: 'paid', failed: 'failed', canceled: 'failed' };

/** A payout that was paid may still fail, days later: what a bank sends back. */
function payoutState({ id, status, failure_code }: Stripe.Payout): OutState {
  return { external_id: id, status: PAYOUTS[status] ?? 'pending', reason: failure_code ?? null };
}

function told<T>(called: Called<T>, state: (value: T) => OutState): Called<OutState> {
  return called.outcome === 'done' ? done(state(called.value)) : called;
}

function toldIfAny<T>(called: Called<T | null>, state: (value: T) => OutState): Called<OutState | null> {
  return called.outcome === 'done' ? done(called.value === null ? null : state(called.value)) : called;
}

/** Every transfer is alone in a group that is named by our row. */
async function transferOf(stripe: Stripe, id: string): Promise<Stripe.Transfer | null> {
  const { data } = await stripe.transfers.list({ transfer_group: id, limit: 1 });
  return data[0] ?? null;
}

function payoutOf(stripe: Stripe, payee: string, id: string): Promise<Stripe.Payout | null> {
  return findByOurId(stripe.payouts.list({ limit: 100 }, { stripeAccount: payee }), id);
}

type Side<K extends keyof Processor> = Pick<Processor, K>;

/** Transfers to payees, and their reversals. */
function stripeTransfers(client: Client): Side<'transfer' | 'findTransfer' | 'reverseTransfer'> {
  return {
    transfer: async ({ id, payee, amount_cents }) => {
      const stripe = await client();
      const params = { amount: amount_cents, currency: 'usd', destination: payee, transfer_group: id };
      const metadata = { [OUR_ID]: id };
      const called = await make(
        `${id}:transfer`,
        () => transferOf(stripe, id),
        (options) => stripe.transfers.create({ ...params, metadata }, options),
      );
      return told(called, transferState);
    },
    findTransfer: async ({ id, external_id }) => {
      const stripe = await client();
      const found = await look(() =>
        external_id === null ? transferOf(stripe, id) : stripe.transfers.retrieve(external_id),
      );
      return toldIfAny(found, transferState);
    },
    reverseTransfer: async ({ id, transfer_id }) => {
      const stripe = await client();
      const reversed = async (): Promise<Stripe.Transfer | null> => {
        const transfer = await stripe.transfers.retrieve(transfer_id);
        return transfer.reversed ? transfer : null;
      };
      const called = await make(`${id}:reversal`, reversed, async (options) => {
        await stripe.transfers.createReversal(transfer_id, { metadata: { [OUR_ID]: id } }, options);
        return stripe.transfers.retrieve(transfer_id);
      });
      return told(called, transferState);
    },
  };
}

/** Payouts of payees to their banks. */
function stripePayouts(client: Client): Side<'payOut' | 'findPayout'> {
  return {
    payOut: async ({ id, payee, amount_cents }) => {
      const stripe = await client();
      const params = { amount: amount_cents, currency: 'usd', metadata: { [OUR_ID]: id } };
      const called = await make(
        `${id}:payout`,
        () => payoutOf(stripe, payee, id),
        (options) => stripe.payouts.create(params, { ...options, stripeAccount: payee }),
      );
      return told(called, payoutState);
    },
    findPayout: async ({ id, external_id, payee }) => {
      const stripe = await client();
      const found = await look(() =>
        external_id === null
          ? payoutOf(stripe, payee, id)
          : stripe.payouts.retrieve(external_id, {}, { stripeAccount: payee }),
      );
      return toldIfAny(found, payoutState);
    },
  };
}

// Chargebacks and refunds, and the lines of Stripe's books (balance transactions).

/** A bank's question about a payment takes no money yet. */
const ASKED_ONLY: ReadonlySet<string> = new Set([
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'prevented',
]);

const ENDS: Readonly<Record<string, TakenBack['status']>> = { won: 'won', lost: 'lost' };

function disputeState(payment_id: string, dispute: Stripe.Dispute): TakenBack {
  const { id: external_id, amount, status, reason, balance_transactions } = dispute;
  return {
    external_id,
    payment_id,
    kind: 'chargeback',
    amount_cents: amount,
    fee_cents: balance_transactions.reduce((sum, { fee }) => sum + fee, 0),
    status: ENDS[status] ?? 'open',
    reason,
  };
}

/** A refund that failed gave the money back to us. */
function refundState(payment_id: string, { id: external_id, amount, status, reason }: Stripe.Refund): TakenBack {
  const undone = status === 'failed' || status === 'canceled';
  const taken = { external_id, payment_id, kind: 'refund' as const, amount_cents: amount, fee_cents: 0, reason };
  return { ...taken, status: undone ? 'won' : 'lost' };
}

type Source = NonNullable<Exclude<Stripe.BalanceTransaction['source'], string>>;

/** The object of a line, such as a payment or transfer, by its id in our rows. */
function sourceOf(source: Source | null, fallback: string): Pick<BookLine, 'source_id' | 'payment_id' | 'our_id'> {
  if (source === null) return { source_id: fallback, payment_id: null, our_id: null };
  const our_id = ('metadata' in source ? source.metadata?.[OUR_ID] : undefined) ?? null;
  const payment_id = 'payment_intent' in source ? nameOf(source.payment_intent) : null;
  if (source.object === 'charge') return { source_id: payment_id ?? source.id, payment_id, our_id };
  const source_id = source.object === 'transfer_reversal' ? (nameOf(source.transfer) ?? source.id) : source.id;
  return { source_id, payment_id, our_id };
}

const KINDS: Readonly<Record<string, BookLine['kind']>> = {
  charge: 'payment',
  payment: 'payment',
  transfer: 'transfer',
  transfer_refund: 'reversal',
  transfer_cancel: 'reversal',
  transfer_failure: 'reversal',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  stripe_fee: 'fee',
};

function kindOf({ type }: Stripe.BalanceTransaction, source: Source | null): BookLine['kind'] {
  if (source?.object === 'dispute') return 'chargeback';
  return KINDS[type] ?? 'other';
}

function bookLine(line: Stripe.BalanceTransaction): BookLine {
  const source = whole(line.source);
  return {
    id: line.id,
    kind: kindOf(line, source),
    amount_cents: line.amount,
    fee_cents: line.fee,
    ...sourceOf(source, nameOf(line.source) ?? line.id),
    plan: null,
    created_at: line.created * 1000,
  };
}

/** The longest time between the first try of an invoice and its successful payment. */
const RETRIED_MS = 30 * DAY_MS;
/** The longest time in which banks take a payment back. */
const TAKEN_BACK_MS = 180 * DAY_MS;

function monthOf({ parent, billing_reason, period_end }: Stripe.Invoice): PlanMonth | null {
  const of = parent?.subscription_details;
  const subscription_id = nameOf(of?.subscription ?? null);
  if (!of || subscription_id === null) return null;
  const checkout_id = of.metadata?.[OUR_ID] ?? null;
  const first = billing_reason === 'subscription_create';
  return { subscription_id, checkout_id, first, begins_at: period_end * 1000 };
}

/** The months of plans by their payments: a charge itself does not name what it renews. */
async function planMonths(stripe: Stripe, from_ms: number, to_ms: number): Promise<Map<string, PlanMonth>> {
  const created = { gte: Math.floor(from_ms / 1000), lt: Math.ceil(to_ms / 1000) };
  const months = new Map<string, PlanMonth>();
  const asked = { created, status: 'paid', limit: 100, expand: ['data.payments'] } as const;
  for await (const invoice of stripe.invoices.list({ ...asked, expand: [...asked.expand] })) {
    const month = monthOf(invoice);
    for (const { payment } of month ? (invoice.payments?.data ?? []) : []) {
      const name = nameOf(payment.payment_intent ?? null);
      if (month && name !== null) months.set(name, month);
    }
  }
  return months;
}

/** A day of more lines than these is looked through in part, and says so. */
const LINES_MAX = 100_000;

async function linesOf(stripe: Stripe, from_ms: number, to_ms: number): Promise<BookLine[]> {
  const created = { gte: Math.floor(from_ms / 1000), lt: Math.ceil(to_ms / 1000) };
  const lines: BookLine[] = [];
  for await (const line of stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] })) {
    lines.push(bookLine(line));
    if (lines.length > LINES_MAX) throw new Error('more lines than can be compared');
  }
  // A payment without our id may be for a plan, and what was taken back never has one.
  const isTakenBack = lines.some(({ kind }) => kind === 'chargeback' || kind === 'refund');
  const isUnnamed = ({ kind, our_id }: BookLine): boolean => kind === 'payment' && our_id === null;
  const since_ms = from_ms - (isTakenBack ? TAKEN_BACK_MS : RETRIED_MS);
  const months = isTakenBack || lines.some(isUnnamed) ? await planMonths(stripe, since_ms, to_ms) : null;
  // Stripe lists the newest first.
  return lines.map((line) => ({ ...line, plan: months?.get(line.payment_id ?? '') ?? null })).reverse();
}

function stripeBooks(client: Client): Pick<Processor, 'takenBack' | 'books'> {
  const books = async (from_ms: number, to_ms: number): Promise<Called<readonly BookLine[]>> => {
    const stripe = await client();
    const found = await look(() => linesOf(stripe, from_ms, to_ms));
    return found.outcome === 'done' ? done(found.value ?? []) : found;
  };
  return {
    takenBack: async (payment_intent) => {
      const stripe = await client();
      const found = await look(async () => {
        const disputes = await stripe.disputes.list({ payment_intent, limit: 100 });
        const refunds = await stripe.refunds.list({ payment_intent, limit: 100 });
        return [
          ...disputes.data
            .filter(({ status }) => !ASKED_ONLY.has(status))
            .map((each) => disputeState(payment_intent, each)),
          ...refunds.data.map((each) => refundState(payment_intent, each)),
        ];
      });
      return found.outcome === 'done' ? done(found.value ?? []) : found;
    },
    books,
  };
}

interface StripeOptions {
  readonly secret_key: string;
  readonly webhook_secret: string;
  /** The address of an emulator; Stripe itself by default. */
  readonly api_base?: string | undefined;
  readonly hold_ms: number;
  /** Stripe's time, which is the one on the wall: what our service time is moved to says nothing of when a webhook was signed. */
  readonly now: () => number;
  /** One answer's deadline. */
  readonly timeout_ms?: number;
  /** How often a lost connection is tried again, under the same key. */
  readonly retries?: number;
}

const TIMEOUT_MS = 8000;

/** Keys of an account that moves real money; a restricted one is as good. */
const LIVE = /^[sr]k_live_/;

/** Whether a key moves real money. */
function isLiveKey(secret_key: string): boolean {
  return LIVE.test(secret_key);
}

function where(api_base: string): Pick<Stripe.StripeConfig, 'protocol' | 'host' | 'port'> {
  const { protocol, hostname, port } = new URL(api_base);
  const secure = protocol === 'https:';
  return { protocol: secure ? 'https' : 'http', host: hostname, port: port || (secure ? 443 : 80) };
}

/** Stripe's client with the key; nothing is called yet. */
export async function connectStripe({
  secret_key,
  api_base,
  timeout_ms,
  retries,
}: Pick<StripeOptions, 'secret_key' | 'api_base' | 'timeout_ms' | 'retries'>): Promise<Stripe> {
  const { default: Sdk } = await import('stripe');
  return new Sdk(secret_key, {
    httpClient: Sdk.createFetchHttpClient(),
    telemetry: false,
    timeout: timeout_ms ?? TIMEOUT_MS,
    maxNetworkRetries: retries ?? 1,
    ...(api_base !== undefined && where(api_base)),
  });
}

export function createStripe(options: StripeOptions): Processor {
  let connected: Promise<Stripe> | undefined;
  const client = (): Promise<Stripe> => {
    connected ??= connectStripe(options);
    return connected;
  };
  const { secret_key, webhook_secret: secret, hold_ms, now } = options;
  return {
    name: 'stripe',
    livemode: isLiveKey(secret_key),
    hold_ms,
    ...stripeFundings(client, now),
    ...stripePlans(client, now),
    ...stripePayees(client),
    ...stripeTransfers(client),
    ...stripePayouts(client),
    ...stripeBooks(client),
    readWebhook: async (body, signature) =>
      readStripeWebhook(await client(), { body, signature, secret, now_ms: now() }),
  };
}
