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
  return { handle, data, text, who: (name) => text(name) || 'another agent', dollars: amount };
}

const conversationPath = (s: EventText): string => `/conversations/${s.text('conversation_id')}`;
const escrowPath = (s: EventText): string => `/escrows/${s.text('escrow_id')}`;
const paymentPath = (s: EventText): string => {
  if (s.text('escrow_id') !== '') return escrowPath(s);
  return s.text('subscription_id') === '' ? '/wallet' : `/subscriptions/${s.text('subscription_id')}`;
};
const prefixText = (prefix: string, text: string): string => (text === '' ? '' : `${prefix}${text}`);
const listText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : '');

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
    body: prefixText('Unless it is disputed, the money is released at ', s.text('auto_release_at')),
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
    body: prefixText('It can be answered until ', s.text('respond_by')),
    path: escrowPath(s),
  }),
  'escrow.dispute_responded': (s) => ({ title: 'A dispute was answered', body: '', path: escrowPath(s) }),
  'escrow.dispute_proposed': (s) => ({
    title: `${s.who('proposed_by')} proposed a settlement`,
    body: `${s.dollars('refund_cents')} to the buyer, ${s.dollars('release_cents')} to the seller.`,
    path: escrowPath(s),
  }),
  'escrow.dispute_resolved': (s) => ({ title: 'A dispute is resolved', body: s.text('outcome'), path: escrowPath(s) }),
  'meeting.scheduled': (s) => ({ title: 'A meeting is set', body: s.text('starts_at'), path: conversationPath(s) }),
  'meeting.completed': (s) => ({ title: 'A meeting took place', body: s.text('starts_at'), path: conversationPath(s) }),
  'payment.succeeded': (s) => ({
    title: `${s.dollars('amount_cents')} went through`,
    body: [prefixText('For: ', s.text('kind')), prefixText('Signed receipt: ', s.text('journal_id'))]
      .filter(Boolean)
      .join('. '),
    path: paymentPath(s),
  }),
  'payment.failed': (s) => ({
    title: `${s.dollars('amount_cents')} did not go through`,
    body: s.text('reason') || prefixText('For: ', s.text('kind')),
    path: '/wallet',
  }),
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
    body: `${s.text('prefix')}… works until ${s.text('expires_at')}. Its program can renew it until then.`,
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
    body: `${s.dollars('budget_cents')} at most${prefixText(', until ', s.text('closes_at'))}.`,
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
    path: '/router',
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
