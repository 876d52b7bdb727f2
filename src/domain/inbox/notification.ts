// Notifications: what a person reads of an event in an agent's inbox. A notification is no fact of its own: its text and
// the page where to act on it follow from the event, so nothing is written twice (rules.md 7).
import { sumLines } from '../money/sum-lines.ts';
import { type EventKind, isRefusedPayment, isStoredAction } from './event.ts';
import { type EventText, readerOf } from './event-text.ts';
import { ENGLISH_NOTICES, type NoticeWords } from './notice-words.ts';

export interface Notice {
  readonly title: string;
  /** A sentence or two; empty where the title says it all. */
  readonly body: string;
  /** Where one acts on it, under the dashboard's address. */
  readonly path: string;
}

const conversationPath = (s: EventText): string => `/conversations/${s.text('conversation_id')}`;
const escrowPath = (s: EventText): string => `/escrows/${s.text('escrow_id')}`;
const paymentPath = (s: EventText): string => {
  if (s.text('escrow_id') !== '') return escrowPath(s);
  if (s.text('kind') === 'payout') return '/payouts';
  if (s.text('deal_id') !== '') return '/deals';
  return s.text('subscription_id') === '' ? '/wallet' : `/subscriptions/${s.text('subscription_id')}`;
};
/** A sentence about something, where there is something. */
const about = (say: (text: string) => string, text: string): string => (text === '' ? '' : say(text));
const listText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : '');

/** Gross, fee and net, a line each, where all are known and there is something to share. */
function sumsOf(s: EventText, gross = 'amount_cents'): string {
  const told = [gross, 'fee_cents', 'net_cents'];
  if (told.some((name) => typeof s.data[name] !== 'number') || s.data[gross] === 0) return '';
  const [fee, net] = [s.dollars('fee_cents'), s.dollars('net_cents')];
  return sumLines(s.words.money.sums, { gross: s.dollars(gross), fee, net });
}

/** Texts under each other, without those that are empty. */
const lines = (...texts: readonly string[]): string => texts.filter(Boolean).join('\n');

/** Between a wallet and the world outside. */
const ONE_SIDED: ReadonlySet<string> = new Set(['fund', 'payout', 'chargeback', 'refund']);

/** Whether an event says which side its reader is, where there are two; once it did not. */
function tellsSide(s: EventText): boolean {
  return s.text('your_role') !== '' || ONE_SIDED.has(s.text('kind'));
}

/** The two sides of a payment, each of which hears of it: whose money it was, and for whom. */
function sidesOf(s: EventText): readonly [from: string, to: string] {
  const [own, other] = [s.handle, s.who('counterparty_handle')];
  return s.text('your_role') === 'payee' ? [other, own] : [own, other];
}

/** A payment in words; what it leads to is told by its ids. */
type Payment = (s: EventText, cents: string) => Pick<Notice, 'title' | 'body'>;

/** Payments by what they were for; what is not here is told by its name. */
const PAID: Readonly<Record<string, Payment>> = {
  fund: ({ words }, cents) => ({ title: words.money.paid.fund(cents), body: '' }),
  send: (s, cents) => ({ title: s.words.money.paid.send(...sidesOf(s), cents), body: '' }),
  purchase: (s, cents) => {
    const { purchase, purchase_held } = s.words.money.paid;
    return { title: purchase(...sidesOf(s), cents), body: purchase_held };
  },
  subscription: (s, cents) => {
    const { subscription, subscription_period } = s.words.money.paid;
    return { title: subscription(...sidesOf(s), cents), body: subscription_period };
  },
  payout: ({ words: { money } }, cents) => ({ title: money.paid.payout(cents), body: money.paid.payout_arrived }),
  chargeback: ({ words: { money } }, cents) => ({
    title: money.paid.chargeback(cents),
    body: money.paid.chargeback_won,
  }),
};

/** Why a payment was not made; a reason that has no words is told as it is. */
function whyUnpaid({ words, text }: EventText): string {
  const why: Readonly<Record<string, string>> = words.money.unpaid.why;
  const reason = text('reason');
  return (Object.hasOwn(why, reason) && why[reason]) || reason;
}

/** The same of those that came to nothing. */
const UNPAID: Readonly<Record<string, Payment>> = {
  fund: (s, cents) => ({ title: s.words.money.unpaid.fund(cents), body: s.text('reason') }),
  purchase: (s, cents) => {
    const { purchase, purchase_waits } = s.words.money.unpaid;
    return { title: purchase(...sidesOf(s), cents), body: [whyUnpaid(s), purchase_waits].filter(Boolean).join(' ') };
  },
  subscription: (s, cents) => ({
    title: s.words.money.unpaid.subscription(...sidesOf(s), cents),
    body: whyUnpaid(s),
  }),
  payout: (s, cents) => ({ title: s.words.money.unpaid.payout(cents), body: s.text('reason') }),
  chargeback: ({ words: { money } }, cents) => ({
    title: money.unpaid.chargeback(cents),
    body: money.unpaid.chargeback_bank,
  }),
  refund: ({ words: { money } }, cents) => ({ title: money.unpaid.refund(cents), body: money.unpaid.refund_of }),
};

