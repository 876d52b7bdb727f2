// The calls of Stripe's API that the service makes, as they answer.
import { type Fields, group, metadataOf, text } from './form.ts';
import type { StripeWorld, Thing } from './world.ts';

/** A refusal in Stripe's words. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly type = 'invalid_request_error',
  ) {
    super(code);
  }
}

export interface Call {
  readonly method: string;
  readonly path: readonly string[];
  readonly fields: Fields;
  /** The connected account that the call is made for. */
  readonly account: string | null;
}

function found(world: StripeWorld, id: string | undefined): Thing {
  const thing = world.things.get(id ?? '');
  if (!thing) throw new Refused(404, 'resource_missing');
  return thing;
}

/** A page of a list, and what may be asked of it. */
function page(world: StripeWorld, object: string, fields: Fields, keeps: (each: Thing) => boolean): unknown {
  const created = group(fields, 'created');
  const [gte, lte, lt] = [text(created, 'gte'), text(created, 'lte'), text(created, 'lt')].map((each) => Number(each));
  const fits = (at: number): boolean => !((gte as number) > at) && !((lte as number) < at) && !((lt as number) <= at);
  const all = world.all(object).filter((each) => fits(each.created) && keeps(each));
  const after = text(fields, 'starting_after');
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(from, from + Number(text(fields, 'limit') ?? 10));
  return { object: 'list', url: '/', has_more: from + data.length < all.length, data };
}

function cents(fields: Fields, name = 'amount'): number {
  const amount = Number(text(fields, name));
  if (!Number.isSafeInteger(amount) || amount <= 0) throw new Refused(400, 'parameter_invalid_integer');
  return amount;
}

function openSession(world: StripeWorld, fields: Fields): Thing {
  const line = group(group(fields, 'line_items'), '0');
  const amount_total = cents(group(line, 'price_data'), 'unit_amount');
  if (amount_total < 50) throw new Refused(400, 'amount_too_small');
  const session = world.add(world.livemode ? 'cs_live' : 'cs_test', 'checkout.session', {
    mode: text(fields, 'mode'),
    status: 'open',
    payment_status: 'unpaid',
    amount_total,
    currency: 'usd',
    metadata: metadataOf(fields),
    payment_metadata: metadataOf(group(fields, 'payment_intent_data')),
    subscription_metadata: metadataOf(group(fields, 'subscription_data')),
    payment_intent: null,
    subscription: null,
  });
  session['url'] = `https://checkout.stripe.test/${session.id}`;
  return session;
}

function openAccount(world: StripeWorld, fields: Fields): Thing {
  const state = { details_submitted: false, payouts_enabled: false, capabilities: { transfers: 'inactive' } };
  return world.add('acct', 'account', {
    ...state,
    external_accounts: { object: 'list', data: [] },
    metadata: metadataOf(fields),
    balance: 0,
    email: text(fields, 'email'),
  });
}

function transfer(world: StripeWorld, fields: Fields): Thing {
  const amount = cents(fields);
  const destination = found(world, text(fields, 'destination'));
  if (world.available < amount) throw new Refused(400, 'balance_insufficient');
  const names = { transfer_group: text(fields, 'transfer_group') ?? null, metadata: metadataOf(fields) };
  const made = world.add('tr', 'transfer', { amount, destination: destination.id, reversed: false, ...names });
  world.book('transfer', -amount, made.id);
  destination['balance'] += amount;
  world.tell('transfer.created', made);
  return made;
}

function reverse(world: StripeWorld, id: string | undefined): Thing {
  const made = found(world, id);
  const destination = found(world, made['destination']);
  if (made['reversed']) throw new Refused(400, 'transfer_already_reversed');
  if (destination['balance'] < made['amount']) throw new Refused(400, 'balance_insufficient');
  destination['balance'] -= made['amount'];
  made['reversed'] = true;
  const reversal = world.add('trr', 'transfer_reversal', { amount: made['amount'], transfer: made.id });
  world.book('transfer_refund', made['amount'], reversal.id);
  world.tell('transfer.reversed', made);
  return reversal;
}

