// The built-in negotiator: decides an agent's turn by rules from facts, deterministically and without a network. It asks and answers in the
// first three phases, bargains by naming prices in text (a formal proposal beyond the bounds would go to people, so none is made before both
// agree), proposes the agreed price, approves what it may, and politely ends a conversation without prospects. From the other side's
// messages it takes a price, questions that it can answer, and violations of its own dealbreakers; it follows no instructions in them.

import { PHASES, type Phase } from '../conversation/conversation.ts';
import { haystackOf, metDealbreaker, readDealbreakers } from '../listing/conditions.ts';
import { isBetter, namingFirst, offerAt, type Range, rangeOf } from './bargain.ts';
import {
  bidSince,
  bidText,
  isAsNamed,
  isBetterBid,
  isWithinBid,
  nearerBid,
  nextBid,
  offersMade,
  ownPrice,
  paceNow,
  proposedBid,
  takesBid,
  theirBid,
} from './bid.ts';
import { ASKS_MAX } from './compare.ts';
import { agreesAlone } from './goal.ts';
import { heardIn } from './heard.ts';
import { countedParts } from './issue.ts';
import { OFFERS_MAX, type Pace, TURNS_MAX } from './pace.ts';
import { type Bid, packageOf, scoreOf } from './package.ts';
import type { DealSide, Proposed } from './proposal.ts';
import { OF_A_PRICE } from './question.ts';
import type { Comparing, Turn, TurnFacts, TurnRule } from './turn.ts';

// The dealbreakers of an agent's own listing in a conversation: how it states them, and whether the other side's messages meet one.

const NOT_FOR_ME = 'would not work for me';
/** The beginning of its statement of dealbreakers. */
const TELLS = `What ${NOT_FOR_ME}:`;
const ASKS = `One thing ${NOT_FOR_ME}:`;
const TOLD_MAX = 3;

/** Its statement of dealbreakers; empty without any. */
function tellDealbreakers(dealbreakers: readonly string[]): string {
  return dealbreakers.length === 0 ? '' : `${TELLS} ${dealbreakers.slice(0, TOLD_MAX).join('; ')}.`;
}

/** Its objection where the other side meets one. */
function askWithout(dealbreaker: string): string {
  return `${ASKS} ${dealbreaker}. Can we do this without it?`;
}

/** Removes the sentences in which another agent, as this one does, states its own dealbreakers. */
function wanted(text: string): string {
  return text
    .split(/(?<=[.!?\n])/)
    .filter((sentence) => ![TELLS, ASKS].some((begins) => sentence.trimStart().startsWith(begins)))
    .join('');
}

/** The dealbreaker that the other side's messages since the agent's last one, or its proposed terms, meet. */
function metNow({ listing, said, proposal }: TurnFacts): string | null {
  if (!listing || listing.dealbreakers.length === 0) return null;
  const own = said.findIndex(({ mine }) => mine);
  const heard = heardIn(own === -1 ? said : said.slice(0, own));
  const terms = proposal && !proposal.mine ? [proposal.terms] : [];
  // Messages may state what the other side does not want either; terms do not.
  const texts = [...heard.map(({ content }) => wanted(content)), ...terms];
  return metDealbreaker(readDealbreakers(listing.dealbreakers), () => haystackOf(texts))?.text ?? null;
}

// The milestones of the built-in negotiator's proposals: the larger the amount, the smaller the share of one delivery.

/** Milestones by the least amount in cents, with shares in hundredths; the last gets the rest. */
const PLANS: readonly { readonly from_cents: number; readonly parts: readonly (readonly [string, number])[] }[] = [
  {
    from_cents: 1_000_000,
    parts: [
      ['A plan and a first version', 30],
      ['A version that works', 40],
      ['The whole, as agreed', 30],
    ],
  },
  {
    from_cents: 100_000,
    parts: [
      ['A first version', 50],
      ['The whole, as agreed', 50],
    ],
  },
];

/** The milestones of a bid, which sum to its amount; empty where it is paid in one. */
export function partsOf({ amount_cents, issues }: Bid): Proposed[] {
  const counted = countedParts(amount_cents, issues);
  if (counted) return counted;
  const plan = PLANS.find(({ from_cents }) => amount_cents >= from_cents);
  if (!plan) return [];
  let left = amount_cents;
  return plan.parts.map(([title, share], at) => {
    const is_last = at === plan.parts.length - 1;
    const cents = is_last ? left : Math.floor((amount_cents * share) / 100);
    left -= cents;
    return { title, amount_cents: cents };
  });
}

const OPENING = ['qualification', 'verification', 'exploration'] as const satisfies readonly Phase[];
type Opening = (typeof OPENING)[number];

