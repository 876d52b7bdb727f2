// Event kinds of escrows, payments and subscriptions.
import { Type } from 'typebox';
import { LINK_FAULT, linkFaultText } from '../../escrow/link-fault.ts';
import type { EventWords } from '../../words/en/events.ts';
import {
  type Actions,
  about,
  CENTS,
  type EventData,
  type EventSpec,
  type EventText,
  HANDLE,
  ID,
  ID_OR_NULL,
  lines,
  type Notice,
  OTHER,
  SUMS,
  sumsOf,
  TEXT,
  TIME,
  TIME_OR_NULL,
  worded,
} from './spec.ts';

const escrowPath = (s: EventText): string => `/escrows/${s.text('escrow_id')}`;
const paymentPath = (s: EventText): string => {
  if (s.text('escrow_id') !== '') return escrowPath(s);
  if (s.text('kind') === 'payout') return '/payouts';
  if (s.text('deal_id') !== '') return '/deals';
  return s.text('subscription_id') === '' ? '/wallet' : `/subscriptions/${s.text('subscription_id')}`;
};

/** Payments between a wallet and the outside. */
const ONE_SIDED: ReadonlySet<string> = new Set(['fund', 'payout', 'chargeback', 'refund']);

/** Whether an event names its reader's side, or has only one; older events do not. */
function tellsSide(s: EventText): boolean {
  return s.text('your_role') !== '' || ONE_SIDED.has(s.text('kind'));
}

/** The notice of a payment. `from` and `to` are its two sides. */
type Payment = (
  amount: string,
  of: { readonly s: EventText; readonly from: string; readonly to: string },
) => Pick<Notice, 'title' | 'body'>;

/** Notices by the kind of payment; an unknown kind is shown by its name. */
function paidIn({ 'payment.succeeded': words }: EventWords): Readonly<Record<string, Payment>> {
  return {
    fund: (amount) => ({ title: words.fund(amount), body: '' }),
    send: (amount, { from, to }) => ({ title: words.send(from, amount, to), body: '' }),
    purchase: (amount, { from, to }) => ({ title: words.purchase(from, amount, to), body: words.held }),
    subscription: (amount, { from, to }) => ({ title: words.subscription(from, amount, to), body: words.period }),
    payout: (amount) => ({ title: words.payout(amount), body: words.arrived }),
    chargeback: (amount) => ({ title: words.chargeback(amount), body: words.stands }),
  };
}

/** The same for failed payments. */
function unpaidIn({ 'payment.failed': words }: EventWords): Readonly<Record<string, Payment>> {
  const why = (s: EventText): string => worded(words.why, s.text('reason'));
  return {
    fund: (amount, { s }) => ({ title: words.fund(amount), body: worded(words.funding, s.text('reason')) }),
    purchase: (amount, { s, from, to }) => ({
      title: words.purchase(from, amount, to),
      body: [why(s), words.where].filter(Boolean).join(' '),
    }),
    subscription: (amount, { s, from, to }) => ({ title: words.subscription(from, amount, to), body: why(s) }),
    payout: (amount, { s }) => ({ title: words.payout(amount), body: worded(words.payouts, s.text('reason')) }),
    chargeback: (amount) => ({ title: words.taken(amount), body: words.chargeback }),
    refund: (amount) => ({ title: words.taken(amount), body: words.refund }),
  };
}

function paymentNotice(
  s: EventText,
  told: Readonly<Record<string, Payment>>,
  { other, what }: { readonly other: (amount: string) => string; readonly what: (kind: string) => string },
): Notice {
  const [kind, amount] = [s.text('kind'), s.money('amount_cents')];
  const [from, to] = s.text('your_role') === 'payee' ? [s.who(), s.handle] : [s.handle, s.who()];
  const said = Object.hasOwn(told, kind) && tellsSide(s) ? told[kind]?.(amount, { s, from, to }) : null;
  const { title, body } = said ?? { title: other(amount), body: s.text('reason') || about(kind, what) };
  return { title, body: lines(body, sumsOf(s)), path: paymentPath(s) };
}

const RELEASE: Actions = { release: { label: 'Accept it, and release the money' } };
const CHANGE: Actions = { request_change: { label: 'Ask for a change in the note' } };
const DISPUTE: Actions = { dispute: { label: 'Open a dispute, with the reason in the note' } };

