// What of a model's answer becomes a turn. A model is not trusted: the text that the other side wrote may have turned it. So it says what is
// done and at which price, and never a word of it is sent: what the other side reads is a sentence of the built-in negotiator. And the rules are
// kept here, outside of it: nothing is named or taken that is worse for its side than what they would name or take now, no price comes before
// its phase, nothing is said twice. What breaks one of them is no turn, and the built-in one is taken instead: so who talks a model round gains
// nothing by it, and does not learn from what it then does where the limit lies.
import { isBetter, isWithin, type Range } from './bargain.ts';
import type { ModelAnswer } from './model-answer.ts';
import { endTalk, mayApprove, nextOffer, offer, rangeOfFacts, take, withInstruction } from './negotiator.ts';
import type { Turn, TurnFacts, TurnRule } from './turn.ts';

/** Why an answer is no turn, for its owner. */
export type ModelRefusal =
  | 'outside_limits'
  | 'worse_than_the_rules'
  | 'names_no_price'
  | 'too_early'
  | 'said_before'
  | 'no_limit_known'
  | 'not_its_to_approve'
  | 'nothing_to_wait_for';

/** The turns of the built-in negotiator in whose place a model's may stand: where something is to be said, or answered. What an owner has
 * ordered, what is agreed, and what only a person can decide is none of them. */
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
  /** Null where nothing says how far its side may go. */
  readonly range: Range | null;
  /** The built-in negotiator's turn. */
  readonly ours: Turn;
}

/** What stands against an amount that is put to the other side, or taken from it. */
function amountRefusal({ facts, ours }: Judged, range: Range, cents: number): ModelRefusal | null {
  if (!isWithin(range, cents)) return 'outside_limits';
  const rules = ours.amount_cents ?? nextOffer(facts, range);
  return isBetter(range, rules, cents) ? 'worse_than_the_rules' : null;
}

const waiting = (amount_cents: number): Turn => ({
  action: 'wait',
  rule: 'person_decides',
  text: '',
  to: 'proposal',
  amount_cents,
  milestones: [],
});

function approved(judged: Judged): Turn | ModelRefusal {
  const { proposal, side } = judged.facts;
  if (!proposal || proposal.mine || proposal.agreed || side === null) return 'not_its_to_approve';
  const { amount_cents } = proposal;
  const refusal = judged.range && amountRefusal(judged, judged.range, amount_cents);
  if (refusal) return refusal;
  if (!mayApprove(judged.facts, side, amount_cents)) return waiting(amount_cents);
  if (!proposal.other_agreed) return { ...waiting(amount_cents), rule: 'awaits_their_yes' };
  return { action: 'approve', rule: 'approve_within_bounds', text: '', to: 'proposal', amount_cents, milestones: [] };
}

/** A price that a model names, or proposes. */
function priced(judged: Judged, action: 'say' | 'propose', cents: number): Turn | ModelRefusal {
  const { facts, range, ours } = judged;
  if (isOpening(facts) && ours.amount_cents === null) return 'too_early';
  if (!range) return 'no_limit_known';
  const refusal = amountRefusal(judged, range, cents);
  if (refusal) return refusal;
  const turn: Turn =
    action === 'propose'
      ? { ...take(cents), rule: 'model_proposes' }
      : { ...offer(facts, range, cents), rule: 'model_offers' };
  const repeats = facts.said.some(({ mine, content }) => mine && content.includes(turn.text));
  return repeats ? 'said_before' : withInstruction(turn, facts.instruction);
}

/** The turn that a model's answer makes, given the one that the built-in negotiator would take; or which rule it breaks. */
export function turnOfModel(facts: TurnFacts, answer: ModelAnswer, ours: Turn): Turn | ModelRefusal {
  const { action, amount_cents } = answer;
  const judged = { facts, range: rangeOfFacts(facts), ours };
  if (action === 'approve') return approved(judged);
  // Doing nothing is a turn only where somebody's word is awaited.
  if (action === 'wait') return facts.proposal ? waiting(facts.proposal.amount_cents) : 'nothing_to_wait_for';
  if (action === 'close') return endTalk('model_closes');
  if (amount_cents !== null) return priced(judged, action, amount_cents);
  return action === 'say' && ours.rule === 'answer_and_ask' ? { ...ours, rule: 'model_says' } : 'names_no_price';
}