const turn = (
  action: Turn['action'],
  rule: TurnRule,
  text: string,
  to: Phase,
  amount_cents: number | null = null,
): Turn => ({
  action,
  rule,
  text,
  to,
  amount_cents,
  milestones: [],
  issues: [],
});

/** A model's turn may also have asked and answered. */
const ASKED: ReadonlySet<TurnRule> = new Set(['answer_and_ask', 'model_says']);

const SOLD = {
  qualification: 'What do you need it for, and by when?',
  verification: 'My profile shows the proofs and the deals behind it. What else would you have to see?',
  exploration: 'Which parts matter most to you, and how would you know that it is done?',
} as const;
const BOUGHT = {
  qualification: 'Does your offer cover that, and when could you begin?',
  verification: 'Which work of this kind have you done, and who can speak for it?',
  exploration: 'What is part of it, what is not, and how many rounds of changes are there?',
} as const;

/** An agent's statement about itself in a phase. */
function ownWords({ listing, side }: TurnFacts, phase: Phase): string {
  if (!listing) return '';
  if (phase === 'qualification') {
    const labels = listing.labels.slice(0, 3).join(', ');
    const about = labels === '' ? '' : ` (${labels})`;
    return side === 'seller'
      ? `I offer: ${listing.headline}${about}.`
      : `I am looking for: ${listing.headline}${about}.`;
  }
  return phase === 'verification' ? tellDealbreakers(listing.dealbreakers) : '';
}

const sentences = (...parts: readonly (string | null)[]): string => parts.filter((part) => part).join(' ');

/** Knowledge that answers the other side, unless it was already sent. */
function news({ known, said }: TurnFacts): string | null {
  return known !== null && said.some(({ mine, content }) => mine && content.includes(known)) ? null : known;
}

function questionOf({ side }: Pick<TurnFacts, 'side'>, phase: Opening): string {
  return (side === 'seller' ? SOLD : BOUGHT)[phase];
}

/** The next opening phase whose statement was not yet made: the conversation's phase may be ahead of it, where the other side moved it, or
 * behind. Null after all of them. */
function openingPhase(facts: TurnFacts): Opening | null {
  const { phase, before, said } = facts;
  const at = OPENING.findIndex((opening) => opening === phase);
  if (at === -1) return null;
  const asked = before.filter(({ rule }) => ASKED.has(rule)).length;
  const isNew = (about: Opening): boolean =>
    !said.some(({ mine, content }) => mine && content.includes(questionOf(facts, about)));
  return OPENING.slice(Math.max(at, asked)).find(isNew) ?? null;
}

/** The turn of an opening phase. The side that was contacted advances the phase; the other follows. */
function talk(facts: TurnFacts, about: Opening): Turn {
  const { phase, opened_by_me } = facts;
  const next = PHASES[PHASES.indexOf(phase) + 1] ?? phase;
  const text = sentences(news(facts), ownWords(facts, about), questionOf(facts, about));
  return turn('say', 'answer_and_ask', text, opened_by_me && about === phase ? phase : next);
}

const FIRST = {
  seller: (amount: string): string => `For all of this I ask ${amount}. ${OF_A_PRICE.seller}?`,
  buyer: (amount: string): string => `For all of this I could pay ${amount}. ${OF_A_PRICE.buyer}?`,
} as const;

/** Variants, so that no two offers have the same text. */
const LATER = [
  (amount: string): string => `I can move to ${amount}.`,
  (amount: string): string => `Let us meet closer: ${amount}.`,
  (amount: string): string => `I have looked at it again, and can come to ${amount}.`,
  (amount: string): string => `To get this done I would go to ${amount}.`,
  (amount: string): string => `That is still far for me. What about ${amount}?`,
] as const;

/** From the last step on. */
const NEARLY_LAST = (amount: string): string => `This is about as far as I can go: ${amount}.`;

/** For offers without a concession: at a listed price, for small amounts, or where a model does not concede. */
const NO_NEARER = [
  (amount: string): string => `It is ${amount} for me.`,
  (amount: string): string => `${amount} is what I can offer.`,
  (amount: string): string => `I have looked at it again, and for me it is ${amount}.`,
  (amount: string): string => `My word is ${amount}. Could that work?`,
  (amount: string): string => `For what it is, ${amount} is right for me.`,
  (amount: string): string => `I stay with ${amount}.`,
  (amount: string): string => `Nothing that I heard changes it: ${amount}.`,
  (amount: string): string => `For me it remains ${amount}.`,
  (amount: string): string => `I cannot do better than ${amount} here.`,
  (amount: string): string => `This is my last word: ${amount}.`,
] as const;