const settlement = (data: EventData): EventData => ({
  refund_cents: data['refund_cents'],
  release_cents: data['release_cents'],
});

const MILESTONE = {
  milestone_index: Type.Union([Type.Integer(), Type.Null()], { description: 'null where it was more than one' }),
};
const ENDED_BY = Type.Enum(['buyer', 'seller', 'evidence', 'terms', 'dispute']);
const DISPUTED = { escrow_id: ID, dispute_id: ID, respond_by: TIME };
const SPLIT = { refund_cents: CENTS, release_cents: CENTS, ...SUMS };

export const ESCROWS = {
  'escrow.opened': {
    when: 'money was put in escrow',
    data: Type.Object({
      escrow_id: ID,
      deal_id: ID,
      conversation_id: ID_OR_NULL,
      title: TEXT,
      amount_cents: CENTS,
      ...SUMS,
      ...OTHER,
      your_side: Type.Enum(['buyer', 'seller']),
    }),
    author: 'counterparty',
    importance: 'normal',
    notice: (s) => ({
      title: s.words['escrow.opened'].title(s.money('amount_cents'), s.text('title')),
      body: sumsOf(s),
      path: escrowPath(s),
    }),
  },
  'escrow.delivered': {
    when: 'the seller delivered',
    data: Type.Object({
      escrow_id: ID,
      conversation_id: ID_OR_NULL,
      milestone_index: Type.Integer(),
      ...OTHER,
      auto_release_at: TIME_OR_NULL,
    }),
    author: 'counterparty',
    importance: 'important',
    // A change is requested in the conversation of the escrow.
    actions: ({ conversation_id }: EventData): Actions =>
      typeof conversation_id === 'string' ? { ...RELEASE, ...CHANGE, ...DISPUTE } : { ...RELEASE, ...DISPUTE },
    untimed: true,
    notice: (s) => ({
      title: s.words['escrow.delivered'].title(s.who()),
      body: about(s.time('auto_release_at'), s.words['escrow.delivered'].body),
      path: escrowPath(s),
    }),
  },
  'escrow.released': {
    when: 'money was released to the seller; the one that completes a deal asks for a review',
    data: Type.Object({
      escrow_id: ID,
      deal_id: ID,
      ...MILESTONE,
      amount_cents: CENTS,
      ...SUMS,
      by: ENDED_BY,
    }),
    author: 'counterparty',
    importance: 'important',
    // For the last release of a deal.
    actions: { review: { label: 'Review the deal', input: () => ({ rating: null }) } },
    untimed: true,
    notice: (s) => ({
      title: s.words['escrow.released'].title(s.money('amount_cents')),
      body: sumsOf(s),
      path: escrowPath(s),
    }),
  },
  'escrow.refunded': {
    when: 'money went back to the buyer without a dispute',
    data: Type.Object({ escrow_id: ID, ...MILESTONE, amount_cents: CENTS, by: ENDED_BY }),
    author: 'counterparty',
    importance: 'important',
    notice: (s) => ({
      title: s.words['escrow.refunded'].title(s.money('amount_cents')),
      body: s.words['escrow.refunded'][s.text('by') === 'terms' ? 'late' : 'given'],
      path: escrowPath(s),
    }),
  },
  'escrow.verification_failed': {
    when: 'a link that the buyer asked for was not found',
    data: Type.Object({ escrow_id: ID, milestone_index: Type.Integer(), reason: TEXT, ...LINK_FAULT }),
    author: 'counterparty',
    importance: 'important',
    notice: (s) => ({
      title: s.words['escrow.verification_failed'].title,
      body:
        linkFaultText(s.data['code'], s.data['status'], s.words['escrow.verification_failed'].why) ?? s.text('reason'),
      path: escrowPath(s),
    }),
  },
  'escrow.dispute_opened': {
    when: 'a dispute was opened',
    data: Type.Object({ ...DISPUTED, reason: TEXT, ...OTHER, your_role: Type.Enum(['opener', 'respondent']) }),
    author: 'counterparty',
    importance: 'urgent',
    // The respondent of a dispute gets a separate letter.
    own_letter: (data) => data['your_role'] === 'respondent',
    actions: {
      respond: { label: 'State your side in the note' },
      concede: { label: 'Concede the dispute', late: true },
    },
    notice: (s) => ({
      title: s.words['escrow.dispute_opened'].title,
      body: about(s.time('respond_by'), s.words['escrow.dispute_opened'].body),
      path: escrowPath(s),
    }),
  },
  'escrow.dispute_responded': {
    when: 'the respondent answered a dispute, or the other side rejected a settlement',
    data: Type.Object({
      ...DISPUTED,
      answer: Type.Optional(Type.Literal('settlement_rejected')),
      ...OTHER,
    }),
    author: 'counterparty',
    importance: 'urgent',
    notice: (s) => {
      const { title, rejected } = s.words['escrow.dispute_responded'];
      return { title: s.text('answer') === '' ? title : rejected(s.who()), body: '', path: escrowPath(s) };
    },
  },
  'escrow.dispute_proposed': {
    when: 'a side proposed a settlement',
    data: Type.Object({ ...DISPUTED, ...SPLIT, proposed_by: HANDLE, ...OTHER }),
    author: 'counterparty',
    importance: 'urgent',
    // Of the other side's proposal.
    actions: {
      accept: { label: 'Accept the settlement', input: settlement },
      reject: { label: 'Reject the settlement', input: settlement },
    },
    untimed: true,
    notice: (s) => ({
      title: s.words['escrow.dispute_proposed'].title(s.who('proposed_by')),
      body: lines(
        s.words['escrow.dispute_proposed'].body(s.money('refund_cents'), s.money('release_cents')),
        sumsOf(s, 'release_cents'),
      ),
      path: escrowPath(s),
    }),
  },
  'escrow.dispute_resolved': {
    when: 'a dispute is over',
    data: Type.Object({ ...DISPUTED, outcome: TEXT, ...SPLIT, ...OTHER }),
    author: 'counterparty',
    importance: 'urgent',
    notice: (s) => ({
      title: s.words['escrow.dispute_resolved'].title,
      body: lines(worded(s.words['escrow.dispute_resolved'].outcomes, s.text('outcome')), sumsOf(s, 'release_cents')),
      path: escrowPath(s),
    }),
  },
} as const satisfies Readonly<Record<string, EventSpec>>;

