// Turns a model's answer into a turn. The model is not trusted. It reads no text of the other side, chooses only an action and a price, and
// none of its text is sent: the other side reads a sentence of the built-in negotiator. The rules are enforced here: no price is named or
// accepted that is worse for its side than the built-in one now, no price comes before its phase, nothing is repeated. An answer that breaks a
// rule is dropped, and the built-in turn is taken.

import { isObject } from '../json.ts';
import { dayOf } from '../text/day.ts';
import { DAY_MS } from '../time.ts';
import type { Range } from './bargain.ts';
import { isBetterBid, isWithinBid, ownPrice, paceNow, proposedBid, theirBid } from './bid.ts';
import {
  endTalk,
  mayApprove,
  nextOffer,
  offer,
  rangeOfFacts,
  take,
  waitsBeside,
  withInstruction,
} from './negotiator.ts';
import type { Bid } from './package.ts';
import type { Turn, TurnAction, TurnFacts, TurnRule } from './turn.ts';

// The daily limits (UTC) of an agent's use of a model: requests, tokens and money. A request that could exceed one is not made, and the
// built-in rules answer for the rest of the day; at four fifths, or at the first refused request, the agent's person is told, once a day.

/** For one agent and day. Money is counted in millionths of a cent, since a request costs less than a cent. */
export const MODEL_CAPS = { calls: 200, tokens: 200_000, microcents: 500_000_000 } as const;

type ModelMeasure = keyof typeof MODEL_CAPS;
export type ModelUse = Readonly<Record<ModelMeasure, number>>;

export const MODEL_MEASURES: readonly ModelMeasure[] = ['calls', 'tokens', 'microcents'];

/** Counters are kept one day longer than they count, since clocks differ. */
export const MODEL_COUNTER_MS = 2 * DAY_MS;
/** How long questions and answers are stored. */
export const MODEL_CALL_KEPT_MS = 30 * DAY_MS;

export function modelKey(measure: ModelMeasure | 'notice', agent_id: string, now_ms: number): string {
  return `model:${measure}:${agent_id}:${dayOf(now_ms)}`;
}

/** The use of requests with so many tokens; without a price no money is counted. */
export function modelUse(calls: number, tokens: number, cents_per_mtok: number | null): ModelUse {
  // Cents for a million tokens equal millionths of a cent for a token.
  return { calls, tokens, microcents: tokens * (cents_per_mtok ?? 0) };
}

export function addUse(a: ModelUse, b: ModelUse): ModelUse {
  return { calls: a.calls + b.calls, tokens: a.tokens + b.tokens, microcents: a.microcents + b.microcents };
}

/** The difference of two uses, also negative. */
export function lessUse(a: ModelUse, b: ModelUse): ModelUse {
  return { calls: a.calls - b.calls, tokens: a.tokens - b.tokens, microcents: a.microcents - b.microcents };
}

/** Whether the sum is within all limits. */
export function isWithinCaps(used: ModelUse, more: ModelUse): boolean {
  const both = addUse(used, more);
  return MODEL_MEASURES.every((measure) => both[measure] <= MODEL_CAPS[measure]);
}

/** The measure that has reached four fifths of its limit, or null. */
export function nearCap(used: ModelUse): ModelMeasure | null {
  return MODEL_MEASURES.find((measure) => used[measure] * 5 >= MODEL_CAPS[measure] * 4) ?? null;
}

/** How long a question counts as in progress without its end, since its process may have died. A question takes at most half of this, so
 * that clocks may differ by the other half. */
export const UNDER_WAY_MS = 60_000;

/** The counter whose value is the time until which a question of the agent is in progress, on any node. */
export function underWayKey(agent_id: string): string {
  return `model:under_way:${agent_id}`;
}

// A model's answer for a turn: an action and a price. It has no text field, so that no text of a model reaches the other side; other fields
// are ignored.

const ACTIONS: ReadonlySet<unknown> = new Set<TurnAction>(['say', 'propose', 'approve', 'wait', 'close']);

export interface ModelAnswer {
  readonly action: TurnAction;
  readonly amount_cents: number | null;
}

/** The JSON Schema of an answer, in keywords that all endpoints support. */
const MODEL_ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['say', 'propose', 'approve', 'wait', 'close'] },
    amount_cents: { type: ['integer', 'null'] },
  },
  required: ['action', 'amount_cents'],
  additionalProperties: false,
} as const;

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

/** Parses an answer; null where it is malformed. The price is optional. */
export function readModelAnswer(value: unknown): ModelAnswer | null {
  if (!isObject(value)) return null;
  const { action, amount_cents = null } = value;
  if (!ACTIONS.has(action) || (amount_cents !== null && !isAmount(amount_cents))) return null;
  // Checked against the set of actions above.
  return { action: action as TurnAction, amount_cents };
}

/** Why an answer was dropped, for the owner. */
export type ModelRefusal =
  | 'outside_limits'
  | 'worse_than_the_rules'
  | 'names_no_price'
  | 'too_early'
  | 'said_before'
  | 'no_limit_known'
  | 'not_its_to_approve'
  | 'nothing_to_wait_for';

/** The built-in turns that a model's may replace: those that say or answer something. Owners' orders, agreed deals and decisions of
 * persons are not among them. */
const OPEN_TO_MODELS: ReadonlySet<TurnRule> = new Set([
  'answer_and_ask',
  'first_offer',
  'concede',
  'take_offer',
  'approve_within_bounds',
  'too_far_apart',
]);

export function asksModel({ rule }: Pick<Turn, 'rule'>): boolean {
  return OPEN_TO_MODELS.has(rule);
}