function paymentNotice(
  s: EventText,
  told: Readonly<Record<string, Payment>>,
  other: (cents: string) => string,
): Notice {
  const [kind, cents] = [s.text('kind'), s.dollars('amount_cents')];
  const said = Object.hasOwn(told, kind) && tellsSide(s) ? told[kind]?.(s, cents) : null;
  const { receipt, what_for } = s.words.money;
  const { title, body } = said ?? { title: other(cents), body: s.text('reason') || about(what_for, kind) };
  const said_of = [body, about(receipt, s.text('journal_id'))].filter(Boolean).join(' ');
  return { title, body: lines(said_of, sumsOf(s)), path: paymentPath(s) };
}

/** What waits for a word about an amount outside the bounds. */
function escalation(s: EventText): Notice {
  const { talks } = s.words;
  const amount = s.dollars('amount_cents');
  const body = s.text('bound') === 'policy' ? talks.by_policy(s.handle) : talks.outside(amount, s.handle);
  if (isRefusedPayment(s.data)) {
    return { title: talks.refused_payment, body: `${body} ${talks.change_bounds}`, path: '/wallet' };
  }
  if (isStoredAction(s.data)) {
    const asks: Readonly<Record<string, string>> = talks.asks;
    const operation = s.text('operation');
    const what = (Object.hasOwn(asks, operation) && asks[operation]) || talks.asks_otherwise;
    const silence = about(talks.done_unless, s.time('done_at'));
    const said = [body, talks.decide_it, silence].filter(Boolean).join(' ');
    return { title: talks.wants(what, amount), body: said, path: '/approvals' };
  }
  return { title: talks.decide, body: lines(`${body} ${talks.decide_it}`, sumsOf(s)), path: conversationPath(s) };
}

function trustNotice(s: EventText): Notice {
  const { others } = s.words;
  if (s.data['silent'] === true) return { title: others.silent(s.handle), body: others.silent_days, path: '/trust' };
  const score = s.data['score'] ?? others.trust_other;
  return {
    title: others.trust(s.handle, `${score}`),
    body: about(others.proven, listText(s.data['credentials'])),
    path: '/trust',
  };
}

/** The other side of what an event is about. */
const other = (s: EventText): string => s.who('counterparty_handle');