/** With two sides, both are named. */
const PAYMENT = {
  kind: Type.Enum(['fund', 'send', 'purchase', 'subscription', 'payout', 'chargeback', 'refund']),
  amount_cents: CENTS,
  reference_id: ID,
  ...Type.Partial(Type.Object({ ...OTHER, your_role: Type.Enum(['payer', 'payee']), subscription_id: ID })).properties,
};

export const PAYMENTS = {
  'payment.succeeded': {
    when: 'a payment went through',
    data: Type.Object({
      ...PAYMENT,
      ...Type.Partial(
        Type.Object({
          escrow_id: ID,
          listing_id: ID_OR_NULL,
          held: Type.Literal(true, { description: 'it is in escrow' }),
          journal_id: Type.String({ description: 'the id of its signed receipt' }),
          ...SUMS,
        }),
      ).properties,
    }),
    author: 'counterparty',
    importance: 'normal',
    notice: (s) => paymentNotice(s, paidIn(s.words), s.words['payment.succeeded']),
  },
  'payment.failed': {
    when: 'a payment did not go through, or was taken back',
    data: Type.Object({
      ...PAYMENT,
      ...Type.Partial(
        Type.Object({
          reason: TEXT,
          deal_id: ID,
          conversation_id: ID_OR_NULL,
          status: Type.String({ description: 'of the subscription after it' }),
        }),
      ).properties,
    }),
    author: 'counterparty',
    importance: 'important',
    notice: (s) => paymentNotice(s, unpaidIn(s.words), s.words['payment.failed']),
  },
} as const satisfies Readonly<Record<string, EventSpec>>;

export const SUBSCRIPTIONS = {
  'subscription.updated': {
    when: 'the other side changed a subscription, or it ended',
    data: Type.Object({
      subscription_id: ID,
      status: TEXT,
      changed_by: Type.Enum(['buyer', 'seller', 'terms']),
      ...OTHER,
    }),
    author: 'counterparty',
    importance: 'normal',
    notice: (s) => {
      const { title, statuses, other, ended, wanted } = s.words['subscription.updated'];
      return {
        title: title(s.who(), worded(statuses, s.text('status')) || other),
        body: s.text('changed_by') === 'terms' ? ended : wanted,
        path: '/subscriptions',
      };
    },
  },
} as const satisfies Readonly<Record<string, EventSpec>>;
