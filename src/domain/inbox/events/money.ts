// Event kinds of escrows, payments and subscriptions.
import { Type } from 'typebox';
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
  cents: string,
  of: { readonly s: EventText; readonly from: string; readonly to: string },
) => Pick<Notice, 'title' | 'body'>;

/** Notices by the kind of payment; an unknown kind is shown by its name. */
const PAID: Readonly<Record<string, Payment>> = {
  fund: (cents) => ({ title: `${cents} was added to the wallet`, body: '' }),
  send: (cents, { from, to }) => ({ title: `${from} sent ${cents} to ${to}`, body: '' }),
  purchase: (cents, { from, to }) => ({
    title: `${from} put ${cents} in escrow for ${to}`,
    body: 'It is held there until the buyer releases it.',
  }),
  subscription: (cents, { from, to }) => ({
    title: `${from} paid ${cents} to ${to}`,
    body: 'For a period of a subscription.',
  }),
  payout: (cents) => ({ title: `${cents} was paid out`, body: 'It has arrived.' }),
  chargeback: (cents) => ({ title: `${cents} was given back`, body: 'The payment stands after all.' }),
};

/** Why a period could not be charged, for both sides, or a deal was not paid at once, for the buyer. */
const WHY_UNPAID: Readonly<Record<string, string>> = {
  approval_required: 'The program that agreed may not pay; its person can.',
  payment_required: 'The wallet does not cover it.',
  spending_limit: 'It is above a spending limit.',
  budget: 'The budget of the key that began it does not cover it.',
  verification_required: 'The paying agent is not verified any more.',
  seller_cannot_be_paid: 'The agent to be paid cannot be paid just now.',
  account_restricted: 'The paying account owes for money that was taken back.',
};

/** A reason without a text is shown as it is. */
function whyUnpaid(s: EventText): string {
  const reason = s.text('reason');
  return (Object.hasOwn(WHY_UNPAID, reason) && WHY_UNPAID[reason]) || reason;
}

/** The same for failed payments. */
const UNPAID: Readonly<Record<string, Payment>> = {
  fund: (cents, { s }) => ({ title: `${cents} was not added to the wallet`, body: s.text('reason') }),
  purchase: (cents, { s, from, to }) => ({
    title: `${from} has yet to pay ${cents}, as agreed with ${to}`,
    body: [whyUnpaid(s), 'It is paid for under Deals, or by an escrow in their conversation.']
      .filter(Boolean)
      .join(' '),
  }),
  subscription: (cents, { s, from, to }) => ({
    title: `${from} could not pay ${cents} to ${to}`,
    body: whyUnpaid(s),
  }),
  payout: (cents, { s }) => ({ title: `${cents} came back to the wallet`, body: s.text('reason') }),
  chargeback: (cents) => ({
    title: `${cents} was taken back`,
    body: 'The bank of whoever paid it into the wallet demanded it.',
  }),
  refund: (cents) => ({ title: `${cents} was taken back`, body: 'A payment into the wallet was refunded.' }),
};

function paymentNotice(s: EventText, told: Readonly<Record<string, Payment>>, otherwise: string): Notice {
  const [kind, cents] = [s.text('kind'), s.dollars('amount_cents')];
  const [from, to] = s.text('your_role') === 'payee' ? [s.who(), s.handle] : [s.handle, s.who()];
  const said = Object.hasOwn(told, kind) && tellsSide(s) ? told[kind]?.(cents, { s, from, to }) : null;
  const what_for = s.text('reason') || about(kind, (name) => `For: ${name}.`);
  const { title, body } = said ?? { title: `${cents} ${otherwise}`, body: what_for };
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
    title: 'Money was put into escrow',
    notice: (s) => ({
      title: `${s.dollars('amount_cents')} is held for ${s.text('title')}`,
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
    title: 'A delivery came',
    notice: (s) => ({
      title: `${s.who()} has delivered`,
      body: about(s.time('auto_release_at'), (time) => `Unless it is disputed, the money is released at ${time}`),
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
    title: 'Money was released',
    notice: (s) => ({
      title: `${s.dollars('amount_cents')} was released from escrow`,
      body: sumsOf(s),
      path: escrowPath(s),
    }),
  },
  'escrow.refunded': {
    when: 'money went back to the buyer without a dispute',
    data: Type.Object({ escrow_id: ID, ...MILESTONE, amount_cents: CENTS, by: ENDED_BY }),
    author: 'counterparty',
    importance: 'important',
    title: 'Money came back',
    notice: (s) => ({
      title: `${s.dollars('amount_cents')} went back to the buyer`,
      body: s.text('by') === 'terms' ? 'It was not delivered in time.' : 'The seller gave it back.',
      path: escrowPath(s),
    }),
  },
  'escrow.verification_failed': {
    when: 'a link that the buyer asked for was not found',
    data: Type.Object({ escrow_id: ID, milestone_index: Type.Integer(), reason: TEXT }),
    author: 'counterparty',
    importance: 'important',
    title: 'A delivery failed its check',
    notice: (s) => ({ title: 'A deliverable failed its check', body: s.text('reason'), path: escrowPath(s) }),
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
    title: 'A dispute was opened',
    notice: (s) => ({
      title: 'A dispute was opened',
      body: about(s.time('respond_by'), (time) => `It can be answered until ${time}`),
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
    title: 'A dispute was answered',
    notice: (s) => ({
      title: s.text('answer') === '' ? 'A dispute was answered' : `${s.who()} rejected the settlement`,
      body: '',
      path: escrowPath(s),
    }),
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
    title: 'A settlement was proposed',
    notice: (s) => ({
      title: `${s.who('proposed_by')} proposed a settlement`,
      body: lines(
        `${s.dollars('refund_cents')} to the buyer, ${s.dollars('release_cents')} to the seller.`,
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
    title: 'A dispute is resolved',
    notice: (s) => ({
      title: 'A dispute is resolved',
      body: lines(s.text('outcome'), sumsOf(s, 'release_cents')),
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
    title: 'A payment went through',
    notice: (s) => paymentNotice(s, PAID, 'went through'),
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
    title: 'A payment failed',
    notice: (s) => paymentNotice(s, UNPAID, 'did not go through'),
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
    title: 'A subscription changed',
    notice: (s) => ({
      title: `A subscription with ${s.who()} is now ${s.text('status') || 'another'}`,
      body: s.text('changed_by') === 'terms' ? 'It has come to its end.' : 'The other side wanted it so.',
      path: '/subscriptions',
    }),
  },
} as const satisfies Readonly<Record<string, EventSpec>>;
