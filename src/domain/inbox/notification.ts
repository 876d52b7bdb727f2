// Notifications: what a person reads of an event in an agent's inbox. A notification is no fact of its own: its text and
// the page where to act on it follow from the event, so nothing is written twice (decisions.md 7).
import { dollars } from '../money/dollars.ts';
import { type EventKind, isRefusedPayment } from './event.ts';

export interface Notice {
  readonly title: string;
  /** A sentence or two; empty where the title says it all. */
  readonly body: string;
  /** Where one acts on it, under the dashboard's address. */
  readonly path: string;
}

/** What the event of one agent says; absent and misshapen fields read as empty. */
interface EventText {
  readonly handle: string;
  readonly data: Readonly<Record<string, unknown>>;
  text(name: string): string;
  /** The handle in a field. */
  who(name: string): string;
  /** An amount of cents as people write it: `$1,250.00`. */
  dollars(name: string): string;
  /** A time as people write it: `2026-11-26 15:45 UTC`. */
  time(name: string): string;
}

/** Previews, headlines and reasons are cut at this many characters, and stand in one line: letters quote them. */
const TEXT_MAX = 300;

function oneLine(text: string): string {
  return [
    ...text
      .slice(0, 4 * TEXT_MAX)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, TEXT_MAX)
    .join('')
    .toWellFormed();
}

function readerOf(handle: string, data: EventText['data']): EventText {
  const text = (name: string): string => {
    const value = data[name];
    return typeof value === 'string' ? oneLine(value) : '';
  };
  const amount = (name: string): string => {
    const cents = data[name];
    return typeof cents === 'number' ? dollars(cents) : 'An amount';
  };
  const time = (name: string): string => {
    const at = text(name);
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/.test(at) ? `${at.slice(0, 16).replace('T', ' ')} UTC` : at;
  };
  return { handle, data, text, who: (name) => text(name) || 'another agent', dollars: amount, time };
}

const conversationPath = (s: EventText): string => `/conversations/${s.text('conversation_id')}`;
const escrowPath = (s: EventText): string => `/escrows/${s.text('escrow_id')}`;
const paymentPath = (s: EventText): string => {
  if (s.text('escrow_id') !== '') return escrowPath(s);
  if (s.text('kind') === 'payout') return '/payouts';
  return s.text('subscription_id') === '' ? '/wallet' : `/subscriptions/${s.text('subscription_id')}`;
};
const prefixText = (prefix: string, text: string): string => (text === '' ? '' : `${prefix}${text}`);
const listText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : '');

/** Between a wallet and the world outside. */
const ONE_SIDED: ReadonlySet<string> = new Set(['fund', 'payout', 'chargeback', 'refund']);

/** Whether an event says which side its reader is, where there are two; once it did not. */
function tellsSide(s: EventText): boolean {
  return s.text('your_role') !== '' || ONE_SIDED.has(s.text('kind'));
}

/** The two sides of a payment, each of which hears of it: whose money it was, and for whom. */
function sidesOf(s: EventText): { readonly from: string; readonly to: string } {
  const [own, other] = [s.handle, s.who('counterparty_handle')];
  return s.text('your_role') === 'payee' ? { from: other, to: own } : { from: own, to: other };
}

/** A payment in words; what it leads to is told by its ids. */
type Payment = (s: EventText, cents: string) => Pick<Notice, 'title' | 'body'>;

/** Payments by what they were for; what is not here is told by its name. */
const PAID: Readonly<Record<string, Payment>> = {
  fund: (_s, cents) => ({ title: `${cents} was added to the wallet`, body: '' }),
  send: (s, cents) => ({ title: `${sidesOf(s).from} sent ${cents} to ${sidesOf(s).to}`, body: '' }),
  purchase: (s, cents) => ({
    title: `${sidesOf(s).from} put ${cents} in escrow for ${sidesOf(s).to}`,
    body: 'It is held there until the buyer releases it.',
  }),
  subscription: (s, cents) => ({
    title: `${sidesOf(s).from} paid ${cents} to ${sidesOf(s).to}`,
    body: 'For a period of a subscription.',
  }),
  payout: (_s, cents) => ({ title: `${cents} was paid out`, body: 'It has arrived.' }),
  chargeback: (_s, cents) => ({ title: `${cents} was given back`, body: 'The payment stands after all.' }),
};

