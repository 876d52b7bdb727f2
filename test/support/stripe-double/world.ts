// What the double of Stripe keeps: its objects by name, its balance and books, and the events that it has to tell of.
import { createHmac } from 'node:crypto';

// Objects of many shapes, as JSON has them; the official SDK reads them, and its types judge nothing here.
// biome-ignore lint/suspicious/noExplicitAny: each kind of object has a shape of its own.
export type Thing = { id: string; object: string; created: number } & Record<string, any>;

/** An event on its way, as it was signed. */
export interface SignedEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly signature: string;
}

const FEE_FIXED = 30;
const FEE_RATE = 0.029;

/** A month from an instant, in Stripe's seconds. */
function periodFrom(current_period_start: number): { current_period_start: number; current_period_end: number } {
  const ends = new Date(current_period_start * 1000);
  ends.setUTCMonth(ends.getUTCMonth() + 1);
  return { current_period_start, current_period_end: Math.floor(ends.getTime() / 1000) };
}

/** The world of one Stripe account; `now` is its clock. */
export class StripeWorld {
  readonly things = new Map<string, Thing>();
  /** What was not taken away yet, oldest first. */
  readonly events: SignedEvent[] = [];
  available = 0;
  readonly #names = new Map<string, number>();

  constructor(
    readonly now: () => number,
    readonly webhook_secret: string,
    public livemode = false,
  ) {}

  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  add(prefix: string, object: string, fields: Record<string, unknown>): Thing {
    const n = (this.#names.get(prefix) ?? 0) + 1;
    this.#names.set(prefix, n);
    const thing = { id: `${prefix}_${n}`, object, created: this.seconds(), livemode: this.livemode, ...fields };
    this.things.set(thing.id, thing);
    return thing;
  }

  /** All of a kind, the newest first, as Stripe lists them. */
  all(object: string): Thing[] {
    return [...this.things.values()].filter((each) => each.object === object).reverse();
  }

  get(id: string): Thing {
    const thing = this.things.get(id);
    if (!thing) throw new Error(`the double has no ${id}`);
    return thing;
  }

  /** A line of the books; the fee leaves the balance with it. */
  book(type: string, amount: number, source: string | null, fee = 0): Thing {
    this.available += amount - fee;
    return this.add('txn', 'balance_transaction', { type, amount, fee, net: amount - fee, currency: 'usd', source });
  }

  tell(type: string, thing: Thing, account?: string): SignedEvent {
    const event = this.add('evt', 'event', {});
    const { id, created } = event;
    const body = JSON.stringify({
      id,
      object: 'event',
      created,
      type,
      data: { object: thing },
      ...(account && { account }),
    });
    const told = { id, type, body, signature: this.sign(body) };
    this.events.push(told);
    return told;
  }

  sign(body: string, at_s = this.seconds(), secret = this.webhook_secret): string {
    return `t=${at_s},v1=${createHmac('sha256', secret).update(`${at_s}.${body}`).digest('hex')}`;
  }

  /** A person pays on a page; `as` says what else than asked for is then in the books. */
  pay(session_id: string, as: { amount?: number; currency?: string; livemode?: boolean } = {}): void {
    const session = this.get(session_id);
    if (session['status'] !== 'open') return;
    const amount = as.amount ?? session['amount_total'];
    const metadata = session['payment_metadata'];
    const intent = this.#charge(amount, metadata);
    Object.assign(session, { status: 'complete', payment_status: 'paid', amount_total: amount });
    if (as.currency) session['currency'] = as.currency;
    if (as.livemode !== undefined) session['livemode'] = as.livemode;
    if (session['mode'] === 'payment') session['payment_intent'] = intent.id;
    else {
      const subscription = this.#subscribe(session);
      session['subscription'] = subscription.id;
      const invoice = this.#invoice(subscription, 'subscription_create');
      this.#paid(invoice, intent.id);
      subscription['latest_invoice'] = invoice.id;
    }
    this.tell('checkout.session.completed', session);
  }

  /** The card that pays from now on, by Stripe's name of it. */
  card = 'card_of_one';

  /** Money from a card, less the fee. */
  #charge(amount: number, metadata: unknown): Thing {
    const intent = this.add('pi', 'payment_intent', { status: 'succeeded', amount, metadata });
    const card = { fingerprint: this.card };
    const paid_by = { payment_method_details: { type: 'card', card } };
    const charge = this.add('ch', 'charge', { amount, payment_intent: intent.id, metadata, ...paid_by });
    const booked = this.book('charge', amount, charge.id, Math.round(amount * FEE_RATE) + FEE_FIXED);
    charge['balance_transaction'] = booked.id;
    intent['latest_charge'] = charge.id;
    return intent;
  }

