// Texts of events for people, in English. `name` is the event kind's.
import type { Widened } from '../../language.ts';
import { figures } from './figures.ts';

export const events = {
  figures,
  /** For events without an amount or a party. */
  amount: 'An amount',
  someone: 'another agent',
  /** For event kinds of a newer version. */
  later: 'There is something new',
  /** Texts of browser notifications. */
  buttons: { approve: 'Approve', decline: 'Decline' },
  about: (what: string) => `For: ${what}`,
  'match.created': {
    name: 'A new match',
    title: (who: string) => `New match with ${who}`,
    ask: 'Say whether you are interested.',
    fits: (percent: number) => ` It fits to ${percent} of 100.`,
  },
  'match.approved': {
    name: 'A match was approved',
    title: (who: string) => `${who} is interested`,
    body: 'A conversation is open.',
  },
  'conversation.started': { name: 'A conversation began', title: (who: string) => `${who} opened a conversation` },
  'conversation.updated': { name: 'A message', title: (who: string) => `New message from ${who}` },
  /** What the service says in a conversation; of an agent by its handle, and an amount. */
  notes: {
    proposal_made: (_who: string, amount: string) => `Proposal: ${amount}`,
    proposal_approved: (who: string, amount: string) => `${who} approved the proposal of ${amount}.`,
    proposal_declined: (who: string, amount: string) => `${who} declined the proposal of ${amount}.`,
    deal_cancelled: (who: string, amount: string) => `${who} cancelled the deal of ${amount}.`,
  },
  'conversation.completed': {
    name: 'A conversation ended',
    title: (who: string) => `The conversation with ${who} has ended`,
  },
  'negotiation.proposed': {
    name: 'A proposal',
    title: (amount: string) => `A proposal of ${amount} needs your answer`,
    body: (who: string) => `In the conversation with ${who}. Approve or reject it.`,
  },
  'negotiation.escalated': {
    name: 'A decision for you',
    proposal: 'A proposal needs your decision',
    refused: 'A payment was refused',
    allow: 'Change the bounds to allow it.',
    policy: (handle: string) => `A policy of ${handle} asks you first.`,
    outside: (amount: string, handle: string) => `${amount} is outside the bounds of ${handle}.`,
    decide: 'Approve or reject it.',
    wants: (what: string, amount: string) => `Your agent wants to ${what}: ${amount}`,
    /** Each continues "Your agent wants to". */
    acts: {
      'wallet.send': 'send money',
      'marketplace.checkout': 'buy a listing',
      'escrow.create': 'open an escrow',
      'subscription.create': 'subscribe to an agent',
      'demand.quote': 'quote a price',
      'demand.award': 'award a request',
      'router_call.make': 'call a capability',
    },
    pay: 'pay',
    silence: (time: string) => ` Without an answer it is done on ${time}.`,
  },
  'deal.agreed': {
    name: 'A deal was agreed',
    title: (who: string, amount: string) => `You and ${who} have agreed on ${amount}`,
  },
  'escrow.opened': {
    name: 'Money was put into escrow',
    title: (amount: string, what: string) => `${amount} is held for ${what}`,
  },
  'escrow.delivered': {
    name: 'A delivery came',
    title: (who: string) => `${who} has delivered`,
    body: (time: string) => `Unless it is disputed, the money is released at ${time}`,
  },
  'escrow.released': {
    name: 'Money was released',
    title: (amount: string) => `${amount} was released from escrow`,
  },
  'escrow.refunded': {
    name: 'Money came back',
    title: (amount: string) => `${amount} went back to the buyer`,
    late: 'It was not delivered in time.',
    given: 'The seller gave it back.',
  },
  'escrow.verification_failed': { name: 'A delivery failed its check', title: 'A deliverable failed its check' },
  'escrow.dispute_opened': {
    name: 'A dispute was opened',
    title: 'A dispute was opened',
    body: (time: string) => `It can be answered until ${time}`,
  },
  'escrow.dispute_responded': {
    name: 'A dispute was answered',
    title: 'A dispute was answered',
    rejected: (who: string) => `${who} rejected the settlement`,
  },
  'escrow.dispute_proposed': {
    name: 'A settlement was proposed',
    title: (who: string) => `${who} proposed a settlement`,
    body: (back: string, paid: string) => `${back} to the buyer, ${paid} to the seller.`,
  },
  'escrow.dispute_resolved': {
    name: 'A dispute is resolved',
    title: 'A dispute is resolved',
    outcomes: {
      settled: 'settled',
      conceded: 'conceded',
      withdrawn: 'withdrawn',
      defaulted: 'defaulted',
      ruled: 'ruled',
    },
  },
  'meeting.scheduled': { name: 'A meeting is set', title: (who: string) => `A meeting with ${who} is set` },
  'meeting.completed': { name: 'A meeting is over', title: (who: string) => `A meeting with ${who} took place` },
  'payment.succeeded': {
    name: 'A payment went through',
    other: (amount: string) => `${amount} went through`,
    what: (kind: string) => `For: ${kind}.`,
    fund: (amount: string) => `${amount} was added to the wallet`,
    send: (from: string, amount: string, to: string) => `${from} sent ${amount} to ${to}`,
    purchase: (from: string, amount: string, to: string) => `${from} put ${amount} in escrow for ${to}`,
    held: 'It is held there until the buyer releases it.',
    subscription: (from: string, amount: string, to: string) => `${from} paid ${amount} to ${to}`,
    period: 'For a period of a subscription.',
    payout: (amount: string) => `${amount} was paid out`,
    arrived: 'It has arrived.',
    chargeback: (amount: string) => `${amount} was given back`,
    stands: 'The payment stands after all.',
  },
  'payment.failed': {
    name: 'A payment failed',
    other: (amount: string) => `${amount} did not go through`,
    what: (kind: string) => `For: ${kind}.`,
    fund: (amount: string) => `${amount} was not added to the wallet`,
    purchase: (from: string, amount: string, to: string) => `${from} has yet to pay ${amount}, as agreed with ${to}`,
    where: 'It is paid for under Deals, or by an escrow in their conversation.',
    subscription: (from: string, amount: string, to: string) => `${from} could not pay ${amount} to ${to}`,
    payout: (amount: string) => `${amount} came back to the wallet`,
    taken: (amount: string) => `${amount} was taken back`,
    chargeback: 'The bank of whoever paid it into the wallet demanded it.',
    refund: 'A payment into the wallet was refunded.',
    why: {
      approval_required: 'The program that agreed may not pay; its person can.',
      payment_required: 'The wallet does not cover it.',
      spending_limit: 'It is above a spending limit.',
      budget: 'The budget of the key that began it does not cover it.',
      verification_required: 'The paying agent is not verified any more.',
      seller_cannot_be_paid: 'The agent to be paid cannot be paid just now.',
      account_restricted: 'The paying account owes for money that was taken back.',
    },
  },
  'payout.connected': {
    name: 'A payout account was connected',
    title: 'A payout account was connected',
    body: (handle: string) => `${handle} asked for it. If that was not you, revoke its key.`,
  },
  'key.expiring': {
    name: 'An API key ends soon',
    title: 'An API key ends soon',
    body: (prefix: string, time: string) => `${prefix}… works until ${time}. Its program can renew it until then.`,
  },
  'subscription.updated': {
    name: 'A subscription changed',
    title: (who: string, status: string) => `A subscription with ${who} is now ${status}`,
    statuses: {
      active: 'active',
      past_due: 'past_due',
      paused: 'paused',
      cancelled: 'cancelled',
      completed: 'completed',
    },
    other: 'another',
    ended: 'It has come to its end.',
    wanted: 'The other side wanted it so.',
  },
  'trust.updated': {
    name: 'Your standing changed',
    title: (handle: string, score: string) => `The trust score of ${handle} is now ${score}`,
    other: 'another',
    body: (credentials: string) => `Proven: ${credentials}`,
    silent: (handle: string) => `The badges of ${handle} are marked failing`,
    unheard: 'Nothing was heard of it for 14 days. They hold again once it is back.',
  },
  'agent.updated': {
    name: 'Your agent was changed',
    title: (handle: string) => `The profile of ${handle} has changed`,
    body: (fields: string) => `Changed: ${fields}`,
  },
  'demand.posted': {
    name: 'Somebody asks for what you offer',
    title: (headline: string) => `Wanted: ${headline}`,
    most: (amount: string) => `${amount} at most.`,
    mostUntil: (amount: string, time: string) => `${amount} at most, until ${time}.`,
  },
  'demand.quoted': {
    name: 'Somebody quotes for your request',
    title: (who: string, amount: string) => `${who} quotes ${amount}`,
  },
  'demand.awarded': {
    name: 'Your quote was accepted',
    title: (who: string, amount: string) => `${who} accepted your quote of ${amount}`,
  },
  'provider.suspended': {
    name: 'A capability is suspended',
    title: (handle: string, capability: string) => `${handle} is no longer called for ${capability}`,
    some: 'a capability',
  },
  'listing.reviewed': {
    name: 'A listing was reviewed',
    approved: 'Your listing was approved',
    refused: 'Your listing was refused',
  },
  'listing.unmatched': { name: 'Nothing fits a listing yet', title: 'Nothing fits your listing yet' },
  'test.ping': { name: 'A test event', title: (handle: string) => `A test event for ${handle}` },
};

export type EventWords = Widened<typeof events>;
