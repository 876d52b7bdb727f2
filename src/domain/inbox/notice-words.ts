// The words of notices: what a person reads of an event, in one language. Whatever is put in is a name, an amount or a time as people
// write it, and stands where the language has it.
import { ENGLISH_SUMS } from '../money/sum-lines.ts';
import type { Performable } from '../negotiation/action.ts';

/** Of a payment between two agents. */
type Between = (from: string, to: string, cents: string) => string;
type OfAmount = (cents: string) => string;
type Of = (name: string) => string;
type OfTwo = (first: string, second: string) => string;

const paid = {
  fund: ((cents) => `${cents} was added to the wallet`) satisfies OfAmount,
  send: ((from, to, cents) => `${from} sent ${cents} to ${to}`) satisfies Between,
  purchase: ((from, to, cents) => `${from} put ${cents} in escrow for ${to}`) satisfies Between,
  purchase_held: 'It is held there until the buyer releases it.',
  subscription: ((from, to, cents) => `${from} paid ${cents} to ${to}`) satisfies Between,
  subscription_period: 'For a period of a subscription.',
  payout: ((cents) => `${cents} was paid out`) satisfies OfAmount,
  payout_arrived: 'It has arrived.',
  chargeback: ((cents) => `${cents} was given back`) satisfies OfAmount,
  chargeback_won: 'The payment stands after all.',
  other: ((cents) => `${cents} went through`) satisfies OfAmount,
};

const unpaid = {
  fund: ((cents) => `${cents} was not added to the wallet`) satisfies OfAmount,
  purchase: ((from, to, cents) => `${from} has yet to pay ${cents}, as agreed with ${to}`) satisfies Between,
  purchase_waits: 'It is paid for under Deals, or by an escrow in their conversation.',
  subscription: ((from, to, cents) => `${from} could not pay ${cents} to ${to}`) satisfies Between,
  payout: ((cents) => `${cents} came back to the wallet`) satisfies OfAmount,
  chargeback: ((cents) => `${cents} was taken back`) satisfies OfAmount,
  chargeback_bank: 'The bank of whoever paid it into the wallet demanded it.',
  refund: ((cents) => `${cents} was taken back`) satisfies OfAmount,
  refund_of: 'A payment into the wallet was refunded.',
  other: ((cents) => `${cents} did not go through`) satisfies OfAmount,
  /** Why a period could not be charged, for both sides, or an agreement not paid for at once, for the buyer. */
  why: {
    approval_required: 'The program that agreed may not pay; its person can.',
    payment_required: 'The wallet does not cover it.',
    spending_limit: 'It is above a spending limit.',
    budget: 'The budget of the key that began it does not cover it.',
    verification_required: 'The paying agent is not verified any more.',
    seller_cannot_be_paid: 'The agent to be paid cannot be paid just now.',
    account_restricted: 'The paying account owes for money that was taken back.',
  },
};

const money = {
  paid,
  unpaid,
  receipt: (id: string) => `Signed receipt: ${id}`,
  what_for: (kind: string) => `For: ${kind}.`,
  released: ((cents) => `${cents} was released from escrow`) satisfies OfAmount,
  agreed: ((who, amount) => `You and ${who} have agreed on ${amount}`) satisfies OfTwo,
  opened: ((amount, title) => `${amount} is held for ${title}`) satisfies OfTwo,
  sums: ENGLISH_SUMS,
  delivered: ((who) => `${who} has delivered`) satisfies Of,
  releases_itself: (time: string) => `Unless it is disputed, the money is released at ${time}`,
  refunded: ((cents) => `${cents} went back to the buyer`) satisfies OfAmount,
  refunded_by_terms: 'It was not delivered in time.',
  refunded_by_seller: 'The seller gave it back.',
  check_failed: 'A deliverable failed its check',
  dispute_opened: 'A dispute was opened',
  dispute_until: (time: string) => `It can be answered until ${time}`,
  dispute_answered: 'A dispute was answered',
  settlement: ((who) => `${who} proposed a settlement`) satisfies Of,
  settlement_shares: (buyer: string, seller: string) => `${buyer} to the buyer, ${seller} to the seller.`,
  dispute_resolved: 'A dispute is resolved',
  subscription: (who: string, status: string) => `A subscription with ${who} is now ${status}`,
  subscription_other: 'another',
  subscription_ended: 'It has come to its end.',
  subscription_wanted: 'The other side wanted it so.',
  payee: 'A payout account was connected',
  payee_asked: ((who) => `${who} asked for it. If that was not you, revoke its key.`) satisfies Of,
};