  #subscribe(session: Thing): Thing {
    const items = { object: 'list', data: [periodFrom(this.seconds())] };
    const metadata = session['subscription_metadata'];
    const amount = session['amount_total'];
    const made = { status: 'active', items, metadata, ended_at: null, amount, cancel_at_period_end: false };
    return this.add('sub', 'subscription', made);
  }

  #invoice({ id, metadata, amount }: Thing, billing_reason: string): Thing {
    const payments = { object: 'list', data: [] };
    const parent = { type: 'subscription_details', subscription_details: { subscription: id, metadata } };
    const asked = { status: 'draft', subscription: id, amount_due: amount, period_end: this.seconds() };
    return this.add('in', 'invoice', { ...asked, billing_reason, payments, parent });
  }

  #paid(invoice: Thing, payment_intent: string): void {
    invoice['status'] = 'paid';
    invoice['payments'].data = [{ payment: { type: 'payment_intent', payment_intent } }];
  }

  /** A plan's next month is paid, and no webhook tells of it. */
  renew(subscription_id: string, amount: number): void {
    const told = this.events.length;
    const invoice = this.beginMonth(subscription_id);
    invoice['amount_due'] = amount;
    this.charge(invoice.id, true);
    this.events.length = told;
  }

  /** The next period begins: its invoice is a draft for an hour, and the subscription active meanwhile. */
  beginMonth(id: string): Thing {
    const subscription = this.get(id);
    if (subscription['cancel_at_period_end']) {
      this.endSubscription(id);
      return subscription;
    }
    const [{ current_period_end }] = subscription['items'].data;
    subscription['items'].data = [periodFrom(current_period_end)];
    const invoice = this.#invoice(subscription, 'subscription_cycle');
    subscription['latest_invoice'] = invoice.id;
    this.tell('customer.subscription.updated', subscription);
    return invoice;
  }

  /** What a card says to an invoice. Nothing is charged for one that is void or paid. */
  charge(invoice_id: string, taken: boolean): void {
    const invoice = this.get(invoice_id);
    if (invoice['status'] !== 'draft' && invoice['status'] !== 'open') return;
    const subscription = this.get(invoice['subscription']);
    if (taken) this.#paid(invoice, this.#charge(invoice['amount_due'], {}).id);
    else invoice['status'] = 'open';
    if (subscription['status'] !== 'canceled') subscription['status'] = taken ? 'active' : 'past_due';
    this.tell(taken ? 'invoice.paid' : 'invoice.payment_failed', invoice);
    this.tell('customer.subscription.updated', subscription);
  }

  endSubscription(id: string): void {
    const subscription = this.get(id);
    Object.assign(subscription, { status: 'canceled', ended_at: this.seconds() });
    this.tell('customer.subscription.deleted', subscription);
  }

  expire(session_id: string): void {
    const session = this.get(session_id);
    if (session['status'] !== 'open') return;
    session['status'] = 'expired';
    this.tell('checkout.session.expired', session);
  }

  /** The bank of whoever paid takes the money back. */
  dispute(payment_intent: string, amount: number = this.get(payment_intent)['amount']): Thing {
    const charge = this.get(payment_intent)['latest_charge'];
    const reason = 'fraudulent';
    const dispute = this.add('dp', 'dispute', { amount, charge, payment_intent, status: 'needs_response', reason });
    dispute['balance_transactions'] = [{ ...this.book('adjustment', -amount, dispute.id, 1500) }];
    this.tell('charge.dispute.created', dispute);
    return dispute;
  }

  closeDispute(id: string, status: 'won' | 'lost'): void {
    const dispute = this.get(id);
    dispute['status'] = status;
    if (status === 'won') dispute['balance_transactions'].push({ ...this.book('adjustment', dispute['amount'], id) });
    this.tell('charge.dispute.closed', dispute);
  }

  refund(payment_intent: string, amount: number): Thing {
    const charge = this.get(payment_intent)['latest_charge'];
    const refund = this.add('re', 'refund', { amount, charge, payment_intent, status: 'succeeded', reason: null });
    this.book('refund', -amount, refund.id);
    this.tell('refund.created', refund);
    return refund;
  }

  /** A person finishes the pages of their account: it is paid out to a bank account of its own, unless that is named. */
  finishAccount(id: string, bank: Readonly<Record<string, unknown>> = { fingerprint: `bank_of_${id}` }): void {
    const account = this.get(id);
    Object.assign(account, { details_submitted: true, payouts_enabled: true, capabilities: { transfers: 'active' } });
    this.setBank(id, bank);
  }

  /** A person names a bank account; it takes the place of the last one. */
  setBank(id: string, bank: Readonly<Record<string, unknown>>): void {
    const named = { bank_name: 'STRIPE TEST BANK', country: 'US', last4: '6789', fingerprint: null, ...bank };
    const fixed = { object: 'bank_account', currency: 'usd', default_for_currency: true, account: id };
    const account = this.get(id);
    account['external_accounts'] = { object: 'list', data: [{ ...fixed, ...named }] };
    this.tell('account.updated', account, id);
  }

  /** A bank's word on a payout; it may send back what it had taken. */
  settlePayout(id: string, status: 'paid' | 'failed'): void {
    const payout = this.get(id);
    if (status === 'failed' && payout['status'] !== 'failed') this.#fill(payout['account'], payout['amount']);
    Object.assign(payout, { status, failure_code: status === 'failed' ? 'account_closed' : null });
    this.tell(`payout.${status}`, payout, payout['account']);
  }

  #fill(account: string, amount: number): void {
    this.get(account)['balance'] += amount;
  }
}