function payOut(world: StripeWorld, fields: Fields, account: string | null): Thing {
  const from = found(world, account ?? '');
  const amount = cents(fields);
  if (from['balance'] < amount) throw new Refused(400, 'balance_insufficient');
  from['balance'] -= amount;
  const names = { account: from.id, metadata: metadataOf(fields), failure_code: null, failure_message: null };
  return world.add('po', 'payout', { amount, status: 'pending', ...names });
}

/** Ends a subscription where its period does, or at once; one that has ended is changed no more, and to cancel it is not found. */
function endSubscription(world: StripeWorld, method: string, subscription: Thing): Thing {
  const isOver = subscription['status'] === 'canceled';
  if (method === 'DELETE') {
    if (isOver) throw new Refused(404, 'resource_missing');
    world.endSubscription(subscription.id);
    return subscription;
  }
  if (isOver) throw new Refused(400, 'subscription_canceled');
  subscription['cancel_at_period_end'] = true;
  return subscription;
}

/** Only an invoice that waits for its payment can be voided. */
function voidInvoice(invoice: Thing): Thing {
  if (invoice['status'] !== 'open') throw new Refused(400, 'invoice_not_editable');
  invoice['status'] = 'void';
  return invoice;
}

const LISTED: Readonly<Record<string, string>> = {
  'checkout/sessions': 'checkout.session',
  accounts: 'account',
  transfers: 'transfer',
  payouts: 'payout',
  disputes: 'dispute',
  refunds: 'refund',
  balance_transactions: 'balance_transaction',
  invoices: 'invoice',
};

/** Filters that a list takes beside its time. */
const FILTERS = ['payment_intent', 'transfer_group', 'subscription', 'status'] as const;

function list(world: StripeWorld, where: string, { fields, account }: Call): unknown {
  const object = LISTED[where];
  if (!object) throw new Refused(404, 'url_invalid');
  return page(world, object, fields, (each) => {
    const asked = FILTERS.every((name) => text(fields, name) === undefined || each[name] === text(fields, name));
    return asked && (object !== 'payout' || each['account'] === account);
  });
}

export function answer(world: StripeWorld, call: Call): unknown {
  const { method, path, fields, account } = call;
  const [first = '', second, third] = path[0] === 'checkout' ? ['checkout/sessions', ...path.slice(2)] : path;
  if (method === 'GET') return second === undefined ? list(world, first, call) : found(world, second);
  if (first === 'subscriptions') return endSubscription(world, method, found(world, second));
  if (first === 'invoices' && third === 'void') return voidInvoice(found(world, second));
  if (third === 'reversals') return reverse(world, second);
  const makers: Readonly<Record<string, () => unknown>> = {
    'checkout/sessions': () => openSession(world, fields),
    accounts: () => openAccount(world, fields),
    account_links: () => ({ object: 'account_link', url: `https://connect.stripe.test/${text(fields, 'account')}` }),
    transfers: () => transfer(world, fields),
    payouts: () => payOut(world, fields, account),
  };
  const make = makers[first];
  if (!make) throw new Refused(404, 'url_invalid');
  return make();
}

/** The paths that are asked for whole, put in place of the names. */
export function expand(world: StripeWorld, thing: unknown, paths: readonly string[]): unknown {
  let whole = structuredClone(thing);
  for (const each of paths) whole = put(world, whole, each.split('.'));
  return whole;
}

// biome-ignore lint/suspicious/noExplicitAny: objects of many shapes, as JSON has them.
function put(world: StripeWorld, thing: any, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return thing;
  if (Array.isArray(thing)) return thing.map((each) => put(world, each, [name, ...rest]));
  if (typeof thing !== 'object' || thing === null) return thing;
  const value = thing[name];
  const inner = typeof value === 'string' ? structuredClone(world.things.get(value) ?? value) : value;
  return { ...thing, [name]: put(world, inner, rest) };
}
