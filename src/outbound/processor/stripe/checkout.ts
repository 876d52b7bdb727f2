// Fundings and plans: Stripe's own pages (Checkout Sessions), in which a person pays once or subscribes.
import type Stripe from 'stripe';
import type { Called, FundingState, HostedPage, OurRow, PlanState, Processor, RenewalState } from '../processor.ts';
import { around, change, done, findByOurId, look, make, nameOf, OUR_ID, whole } from './call.ts';

export type Client = () => Promise<Stripe>;

const FUNDING_PARTS = ['payment_intent.latest_charge.balance_transaction'];
const PLAN_PARTS = ['subscription'];

type Session = Stripe.Checkout.Session;

/** Stripe's error codes for amounts outside the limits of cards: under half a dollar, or of a million. */
const SIZES: ReadonlySet<string> = new Set(['amount_too_small', 'amount_too_large']);

/** The session of a row: by its name, or by our id where the answer with its name was lost. */
async function sessionOf(
  stripe: Stripe,
  { id, external_id, created_at }: OurRow,
  expand: readonly string[],
): Promise<Session | null> {
  if (external_id !== null) return stripe.checkout.sessions.retrieve(external_id, { expand: [...expand] });
  const found = await findByOurId(stripe.checkout.sessions.list({ created: around(created_at), limit: 100 }), id);
  return found && stripe.checkout.sessions.retrieve(found.id, { expand: [...expand] });
}

/** Creates a page. It is searched for only after a saved error, because its row is new. */
async function openPage(
  stripe: Stripe,
  row: OurRow,
  params: Stripe.Checkout.SessionCreateParams,
): Promise<Called<HostedPage>> {
  const find = (): Promise<Session | null> => sessionOf(stripe, row, []);
  const called = await make(row.id, find, (options) => stripe.checkout.sessions.create(params, options), {
    fresh: true,
  });
  if (called.outcome === 'refused' && SIZES.has(called.reason)) return { outcome: 'refused', reason: 'amount' };
  if (called.outcome !== 'done') return called;
  const { id: external_id, url } = called.value;
  return url ? done({ external_id, url }) : { outcome: 'unknown', reason: 'no_page' };
}

/** Stripe ends a session a day after it was opened. Slow payment methods leave it complete and unpaid for days. */
function statusOf({ status, payment_status }: Session): FundingState['status'] {
  if (status === 'expired') return 'expired';
  return status === 'complete' && payment_status === 'paid' ? 'paid' : 'pending';
}

function moneyOf({
  amount_total,
  currency,
  livemode,
}: Session): Pick<PlanState, 'amount_cents' | 'currency' | 'livemode'> {
  return { amount_cents: amount_total ?? 0, currency: (currency ?? '').toUpperCase(), livemode };
}

/** The states of a failed payment. */
const UNDONE: ReadonlySet<string> = new Set(['canceled', 'requires_payment_method']);

function fundingState(session: Session): FundingState {
  const payment = whole(session.payment_intent);
  const charge = whole(payment?.latest_charge);
  const booked = whole(charge?.balance_transaction);
  const undone = session.status === 'complete' && UNDONE.has(payment?.status ?? '');
  return {
    external_id: session.id,
    status: undone ? 'failed' : statusOf(session),
    ...moneyOf(session),
    payment_id: nameOf(session.payment_intent),
    processor_fee_cents: booked?.fee ?? null,
    card: charge?.payment_method_details?.card?.fingerprint ?? null,
    reason: payment?.last_payment_error?.code ?? null,
  };
}

function productLine(
  name: string,
  unit_amount: number,
  recurring?: { readonly interval: 'month' },
): Stripe.Checkout.SessionCreateParams.LineItem {
  return {
    quantity: 1,
    price_data: { currency: 'usd', unit_amount, product_data: { name }, ...(recurring && { recurring }) },
  };
}

type Side<K extends keyof Processor> = Pick<Processor, K>;

