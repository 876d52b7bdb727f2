// What of a model's answer becomes a turn. A model is not trusted: the text that the other side wrote may have turned it. So the rules of
// the built-in negotiator are kept here, outside of it: nothing is named or taken that is worse for its side than what the rules would name or
// take now, no limit is told, no price before its phase, nothing private, nothing twice. What breaks one of them is no turn, and the built-in
// one is taken instead: so who talks a model round gains nothing by it, and does not learn from what it then does where the limit lies.
import { isBetter, isWithin, type Range } from './bargain.ts';
import { heardIn } from './heard.ts';
import type { ModelAnswer } from './model-answer.ts';
import { amountsNamed, namesAmount } from './named-amounts.ts';
import { mayApprove, nextOffer, rangeOfFacts } from './negotiator.ts';
import { amountNamed } from './price.ts';
import { figuresFault } from './proposal.ts';
import { saidFault } from './told.ts';
import type { Turn, TurnFacts, TurnRule } from './turn.ts';

/** Why an answer is no turn, for its owner. */
export type ModelRefusal =
  | 'nothing_said'
  | 'private_data'
  | 'names_a_limit'
  | 'outside_limits'
  | 'worse_than_the_rules'
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
  const [said, named] = [amountNamed(text), amountsNamed(text)];
  if (amount_cents === null) return said ?? named.at(-1) ?? null;
  const is_said = said === null ? named.length === 0 || named.includes(amount_cents) : said === amount_cents;
  return is_said ? amount_cents : 'two_prices';
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

/** What a model's turn is judged by. */
interface Judged {
  readonly facts: TurnFacts;
  readonly answer: ModelAnswer;
  /** The price that it puts. */
  readonly price: number | null;
  /** Null where nothing says how far its side may go. */
  readonly range: Range | null;
  /** The built-in negotiator's turn. */
  readonly ours: Turn;
}

const wordsOf = ({ text, terms, milestones }: ModelAnswer): string =>
  [text, terms ?? '', ...milestones.map(({ title }) => title)].join('\n');

/** What stands against an amount that the other side would read as a price, or that is taken from it. */
function amountRefusal({ facts, range, ours }: Omit<Judged, 'answer' | 'price'>, cents: number): ModelRefusal | null {
  if (!range) return 'no_limit_known';
  if (!isWithin(range, cents)) return 'outside_limits';
  const rules = ours.amount_cents ?? nextOffer(facts, range);
  return isBetter(range, rules, cents) ? 'worse_than_the_rules' : null;
}

/** The same of all amounts that an answer names: a model may be made to hide one beside its price. */
function amountsRefusal(judged: Judged): ModelRefusal | null {
  const { facts, answer, price, ours } = judged;
  // The parts of a proposal are less than the whole.
  const parts = answer.action === 'propose' ? answer.milestones.map(({ amount_cents }) => amount_cents) : [];
  const named = amountsNamed(wordsOf(answer)).filter((cents) => !parts.includes(cents));
  const amounts = price === null ? named : [price, ...named];
  if (amounts.length > 0 && isOpening(facts) && ours.amount_cents === null) return 'too_early';
  return amounts.map((cents) => amountRefusal(judged, cents)).find((refusal) => refusal !== null) ?? null;
}

/** What stands against words that the other side would read. */
function wordsRefusal(judged: Judged): ModelRefusal | null {
  const { facts, answer } = judged;
  const words = wordsOf(answer);
  if (saidFault(words, facts.said)) return 'private_data';
  if (tellsLimit(facts, words, answer)) return 'names_a_limit';
  const refusal = amountsRefusal(judged);
  if (refusal) return refusal;
  const repeats = answer.text !== '' && facts.said.some(({ mine, content }) => mine && content === answer.text);
  return repeats ? 'said_before' : null;
}

function proposed({ facts, answer, price, range }: Judged): Turn | ModelRefusal {
  if (facts.side === null || !range) return 'no_limit_known';
  if (price === null || figuresFault(price, answer.milestones)) return 'wrong_figures';
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

function approved(judged: Omit<Judged, 'answer' | 'price'>): Turn | ModelRefusal {
  const { proposal, side } = judged.facts;
  if (!proposal || proposal.mine || proposal.agreed || side === null) return 'not_its_to_approve';
  const { amount_cents } = proposal;
  const refusal = judged.range && amountRefusal(judged, amount_cents);
  if (refusal) return refusal;
  if (!mayApprove(judged.facts, side, amount_cents)) return waiting(amount_cents);
  if (!proposal.other_agreed) return { ...waiting(amount_cents), rule: 'awaits_their_yes' };
  return { action: 'approve', rule: 'approve_within_bounds', text: '', to: 'proposal', amount_cents, milestones: [] };
}

function said({ answer: { action, text }, price, ours }: Judged): Turn | ModelRefusal {
  if (text === '') return 'nothing_said';
  const plain = { text, amount_cents: null, milestones: [] };
  if (action === 'close') return { ...plain, action, rule: 'model_closes', to: 'closing' };
  if (price === null) return { ...plain, action: 'say', rule: 'model_says', to: ours.to };
  return { ...plain, action: 'say', rule: 'model_offers', to: 'negotiation', amount_cents: price };
}

/** The turn that a model's answer makes, given the one that the built-in negotiator would take; or which rule it breaks. */
export function turnOfModel(facts: TurnFacts, answer: ModelAnswer, ours: Turn): Turn | ModelRefusal {
  const range = rangeOfFacts(facts);
  if (answer.action === 'approve') return approved({ facts, range, ours });
  // Doing nothing is a turn only where somebody's word is awaited.
  if (answer.action === 'wait') return facts.proposal ? waiting(facts.proposal.amount_cents) : 'nothing_to_wait_for';
  const price = priceOf(answer);
  if (price === 'two_prices') return price;
  const judged = { facts, answer, price, range, ours };
  return wordsRefusal(judged) ?? (answer.action === 'propose' ? proposed(judged) : said(judged));
}