const NOTICES: Readonly<Record<EventKind, (s: EventText) => Notice>> = {
  'match.created': (s) => {
    const score = s.data['score'];
    const { match, match_asks, match_fits } = s.words.talks;
    const body = [match_asks, typeof score === 'number' ? match_fits(Math.round(score * 100)) : ''];
    return { title: match(other(s)), body: body.filter(Boolean).join(' '), path: `/matches/${s.text('match_id')}` };
  },
  'match.approved': (s) => ({
    title: s.words.talks.interested(other(s)),
    body: s.words.talks.conversation_open,
    path: conversationPath(s),
  }),
  'conversation.started': (s) => ({ title: s.words.talks.opened(other(s)), body: '', path: conversationPath(s) }),
  'conversation.updated': (s) => ({
    title: s.words.talks.message(s.who('sender')),
    body: s.text('preview'),
    path: conversationPath(s),
  }),
  'conversation.completed': (s) => ({
    title: s.words.talks.ended(other(s)),
    body: s.text('reason'),
    path: conversationPath(s),
  }),
  'negotiation.proposed': (s) => ({
    title: s.words.talks.proposed(s.dollars('amount_cents')),
    body: lines(s.words.talks.proposed_by(other(s)), sumsOf(s)),
    path: conversationPath(s),
  }),
  'negotiation.escalated': escalation,
  'deal.agreed': (s) => ({
    title: s.words.money.agreed(other(s), s.dollars('amount_cents')),
    body: sumsOf(s),
    path: conversationPath(s),
  }),
  'escrow.opened': (s) => ({
    title: s.words.money.opened(s.dollars('amount_cents'), s.text('title')),
    body: sumsOf(s),
    path: escrowPath(s),
  }),
  'escrow.released': (s) => ({
    title: s.words.money.released(s.dollars('amount_cents')),
    body: sumsOf(s),
    path: escrowPath(s),
  }),
  'escrow.delivered': (s) => ({
    title: s.words.money.delivered(other(s)),
    body: about(s.words.money.releases_itself, s.time('auto_release_at')),
    path: escrowPath(s),
  }),
  'escrow.refunded': (s) => ({
    title: s.words.money.refunded(s.dollars('amount_cents')),
    body: s.text('by') === 'terms' ? s.words.money.refunded_by_terms : s.words.money.refunded_by_seller,
    path: escrowPath(s),
  }),
  'escrow.verification_failed': (s) => ({
    title: s.words.money.check_failed,
    body: s.text('reason'),
    path: escrowPath(s),
  }),
  'escrow.dispute_opened': (s) => ({
    title: s.words.money.dispute_opened,
    body: about(s.words.money.dispute_until, s.time('respond_by')),
    path: escrowPath(s),
  }),
  'escrow.dispute_responded': (s) => ({ title: s.words.money.dispute_answered, body: '', path: escrowPath(s) }),
  'escrow.dispute_proposed': (s) => ({
    title: s.words.money.settlement(s.who('proposed_by')),
    body: lines(
      s.words.money.settlement_shares(s.dollars('refund_cents'), s.dollars('release_cents')),
      sumsOf(s, 'release_cents'),
    ),
    path: escrowPath(s),
  }),
  'escrow.dispute_resolved': (s) => ({
    title: s.words.money.dispute_resolved,
    body: lines(s.text('outcome'), sumsOf(s, 'release_cents')),
    path: escrowPath(s),
  }),
  'meeting.scheduled': (s) => ({
    title: s.words.talks.meeting(other(s)),
    body: [s.time('starts_at'), s.minutes('duration_minutes')].filter(Boolean).join(', '),
    path: conversationPath(s),
  }),
  'meeting.completed': (s) => ({
    title: s.words.talks.met(other(s)),
    body: s.time('starts_at'),
    path: conversationPath(s),
  }),
  'payment.succeeded': (s) => paymentNotice(s, PAID, s.words.money.paid.other),
  'payment.failed': (s) => paymentNotice(s, UNPAID, s.words.money.unpaid.other),
  'subscription.updated': (s) => {
    const { money } = s.words;
    return {
      title: money.subscription(other(s), s.text('status') || money.subscription_other),
      body: s.text('changed_by') === 'terms' ? money.subscription_ended : money.subscription_wanted,
      path: '/subscriptions',
    };
  },
  'payout.connected': (s) => ({
    title: s.words.money.payee,
    body: s.words.money.payee_asked(s.handle),
    path: '/payouts',
  }),
  'key.expiring': (s) => ({
    title: s.words.others.key,
    body: s.words.others.key_until(s.text('prefix'), s.time('expires_at')),
    path: '/keys',
  }),
  'trust.updated': trustNotice,
  'agent.updated': (s) => ({
    title: s.words.others.profile(s.handle),
    body: about(s.words.others.changed, listText(s.data['fields'])),
    path: `/agents/${s.handle}`,
  }),
  'demand.posted': (s) => {
    const { wanted, at_most, at_most_until } = s.words.others;
    const [budget, until] = [s.dollars('budget_cents'), s.time('closes_at')];
    return {
      title: wanted(s.text('headline')),
      body: until === '' ? at_most(budget) : at_most_until(budget, until),
      path: `/demand/${s.text('request_id')}`,
    };
  },
  'demand.quoted': (s) => ({
    title: s.words.others.quotes(other(s), s.dollars('price_cents')),
    body: lines(about(s.words.others.about, s.text('headline')), sumsOf(s, 'price_cents')),
    path: `/demand/${s.text('request_id')}`,
  }),
  'demand.awarded': (s) => ({
    title: s.words.others.accepted(other(s), s.dollars('price_cents')),
    body: lines(about(s.words.others.about, s.text('headline')), sumsOf(s, 'price_cents')),
    path: conversationPath(s),
  }),
  'provider.suspended': (s) => ({
    title: s.words.others.suspended(s.handle, s.text('capability') || s.words.others.a_capability),
    body: s.text('last_error'),
    path: '/calls',
  }),
  'listing.reviewed': (s) => ({
    title: s.data['approved'] === true ? s.words.others.listing_approved : s.words.others.listing_refused,
    body: s.text('headline'),
    path: `/listings/${s.text('listing_id')}`,
  }),
  'listing.unmatched': (s) => ({
    title: s.words.others.listing_unmatched,
    body: s.text('headline'),
    path: `/listings/${s.text('listing_id')}`,
  }),
  'test.ping': (s) => ({ title: s.words.others.test(s.handle), body: s.text('message'), path: '/inbox' }),
};

/** What the person behind the agent `handle` reads of an event. */
export function noticeOf(
  kind: EventKind,
  handle: string,
  data: Readonly<Record<string, unknown>>,
  words: NoticeWords = ENGLISH_NOTICES,
): Notice {
  return NOTICES[kind](readerOf(handle, data, words));
}