const talks = {
  match: ((who) => `New match with ${who}`) satisfies Of,
  match_asks: 'Say whether you are interested.',
  match_fits: (percent: number) => `It fits to ${percent} of 100.`,
  interested: ((who) => `${who} is interested`) satisfies Of,
  conversation_open: 'A conversation is open.',
  opened: ((who) => `${who} opened a conversation`) satisfies Of,
  message: ((who) => `New message from ${who}`) satisfies Of,
  ended: ((who) => `The conversation with ${who} has ended`) satisfies Of,
  proposed: ((cents) => `A proposal of ${cents} needs your answer`) satisfies OfAmount,
  proposed_by: ((who) => `In the conversation with ${who}. Approve or reject it.`) satisfies Of,
  outside: (cents: string, who: string) => `${cents} is outside the bounds of ${who}.`,
  /** A policy asks of an amount that is within the bounds. */
  by_policy: ((who) => `A policy of ${who} asks you first.`) satisfies Of,
  refused_payment: 'A payment was refused',
  change_bounds: 'Change the bounds to allow it.',
  wants: (what: string, cents: string) => `Your agent wants to ${what}: ${cents}`,
  asks: {
    'wallet.send': 'send money',
    'marketplace.checkout': 'buy a listing',
    'escrow.create': 'open an escrow',
    'subscription.create': 'subscribe to an agent',
    'demand.quote': 'quote a price',
    'demand.award': 'award a request',
    'router_call.make': 'call a capability',
  } satisfies Record<Performable, string>,
  asks_otherwise: 'pay',
  decide: 'A proposal needs your decision',
  decide_it: 'Approve or reject it.',
  done_unless: (time: string) => `Without an answer it is done at ${time}.`,
  meeting: ((who) => `A meeting with ${who} is set`) satisfies Of,
  met: ((who) => `A meeting with ${who} took place`) satisfies Of,
  minutes: (n: number) => `${n} minutes`,
};

const others = {
  key: 'An API key ends soon',
  key_until: (prefix: string, time: string) => `${prefix}… works until ${time}. Its program can renew it until then.`,
  silent: ((who) => `The badges of ${who} are marked failing`) satisfies Of,
  silent_days: 'Nothing was heard of it for 14 days. They hold again once it is back.',
  trust: (who: string, score: string) => `The trust score of ${who} is now ${score}`,
  trust_other: 'another',
  proven: (credentials: string) => `Proven: ${credentials}`,
  profile: ((who) => `The profile of ${who} has changed`) satisfies Of,
  changed: (fields: string) => `Changed: ${fields}`,
  wanted: (headline: string) => `Wanted: ${headline}`,
  at_most: ((cents) => `${cents} at most.`) satisfies OfAmount,
  at_most_until: (cents: string, time: string) => `${cents} at most, until ${time}.`,
  quotes: (who: string, cents: string) => `${who} quotes ${cents}`,
  accepted: (who: string, cents: string) => `${who} accepted your quote of ${cents}`,
  about: (headline: string) => `For: ${headline}`,
  suspended: (who: string, capability: string) => `${who} is no longer called for ${capability}`,
  a_capability: 'a capability',
  listing_approved: 'Your listing was approved',
  listing_unmatched: 'Nothing fits your listing yet',
  listing_refused: 'Your listing was refused',
  test: ((who) => `A test event for ${who}`) satisfies Of,
};

/** English, the only language so far. */
export const ENGLISH_NOTICES = {
  some_amount: 'An amount',
  somebody: 'another agent',
  money,
  talks,
  others,
};

/** The words of a language. */
export type NoticeWords = typeof ENGLISH_NOTICES;
