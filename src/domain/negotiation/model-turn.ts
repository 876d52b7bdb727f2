// What of a model's answer becomes a turn. A model is not trusted: the text that the other side wrote may have turned it. So the rules of
// the built-in negotiator are kept here, outside of it: nothing outside the limits is named or taken, no limit is told, no price before
// its phase, nothing private, nothing twice. What breaks one of them is no turn, and the built-in one is taken instead.
import { isWithin, type Range } from './bargain.ts';
import { heardIn } from './heard.ts';
import type { ModelAnswer } from './model-answer.ts';
import { moneyNamed, namesAmount } from './named-amounts.ts';
import { rangeOfFacts } from './negotiator.ts';
import { amountNamed } from './price.ts';
import { boundPassed, figuresFault, isAutomatic } from './proposal.ts';
import { saidFault } from './told.ts';
import type { Turn, TurnFacts, TurnRule } from './turn.ts';

/** Why an answer is no turn, for its owner. */
export type ModelRefusal =
  | 'nothing_said'
  | 'private_data'
  | 'names_a_limit'
  | 'outside_limits'
  | 'two_prices'
  | 'too_early'
  | 'said_before'
  | 'wrong_figures'
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

/** Whether a model is asked at all. */
export function asksModel({ rule }: Pick<Turn, 'rule'>): boolean {
  return OPEN_TO_MODELS.has(rule);
}

const isOpening = ({ phase }: TurnFacts): boolean => ['qualification', 'verification', 'exploration'].includes(phase);

/** The price that an answer puts to the other side, in its field or in its text, which is what that side reads. */
function priceOf({ text, amount_cents }: ModelAnswer): number | null | 'two_prices' {
  const said = amountNamed(text);
  if (said !== null && amount_cents !== null && said !== amount_cents) return 'two_prices';
  return amount_cents ?? said;
}

/** Whether words name one of the owner's limits. As a price that is offered in so many words it may be named where it is proposed, or where
 * the other side has named it: it tells nothing there. */
function tellsLimit({ bounds, said }: TurnFacts, words: string, { action, amount_cents }: ModelAnswer): boolean {
  const limits = [bounds.max_pay_cents, bounds.min_charge_cents, bounds.auto_approve_below_cents];
  return limits.some((cents) => {
    if (typeof cents !== 'number' || cents === 0 || !namesAmount(words, cents)) return false;
    if (cents !== amount_cents) return true;
    return action !== 'propose' && !heardIn(said).some(({ content }) => namesAmount(content, cents));
  });
}

/** What stands against words that the other side would read. */
function wordsRefusal(
  facts: TurnFacts,
  answer: ModelAnswer,
  price: number | null,
  range: Range | null,
): ModelRefusal | null {
  const parts = answer.milestones.map(({ title }) => title);
  const words = [answer.text, answer.terms ?? '', ...parts].join('\n');
  if (saidFault(words, facts.said)) return 'private_data';
  if (tellsLimit(facts, words, answer)) return 'names_a_limit';
  const named = moneyNamed(words).filter((cents) => cents !== price);
  if (named.length > 0 && !range) return 'no_limit_known';
  const shares = new Set(answer.milestones.map(({ amount_cents }) => amount_cents));
  if (range && named.some((cents) => !shares.has(cents) && !isWithin(range, cents))) return 'outside_limits';
  if (answer.text !== '' && facts.said.some(({ mine, content }) => mine && content === answer.text))
    return 'said_before';
  return null;
}

function proposed(
  facts: TurnFacts,
  answer: ModelAnswer,
  price: number | null,
  range: Range | null,
): Turn | ModelRefusal {
  const { side, bounds, proposal } = facts;
  if (side === null || !range) return 'no_limit_known';
  if (price === null || figuresFault(price, answer.milestones)) return 'wrong_figures';
  if (isOpening(facts) && proposal === null) return 'too_early';
  // One that passes a bound waits for the owner's person, unseen by the other side; the price of a listing is nobody's to decide.
  if (!isWithin(range, price) && boundPassed(bounds, side, price) === null) return 'outside_limits';
  const { text, terms, milestones } = answer;
  return { action: 'propose', rule: 'model_proposes', text, to: 'proposal', amount_cents: price, milestones, terms };
}

const waiting = (amount_cents: number): Turn => ({
  action: 'wait',
  rule: 'person_decides',
  text: '',
  to: 'proposal',
  amount_cents,
  milestones: [],
});

function approved({ proposal, side, bounds }: TurnFacts, range: Range | null): Turn | ModelRefusal {
  if (!proposal || proposal.mine || proposal.agreed || side === null) return 'not_its_to_approve';
  const { amount_cents } = proposal;
  if (range && !isWithin(range, amount_cents)) return 'outside_limits';
  if (!isAutomatic(bounds, side, amount_cents)) return waiting(amount_cents);
  return { action: 'approve', rule: 'approve_within_bounds', text: '', to: 'proposal', amount_cents, milestones: [] };
}

function said(
  facts: TurnFacts,
  { action, text }: ModelAnswer,
  price: number | null,
  range: Range | null,
  ours: Turn,
): Turn | ModelRefusal {
  if (text === '') return 'nothing_said';
  const plain = { text, amount_cents: null, milestones: [] };
  if (action === 'close') return { ...plain, action, rule: 'model_closes', to: 'closing' };
  if (price === null) return { ...plain, action: 'say', rule: 'model_says', to: ours.to };
  if (isOpening(facts)) return 'too_early';
  if (!range) return 'no_limit_known';
  if (!isWithin(range, price)) return 'outside_limits';
  return { ...plain, action: 'say', rule: 'model_offers', to: 'negotiation', amount_cents: price };
}

/** The turn that a model's answer makes, given the one that the built-in negotiator would take; or which rule it breaks. */
export function turnOfModel(facts: TurnFacts, answer: ModelAnswer, ours: Turn): Turn | ModelRefusal {
  const range = rangeOfFacts(facts);
  if (answer.action === 'approve') return approved(facts, range);
  // Doing nothing is a turn only where somebody's word is awaited.
  if (answer.action === 'wait') return facts.proposal ? waiting(facts.proposal.amount_cents) : 'nothing_to_wait_for';
  const price = priceOf(answer);
  if (price === 'two_prices') return price;
  const refusal = wordsRefusal(facts, answer, price, range);
  if (refusal) return refusal;
  return answer.action === 'propose' ? proposed(facts, answer, price, range) : said(facts, answer, price, range, ours);
}