/** Why a period could not be charged, in words for both sides. */
const UNPAID_WHY: Readonly<Record<string, string>> = {
  payment_required: 'The wallet does not cover it.',
  spending_limit: 'It is above a spending limit.',
  budget: 'The budget of the key that began it does not cover it.',
  verification_required: 'The paying agent is not verified any more.',
  seller_cannot_be_paid: 'The agent to be paid cannot be paid just now.',
  account_restricted: 'The paying account owes for money that was taken back.',
};

/** The same of those that came to nothing. */
const UNPAID: Readonly<Record<string, Payment>> = {
  fund: (s, cents) => ({ title: `${cents} was not added to the wallet`, body: s.text('reason') }),
  subscription: (s, cents) => ({
    title: `${sidesOf(s).from} could not pay ${cents} to ${sidesOf(s).to}`,
    body: UNPAID_WHY[s.text('reason')] ?? s.text('reason'),
  }),
  payout: (s, cents) => ({ title: `${cents} came back to the wallet`, body: s.text('reason') }),
  chargeback: (_s, cents) => ({
    title: `${cents} was taken back`,
    body: 'The bank of whoever paid it into the wallet demanded it.',
  }),
  refund: (_s, cents) => ({ title: `${cents} was taken back`, body: 'A payment into the wallet was refunded.' }),
};

function paymentNotice(s: EventText, told: Readonly<Record<string, Payment>>, otherwise: string): Notice {
  const [kind, cents] = [s.text('kind'), s.dollars('amount_cents')];
  const words = Object.hasOwn(told, kind) && tellsSide(s) ? told[kind]?.(s, cents) : null;
  const { title, body } = words ?? {
    title: `${cents} ${otherwise}`,
    body: s.text('reason') || (kind && `For: ${kind}.`),
  };
  const receipt = prefixText('Signed receipt: ', s.text('journal_id'));
  return { title, body: [body, receipt].filter(Boolean).join(' '), path: paymentPath(s) };
}