const isOpening = ({ phase }: TurnFacts): boolean => ['qualification', 'verification', 'exploration'].includes(phase);

interface Judged {
  readonly facts: TurnFacts;
  /** Null without a limit. */
  readonly range: Range | null;
  /** The built-in negotiator's turn. */
  readonly ours: Turn;
}

/** What the rules would offer or take now. */
function rulesBid({ facts, ours }: Judged, range: Range): Bid {
  const { amount_cents, issues } = ours;
  return amount_cents === null ? nextOffer(facts, range) : { amount_cents, issues };
}

/** The rule that an offered or accepted bid breaks, or null. */
function bidRefusal(judged: Judged, range: Range, bid: Bid): ModelRefusal | null {
  if (!isWithinBid(judged.facts, range, bid)) return 'outside_limits';
  return isBetterBid(judged.facts, range, rulesBid(judged, range), bid) ? 'worse_than_the_rules' : null;
}

const waiting = (amount_cents: number): Turn => ({
  action: 'wait',
  rule: 'person_decides',
  text: '',
  to: 'proposal',
  amount_cents,
  milestones: [],
  issues: [],
});

function approved(judged: Judged): Turn | ModelRefusal {
  const { proposal, side } = judged.facts;
  if (!proposal || proposal.mine || proposal.agreed || side === null) return 'not_its_to_approve';
  const bid = proposedBid(proposal);
  const refusal = judged.range && bidRefusal(judged, judged.range, bid);
  if (refusal) return refusal;
  if (waitsBeside(judged.facts, bid)) return 'not_its_to_approve';
  const waits = waiting(bid.amount_cents);
  if (!mayApprove(judged.facts, side, bid)) return waits;
  if (!proposal.other_agreed) return { ...waits, rule: 'awaits_their_yes' };
  return { ...waits, action: 'approve', rule: 'approve_within_bounds' };
}

/** The turn for a price that a model names or proposes. */
function priced(judged: Judged, action: 'say' | 'propose', cents: number): Turn | ModelRefusal {
  const { facts, range, ours } = judged;
  if (isOpening(facts) && ours.amount_cents === null) return 'too_early';
  if (!range) return 'no_limit_known';
  const bid = { ...rulesBid(judged, range), amount_cents: cents };
  const refusal = bidRefusal(judged, range, bid);
  if (refusal) return refusal;
  const turn: Turn =
    action === 'propose'
      ? { ...take(bid), rule: 'model_proposes' }
      : { ...offer(facts, range, bid, paceNow(facts, range).step), rule: 'model_offers' };
  const repeats = facts.said.some(({ mine, content }) => mine && content.includes(turn.text));
  return repeats ? 'said_before' : withInstruction(turn, facts.instruction);
}

/** The turn of a model's answer, given the built-in turn; or the rule that it breaks. */
export function turnOfModel(facts: TurnFacts, answer: ModelAnswer, ours: Turn): Turn | ModelRefusal {
  const { action, amount_cents } = answer;
  const judged = { facts, range: rangeOfFacts(facts), ours };
  if (action === 'approve') return approved(judged);
  // Waiting is a turn only where an answer is pending.
  if (action === 'wait') return facts.proposal ? waiting(facts.proposal.amount_cents) : 'nothing_to_wait_for';
  if (action === 'close') return endTalk('model_closes');
  if (amount_cents !== null) return priced(judged, action, amount_cents);
  return action === 'say' && ours.rule === 'answer_and_ask' ? { ...ours, rule: 'model_says' } : 'names_no_price';
}

// The question to a model for a turn: facts of its own side, and the prices that were named. It holds no word that the other side, or an
// entry of knowledge, could have chosen, so that no text can talk a model round. The model never gets the limit, only the amount that the
// built-in negotiator would name now, so that it cannot be made to disclose the limit.

export interface Asking {
  readonly name: string;
  readonly system: string;
  readonly user: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const RULES = [
  'You decide the next turn of one side in a negotiation between two agents on a marketplace. The message is written for you: you write no words.',
  'Answer with one JSON object and nothing else: action, amount_cents.',
  'action "say": goes on with the talk. In the phases qualification, verification and exploration amount_cents is null; later it is the price that is named.',
  'action "propose": a formal proposal of amount_cents, once both sides agree on a price.',
  'action "approve": agrees to the proposal that stands. "wait": a person has to decide on it. "close": ends the talk politely.',
  'Name the price that FACTS call price_now_cents, or one that is better for your side; nothing else is taken.',
];

/** The question of a turn; `ours` is the built-in turn, `me` the agent's handle. */
export function turnQuestion(facts: TurnFacts, ours: Turn, me: string): Asking {
  const { side, phase, listing, said, proposal, instruction } = facts;
  const own = {
    you: `@${me}`,
    your_side: side,
    phase,
    your_listing: listing && {
      headline: listing.headline,
      labels: listing.labels,
      dealbreakers: listing.dealbreakers,
      listed_cents: side === 'seller' ? listing.cents : null,
    },
    your_price_cents: ownPrice(said),
    their_price_cents: theirBid(facts)?.amount_cents ?? null,
    proposal_that_stands: proposal && { by: proposal.mine ? 'you' : 'other', cents: proposal.amount_cents },
    price_now_cents: ours.amount_cents,
    the_rules_would: { action: ours.action },
  };
  const parts = [
    `FACTS: ${JSON.stringify(own)}`,
    ...(instruction === null ? [] : [`YOUR OWNER asks of this turn: ${JSON.stringify(instruction)}`]),
    'Decide the next turn of your side.',
  ];
  return { name: 'negotiation_turn', system: RULES.join('\n'), user: parts.join('\n\n'), schema: MODEL_ANSWER_SCHEMA };
}