/** Pages on which a person pays into a wallet. */
export function stripeFundings(client: Client, now: () => number): Side<'openFunding' | 'findFunding'> {
  return {
    openFunding: async ({ id, amount_cents, handle, email, return_url }) => {
      const metadata = { [OUR_ID]: id };
      return openPage(
        await client(),
        { id, external_id: null, created_at: now() },
        {
          mode: 'payment',
          allowed_payment_method_types: ['card'],
          line_items: [productLine(`Money for the wallet of ${handle}`, amount_cents)],
          client_reference_id: id,
          metadata,
          payment_intent_data: { metadata },
          ...(email !== null && { customer_email: email }),
          success_url: return_url,
          cancel_url: return_url,
        },
      );
    },
    findFunding: async (row) => {
      const stripe = await client();
      const found = await look(() => sessionOf(stripe, row, FUNDING_PARTS));
      return found.outcome === 'done' ? done(found.value && fundingState(found.value)) : found;
    },
  };
}

const RENEWALS: Readonly<Record<string, RenewalState['status']>> = {
  active: 'active',
  trialing: 'active',
  canceled: 'ended',
  incomplete_expired: 'ended',
};

const RENEWAL_PARTS = ['latest_invoice'];

/** Stripe begins the next period when the last one ends, and charges for it an hour later or more: until that is paid, what was paid
 * ends where the period begins. */
function renewalState({ status, items, ended_at, latest_invoice }: Stripe.Subscription): RenewalState {
  const invoice = whole(latest_invoice);
  const isPaid = invoice === null || invoice.status === 'paid';
  const paid_until = items.data.map((each) => (isPaid ? each.current_period_end : each.current_period_start));
  const renews_s = ended_at ?? Math.max(0, ...paid_until);
  return { status: RENEWALS[status] ?? 'past_due', renews_at: renews_s * 1000 };
}

const retrieve = (stripe: Stripe, id: string): Promise<Stripe.Subscription> =>
  stripe.subscriptions.retrieve(id, { expand: RENEWAL_PARTS });

/** Ends it and voids its open invoices, which a person could still pay. Stripe refuses to cancel a cancelled one, so its state is
 * read first; a repeat continues. */
async function endNow(stripe: Stripe, id: string): Promise<Stripe.Subscription> {
  const found = await retrieve(stripe, id);
  const isOver = RENEWALS[found.status] === 'ended';
  const ended = isOver ? found : await stripe.subscriptions.cancel(id, { expand: RENEWAL_PARTS });
  for await (const invoice of stripe.invoices.list({ subscription: id, status: 'open' })) {
    if (invoice.id) await stripe.invoices.voidInvoice(invoice.id);
  }
  return ended;
}

/** Pages on which a person buys a plan, and the subscriptions that come of them. */
export function stripePlans(
  client: Client,
  now: () => number,
): Side<'openPlan' | 'findPlan' | 'findRenewal' | 'cancelRenewal'> {
  return {
    openPlan: async ({ product, id, account_id, price_cents, email, return_url }) => {
      const metadata = { [OUR_ID]: id, meshwork_account: account_id };
      return openPage(
        await client(),
        { id, external_id: null, created_at: now() },
        {
          mode: 'subscription',
          line_items: [productLine(product, price_cents, { interval: 'month' })],
          client_reference_id: id,
          metadata,
          subscription_data: { metadata },
          ...(email !== null && { customer_email: email }),
          success_url: return_url,
          cancel_url: return_url,
        },
      );
    },
    findPlan: async (row) => {
      const stripe = await client();
      const found = await look(() => sessionOf(stripe, row, PLAN_PARTS));
      if (found.outcome !== 'done' || found.value === null) return found.outcome === 'done' ? done(null) : found;
      const { id: external_id, subscription } = found.value;
      return done({
        external_id,
        status: statusOf(found.value),
        ...moneyOf(found.value),
        subscription_id: nameOf(subscription),
      });
    },
    findRenewal: async (subscription_id) => {
      const stripe = await client();
      const found = await look(() => retrieve(stripe, subscription_id));
      if (found.outcome !== 'done') return found;
      return done(found.value ? renewalState(found.value) : { status: 'ended', renews_at: 0 });
    },
    cancelRenewal: async (subscription_id, { now: at_once }) => {
      const stripe = await client();
      const changed = await change(() =>
        at_once
          ? endNow(stripe, subscription_id)
          : stripe.subscriptions.update(subscription_id, { cancel_at_period_end: true, expand: RENEWAL_PARTS }),
      );
      return changed.outcome === 'done' ? done(renewalState(changed.value)) : changed;
    },
  };
}