const NOTICES: Readonly<Record<EventKind, (s: EventText) => Notice>> = {
  'match.created': (s) => {
    const score = s.data['score'];
    const fit = typeof score === 'number' ? ` It fits to ${Math.round(score * 100)} of 100.` : '';
    const title = `New match with ${s.who('counterparty_handle')}`;
    return { title, body: `Say whether you are interested.${fit}`, path: `/matches/${s.text('match_id')}` };
  },
  'match.approved': (s) => ({
    title: `${s.who('counterparty_handle')} is interested`,
    body: 'A conversation is open.',
    path: conversationPath(s),
  }),
  'conversation.started': (s) => ({
    title: `${s.who('counterparty_handle')} opened a conversation`,
    body: '',
    path: conversationPath(s),
  }),
  'conversation.updated': (s) => ({
    title: `New message from ${s.who('sender')}`,
    body: s.text('preview'),
    path: conversationPath(s),
  }),
  'conversation.completed': (s) => ({
    title: `The conversation with ${s.who('counterparty_handle')} has ended`,
    body: s.text('reason'),
    path: conversationPath(s),
  }),
  'negotiation.escalated': (s) => {
    const body = `${s.dollars('amount_cents')} is outside the bounds of ${s.handle}.`;
    if (isRefusedPayment(s.data)) {
      return { title: 'A payment was refused', body: `${body} Change the bounds to allow it.`, path: '/wallet' };
    }
    return {
      title: 'A proposal needs your decision',
      body: `${body} Approve or refuse it.`,
      path: conversationPath(s),
    };
  },
  'escrow.released': (s) => ({
    title: `${s.dollars('amount_cents')} was released from escrow`,
    body: '',
    path: escrowPath(s),
  }),
  'escrow.delivered': (s) => ({
    title: `${s.who('counterparty_handle')} has delivered`,
    body: prefixText('Unless it is disputed, the money is released at ', s.time('auto_release_at')),
    path: escrowPath(s),
  }),
  'escrow.refunded': (s) => ({
    title: `${s.dollars('amount_cents')} went back to the buyer`,
    body: s.text('by') === 'terms' ? 'It was not delivered in time.' : 'The seller gave it back.',
    path: escrowPath(s),
  }),
  'escrow.verification_failed': (s) => ({
    title: 'A deliverable failed its check',
    body: s.text('reason'),
    path: escrowPath(s),
  }),
  'escrow.dispute_opened': (s) => ({
    title: 'A dispute was opened',
    body: prefixText('It can be answered until ', s.time('respond_by')),
    path: escrowPath(s),
  }),
  'escrow.dispute_responded': (s) => ({ title: 'A dispute was answered', body: '', path: escrowPath(s) }),
  'escrow.dispute_proposed': (s) => ({
    title: `${s.who('proposed_by')} proposed a settlement`,
    body: `${s.dollars('refund_cents')} to the buyer, ${s.dollars('release_cents')} to the seller.`,
    path: escrowPath(s),
  }),
  'escrow.dispute_resolved': (s) => ({ title: 'A dispute is resolved', body: s.text('outcome'), path: escrowPath(s) }),
  'meeting.scheduled': (s) => ({ title: 'A meeting is set', body: s.time('starts_at'), path: conversationPath(s) }),
  'meeting.completed': (s) => ({ title: 'A meeting took place', body: s.time('starts_at'), path: conversationPath(s) }),
  'payment.succeeded': (s) => paymentNotice(s, PAID, 'went through'),
  'payment.failed': (s) => paymentNotice(s, UNPAID, 'did not go through'),
  'subscription.updated': (s) => ({
    title: `A subscription with ${s.who('counterparty_handle')} is now ${s.text('status') || 'another'}`,
    body: s.text('changed_by') === 'terms' ? 'It has come to its end.' : 'The other side wanted it so.',
    path: '/subscriptions',
  }),
  'payout.connected': (s) => ({
    title: 'A payout account was connected',
    body: `${s.handle} asked for it. If that was not you, revoke its key.`,
    path: '/payouts',
  }),
  'key.expiring': (s) => ({
    title: `An API key ends soon`,
    body: `${s.text('prefix')}… works until ${s.time('expires_at')}. Its program can renew it until then.`,
    path: '/keys',
  }),
  'trust.updated': (s) => {
    if (s.data['silent'] === true) {
      const body = 'Nothing was heard of it for 14 days. They hold again once it is back.';
      return { title: `The badges of ${s.handle} are marked failing`, body, path: '/trust' };
    }
    return {
      title: `The trust score of ${s.handle} is now ${s.data['score'] ?? 'another'}`,
      body: prefixText('Proven: ', listText(s.data['credentials'])),
      path: '/trust',
    };
  },
  'agent.updated': (s) => ({
    title: `The profile of ${s.handle} has changed`,
    body: prefixText('Changed: ', listText(s.data['fields'])),
    path: `/agents/${s.handle}`,
  }),
  'demand.posted': (s) => ({
    title: `Wanted: ${s.text('headline')}`,
    body: `${s.dollars('budget_cents')} at most${prefixText(', until ', s.time('closes_at'))}.`,
    path: `/demand/${s.text('request_id')}`,
  }),
  'demand.quoted': (s) => ({
    title: `${s.who('counterparty_handle')} quotes ${s.dollars('price_cents')}`,
    body: prefixText('For: ', s.text('headline')),
    path: `/demand/${s.text('request_id')}`,
  }),
  'demand.awarded': (s) => ({
    title: `${s.who('counterparty_handle')} accepted your quote of ${s.dollars('price_cents')}`,
    body: prefixText('For: ', s.text('headline')),
    path: conversationPath(s),
  }),
  'provider.suspended': (s) => ({
    title: `${s.handle} is no longer called for ${s.text('capability') || 'a capability'}`,
    body: s.text('last_error'),
    path: '/calls',
  }),
  'listing.reviewed': (s) => ({
    title: s.data['approved'] === true ? 'Your listing was approved' : 'Your listing was refused',
    body: s.text('headline'),
    path: `/listings/${s.text('listing_id')}`,
  }),
  'test.ping': (s) => ({ title: `A test event for ${s.handle}`, body: s.text('message'), path: '/inbox' }),
};

/** What the person behind the agent `handle` reads of an event. */
export function noticeOf(kind: EventKind, handle: string, data: Readonly<Record<string, unknown>>): Notice {
  return NOTICES[kind](readerOf(handle, data));
}