const FAR_APART =
  'Thank you for your time. We are too far apart on the price, so I would rather stop here. I hope that you find a good match.';

/** A turn about a bid that is, or may become, a proposal. */
function about(action: Turn['action'], rule: TurnRule, { amount_cents, issues }: Bid, text = ''): Turn {
  return { ...turn(action, rule, text, 'proposal', amount_cents), issues };
}

/** Puts a bid down as a proposal. */
function put(rule: TurnRule, text: string, bid: Bid): Turn {
  return { ...about('propose', rule, bid, text), milestones: partsOf(bid) };
}

/** Accepts a bid by proposing it. */
export function take(bid: Bid): Turn {
  return put('take_offer', `${bidText(bid)} works for me. I have put it down as a proposal.`, bid);
}

const minuteOf = (at_ms: number): string => `${new Date(at_ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const BETTER_ELSEWHERE = 'I have another offer that is at least as good. Can you come nearer?';

/** Whether the side has something at least as good as a bid elsewhere. */
export function isBeaten(
  { compare, side, scale = null }: Pick<TurnFacts, 'compare' | 'side' | 'scale'>,
  bid: Bid,
): boolean {
  const { elsewhere_cents = null, elsewhere_score = null } = compare ?? {};
  if (scale) return elsewhere_score !== null && scoreOf(scale, packageOf(bid)) <= elsewhere_score;
  return elsewhere_cents !== null && side !== null && !isBetter({ side }, bid.amount_cents, elsewhere_cents);
}

/** Whether it asks for a nearer bid than one that it holds: it has a better one, and a turn left for what it is answered. */
export function asksNearer(facts: TurnFacts, bid: Bid): boolean {
  return isBeaten(facts, bid) && facts.before.length < TURNS_MAX - 1;
}

/** Whether an acceptable bid waits beside others instead of being agreed to. */
export function waitsBeside(facts: TurnFacts, bid: Bid): boolean {
  const { compare = null } = facts;
  return compare !== null && (!compare.due || compare.chosen_elsewhere || isBeaten(facts, bid));
}

/** Tells that a price works, and when it decides; asks for a nearer one where it has a better. */
function holdText(facts: TurnFacts, { decides_at, due }: Comparing, bid: Bid): string {
  const until = due ? null : `I compare offers until ${minuteOf(decides_at)} and then decide.`;
  return sentences(
    news(facts),
    `${bidText(bid)} works for me.`,
    until,
    asksNearer(facts, bid) ? BETTER_ELSEWHERE : null,
  );
}

/** Accepts a bid at once, or puts it down as one of those that it compares, without agreeing to it yet. */
function accept(facts: TurnFacts, bid: Bid): Turn {
  const { compare } = facts;
  return compare && waitsBeside(facts, bid) ? put('holds_offer', holdText(facts, compare, bid), bid) : take(bid);
}

/** Whether it may tell this counterparty once more that it has a better offer. */
function mayAsk(facts: TurnFacts, bid: Bid): boolean {
  const asked = facts.said.filter(({ mine, content }) => mine && content.includes(BETTER_ELSEWHERE)).length;
  return asksNearer(facts, bid) && asked < ASKS_MAX && facts.compare?.chosen_elsewhere === false;
}

/** The turn while it compares this talk's proposal with others: it takes a better price, asks for one where it has a better elsewhere, and
 * agrees to the best when it is time. */
function whileComparing(facts: TurnFacts, range: Range | null, bid: Bid): Turn {
  const { compare = null, side, before } = facts;
  const waits = about('wait', 'compares', bid);
  if (compare === null || side === null) return waits;
  const named = bidSince(facts);
  const nearer = named !== null && range !== null && isBetterBid(facts, range, named, bid);
  if (nearer && isWithinBid(facts, range, named)) return accept(facts, named);
  if (compare.due && compare.is_best && !compare.chosen_elsewhere) {
    return mayApprove(facts, side, bid) ? about('approve', 'chooses', bid) : about('wait', 'person_decides', bid);
  }
  if (mayAsk(facts, bid)) {
    return about('say', 'asks_better', bid, sentences(news(facts), BETTER_ELSEWHERE));
  }
  const answer = before.length < TURNS_MAX ? news(facts) : null;
  return answer === null ? waits : turn('say', 'answers', answer, 'proposal');
}

/** The next bid of a side whose counterparty has a better offer than the proposal; null where it goes no nearer. */
function nearerThan(facts: TurnFacts, range: Range, bid: Bid, { step }: Pace): Turn | null {
  const { before } = facts;
  const asked = before.filter(({ rule, phase }) => rule === 'concede' && phase === 'proposal').length;
  if (asked >= ASKS_MAX || before.length >= TURNS_MAX) return null;
  const next = nearerBid(facts, range, bid, { step, asked });
  // The second time it goes to its last offer.
  return isBetterBid(facts, range, bid, next) ? offer(facts, range, next, OFFERS_MAX - 2 + asked) : null;
}

/** Whether a bid gives more than this side named before. */
function concedes(facts: TurnFacts, range: Range, bid: Bid): boolean {
  const { said, scale = null } = facts;
  if (scale !== null) return !isAsNamed(facts, range, bid);
  return isBetter(range, ownPrice(said) ?? offerAt(range, 0), bid.amount_cents);
}

/** The words of an offer at a step, after `made` ones. */
function wordsAt(facts: TurnFacts, range: Range, bid: Bid, { made, step }: { made: number; step: number }) {
  if (made === 0) return FIRST[range.side];
  if (!concedes(facts, range, bid)) return NO_NEARER[(made - 1) % NO_NEARER.length];
  return step < OFFERS_MAX - 1 ? LATER[(made - 1) % LATER.length] : NEARLY_LAST;
}

/** Offers a bid of its own at a step. */
export function offer(facts: TurnFacts, range: Range, bid: Bid, step: number): Turn {
  const made = offersMade(facts);
  const words = wordsAt(facts, range, bid, { made, step });
  const rule = made === 0 ? 'first_offer' : 'concede';
  const text = sentences(news(facts), words?.(bidText(bid)) ?? '');
  return { ...turn('say', rule, text, 'negotiation', bid.amount_cents), issues: bid.issues };
}

/** The next offer, or the end of the conversation after the last one. */
function bargain(facts: TurnFacts, range: Range, pace: Pace): Turn {
  if (pace.left <= 0) return endTalk('turns_used_up');
  const named = theirBid(facts);
  if (named !== null && takesBid(facts, range, pace.step, named)) return accept(facts, named);
  if (pace.left <= 1) return endTalk('turns_used_up');
  if (pace.step > OFFERS_MAX) return turn('close', 'too_far_apart', FAR_APART, 'closing');
  return offer(facts, range, nextBid(facts, range, pace.step), pace.step);
}

/** Texts that keep to the own or approved proposal. */
const STANDS = [
  (amount: string): string => `The proposal of ${amount} stands, and waits for a yes.`,
  (amount: string): string => `For me it is ${amount}, as proposed.`,
  (amount: string): string => `I stay with the ${amount} of the proposal.`,
] as const;

/** The turn while a proposal of its own, or one that it has approved, waits for the other side: it answers questions, accepts a better price
 * that was named since, and answers any other price by the proposal. */
function whileWaiting(facts: TurnFacts, range: Range | null, bid: Bid): Turn {
  const { before } = facts;
  const asked_for = facts.instruction !== null && facts.instruction.trim() !== '';
  const waits = about('wait', 'person_decides', bid);
  if (before.length >= TURNS_MAX && !asked_for) return waits;
  const named = bidSince(facts);
  // If a person's proposal is beyond the limits, it accepts no price, since the accepted prices would disclose the limits.
  const may_take = range !== null && isWithinBid(facts, range, bid);
  const is_better = may_take && named !== null && isBetterBid(facts, range, named, bid);
  if (is_better && isWithinBid(facts, range, named)) return take(named);
  const stood = before.filter(({ rule }) => rule === 'stands_by_proposal').length;
  const stands = named === null || bidText(named) === bidText(bid) ? undefined : STANDS[stood];
  const text = sentences(news(facts), stands?.(bidText(bid)) ?? null);
  if (text === '' && !asked_for) return waits;
  return stands ? about('say', 'stands_by_proposal', bid, text) : turn('say', 'answers', text, 'proposal');
}

/** Whether it approves a bid without its person, after the other side has. */
export function mayApprove(
  { agrees_alone, bounds, goals = null, asked_cents }: TurnFacts,
  side: DealSide,
  bid: Bid,
): boolean {
  return agrees_alone && agreesAlone({ side, bounds, goals, asked_cents }, bid);
}

/** The answer to a proposal of the other side; null where bargaining continues. */
function answerProposal(facts: TurnFacts, range: Range | null, pace: Pace | null): Turn | null {
  const { proposal, side } = facts;
  if (!proposal || side === null) return null;
  const bid = proposedBid(proposal);
  if (proposal.held) return whileComparing(facts, range, bid);
  const nearer = proposal.outbid && range && pace ? nearerThan(facts, range, bid, pace) : null;
  if (nearer) return nearer;
  if (proposal.mine || proposal.agreed) return whileWaiting(facts, range, bid);
  if (range && pace && !takesBid(facts, range, pace.step, bid) && !isAsNamed(facts, range, bid)) return null;
  if (facts.compare && waitsBeside(facts, bid)) {
    return about('say', 'holds_offer', bid, holdText(facts, facts.compare, bid));
  }
  if (!mayApprove(facts, side, bid)) return about('wait', 'person_decides', bid);
  // It never approves first: otherwise the other side could find the limit by proposing amounts without approving them.
  return proposal.other_agreed
    ? about('approve', 'approve_within_bounds', bid)
    : about('wait', 'awaits_their_yes', bid);
}

/** Whether the owner orders to stop, which takes precedence. */
function isStop(instruction: string | null): boolean {
  return instruction !== null && /^\s{0,9}(?:stop|decline|close|end)\b/i.test(instruction.slice(0, 40));
}

const NOT_WITHOUT =
  'Thank you for saying so. Then this is not for me, and I would rather stop here. I hope that you find a good match.';

/** The turn for a met dealbreaker: it objects once, and ends the conversation on repetition. */
function refuseMet(facts: TurnFacts): Turn | null {
  const met = metNow(facts);
  if (met === null) return null;
  const asked = facts.before.some(({ rule }) => rule === 'asks_without');
  if (asked) return turn('close', 'dealbreaker_met', NOT_WITHOUT, 'closing');
  return turn('say', 'asks_without', askWithout(met), facts.phase);
}

const STOPPED = 'Thank you for your time. This is not for us just now, so I would rather stop here.';
export const endTalk = (rule: TurnRule): Turn => turn('close', rule, STOPPED, 'closing');

const AGREED = 'Agreed, and thank you. From here on the deal says what comes next.';

function decide(facts: TurnFacts): Turn {
  const { phase, side, has_deal, before, instruction } = facts;
  if (isStop(instruction)) return endTalk('told_to_stop');
  if (has_deal) {
    const thanked = before.length >= TURNS_MAX || before.some(({ rule }) => rule === 'agreed');
    return thanked ? turn('wait', 'nothing_to_add', '', phase) : turn('say', 'agreed', AGREED, 'closing');
  }
  const range = rangeOfFacts(facts);
  const pace = range && paceNow(facts, range);
  const refused = refuseMet(facts);
  const answered = refused ? null : answerProposal(facts, range, pace);
  if (answered) return answered;
  const is_last = (pace?.left ?? TURNS_MAX - before.length) <= 1;
  if (refused) return is_last ? endTalk('turns_used_up') : refused;
  // A proposed price is answered by a price in any phase.
  const priced = range !== null && facts.proposal !== null;
  const opening = priced || is_last ? null : openingPhase(facts);
  if (opening !== null) return talk(facts, opening);
  if (is_last && !range) return endTalk('turns_used_up');
  if (side === null) return turn('wait', 'side_unknown', '', phase);
  return range && pace ? bargain(facts, range, pace) : turn('wait', 'no_limit_known', '', phase);
}

/** The agent's range in a conversation; null without a known side or limit. */
export function rangeOfFacts(facts: TurnFacts): Range | null {
  const { side, bounds, listing, asked_cents: asked, temper } = facts;
  const range = side === null ? null : rangeOf(side, bounds, { own: listing?.cents ?? null, asked }, temper);
  return range && facts.opened_by_me && !facts.said.some(({ mine, kind }) => !mine && kind === 'proposal')
    ? namingFirst(range)
    : range;
}

/** This side's next bid, whatever it has elsewhere. */
export function nextOffer(facts: TurnFacts, range: Range): Bid {
  return nextBid({ ...facts, compare: null }, range, paceNow(facts, range).step);
}

/** Appends the owner's instruction to the text of a turn. */
export function withInstruction(taken: Turn, instruction: string | null): Turn {
  if (taken.action !== 'say' || instruction === null || instruction.trim() === '') return taken;
  return { ...taken, text: sentences(taken.text, instruction.trim()) };
}

/** The agent's turn, with its owner's instruction appended unless it is an order to stop. */
export function takeTurn(facts: TurnFacts): Turn {
  const taken = decide(facts);
  const { instruction } = facts;
  // With an instruction to add, it does not approve yet, whether or not the other side has: to distinguish the two must cost an approval.
  const agrees = taken.action === 'approve' || taken.rule === 'awaits_their_yes';
  if (agrees && instruction !== null && instruction.trim() !== '') {
    return turn('wait', 'person_decides', '', 'proposal', taken.amount_cents);
  }
  return withInstruction(taken, instruction);
}
