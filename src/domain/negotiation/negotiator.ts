// The built-in negotiator: decides an agent's turn by rules from facts, deterministically and without a network. It asks and answers in the
// first three phases, bargains by naming prices in text (a formal proposal beyond the bounds would go to people, so none is made before both
// agree), proposes the agreed price, approves what it may, and politely ends a conversation without prospects. From the other side's
// messages it takes a price, questions that it can answer, and violations of its own dealbreakers; it follows no instructions in them.

import { PHASES, type Phase } from '../conversation/conversation.ts';
import { haystackOf, metDealbreaker, readDealbreakers } from '../listing/conditions.ts';
import { dollars } from '../money/typed.ts';
import { isBetter, isWithin, OFFERS_MAX, offerAfter, type Range, rangeOf, takes } from './bargain.ts';
import { ASKS_MAX, beating } from './compare.ts';
import { heardIn } from './heard.ts';
import { amountNamed } from './price.ts';
import { type DealSide, isAutomatic, type Proposed } from './proposal.ts';
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

/** The milestones of an amount, which sum to it; empty where it is paid in one. */
export function partsOf(amount_cents: number): Proposed[] {
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

/** Turns of one side in one conversation; the last one ends it. */
export const TURNS_MAX = 12;

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
});

const OFFERS: ReadonlySet<TurnRule> = new Set(['first_offer', 'concede', 'model_offers']);
/** A model's turn may also have asked and answered. */
const ASKED: ReadonlySet<TurnRule> = new Set(['answer_and_ask', 'model_says']);

/** The number of prices that this side has named. */
function offersMade({ before }: TurnFacts): number {
  return before.filter(({ rule }) => OFFERS.has(rule)).length;
}

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
  (amount: string): string => `This is about as far as I can go: ${amount}.`,
] as const;

/** For offers without a concession: at a listed price, for small amounts, or where a model does not concede. */
const NO_NEARER = [
  (amount: string): string => `It is ${amount} for me.`,
  (amount: string): string => `${amount} is what I can offer.`,
  (amount: string): string => `I have looked at it again, and for me it is ${amount}.`,
  (amount: string): string => `My word is ${amount}. Could that work?`,
  (amount: string): string => `For what it is, ${amount} is right for me.`,
  (amount: string): string => `This is my last word: ${amount}.`,
] as const;

const FAR_APART =
  'Thank you for your time. We are too far apart on the price, so I would rather stop here. I hope that you find a good match.';

/** The last named price in the other side's messages. */
function lastPrice(said: TurnFacts['said']): number | null {
  for (const { content, kind = 'text' } of heardIn(said)) {
    const named = kind === 'text' ? amountNamed(content) : null;
    if (named !== null) return named;
  }
  return null;
}

/** The other side's last price, proposed or named. */
function theirPrice({ said, proposal }: Pick<TurnFacts, 'said' | 'proposal'>): number | null {
  return proposal && !proposal.mine ? proposal.amount_cents : lastPrice(said);
}

/** Accepts a price by proposing it. */
export function take(cents: number): Turn {
  const text = `${dollars(cents)} works for me. I have put it down as a proposal.`;
  return { ...turn('propose', 'take_offer', text, 'proposal', cents), milestones: partsOf(cents) };
}

const minuteOf = (at_ms: number): string => `${new Date(at_ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const BETTER_ELSEWHERE = 'I have another offer that is at least as good. Can you come nearer?';

/** Whether the side has something at least as good as an amount elsewhere. */
export function isBeaten(facts: TurnFacts, cents: number): boolean {
  const elsewhere = facts.compare?.elsewhere_cents ?? null;
  return elsewhere !== null && facts.side !== null && !isBetter({ side: facts.side }, cents, elsewhere);
}

/** Whether an acceptable amount waits beside others instead of being agreed to. */
export function waitsBeside(facts: TurnFacts, cents: number): boolean {
  const { compare = null } = facts;
  return compare !== null && (!compare.due || compare.chosen_elsewhere || isBeaten(facts, cents));
}

/** Tells that a price works, and when it decides; asks for a nearer one where it has a better. */
function holdText(facts: TurnFacts, { decides_at, due }: Comparing, cents: number): string {
  const until = due ? null : `I compare offers until ${minuteOf(decides_at)} and then decide.`;
  return sentences(
    news(facts),
    `${dollars(cents)} works for me.`,
    until,
    isBeaten(facts, cents) ? BETTER_ELSEWHERE : null,
  );
}

/** Puts a price that works down as a proposal, without agreeing to it yet. */
function hold(facts: TurnFacts, compare: Comparing, cents: number): Turn {
  const text = holdText(facts, compare, cents);
  return { ...turn('propose', 'holds_offer', text, 'proposal', cents), milestones: partsOf(cents) };
}

/** Accepts a price at once, or as one of those that it compares. */
function accept(facts: TurnFacts, cents: number): Turn {
  const { compare } = facts;
  return compare && waitsBeside(facts, cents) ? hold(facts, compare, cents) : take(cents);
}

/** Whether it may tell this counterparty once more that it has a better offer. */
function mayAsk(facts: TurnFacts, cents: number): boolean {
  const asked = facts.said.filter(({ mine, content }) => mine && content.includes(BETTER_ELSEWHERE)).length;
  return isBeaten(facts, cents) && asked < ASKS_MAX && facts.compare?.chosen_elsewhere === false;
}

/** The turn while it compares this talk's proposal with others: it takes a better price, asks for one where it has a better elsewhere, and
 * agrees to the best when it is time. */
function whileComparing(facts: TurnFacts, range: Range | null, amount_cents: number): Turn {
  const { compare = null, side, said, before } = facts;
  const waits = turn('wait', 'compares', '', 'proposal', amount_cents);
  if (compare === null || side === null) return waits;
  const own = said.findIndex(({ mine }) => mine);
  const price = theirPrice({ said: own === -1 ? said : said.slice(0, own), proposal: null });
  const nearer = price !== null && range !== null && isBetter(range, price, amount_cents) && isWithin(range, price);
  if (nearer) return accept(facts, price);
  if (compare.due && compare.is_best && !compare.chosen_elsewhere) {
    return mayApprove(facts, side, amount_cents)
      ? turn('approve', 'chooses', '', 'proposal', amount_cents)
      : turn('wait', 'person_decides', '', 'proposal', amount_cents);
  }
  if (before.length >= TURNS_MAX) return waits;
  if (mayAsk(facts, amount_cents)) {
    return turn('say', 'asks_better', sentences(news(facts), BETTER_ELSEWHERE), 'proposal', amount_cents);
  }
  const answer = news(facts);
  return answer === null ? waits : turn('say', 'answers', answer, 'proposal');
}

/** The next price of a side whose counterparty has a better offer than the proposal; null where it goes no nearer. */
function nearerThan(facts: TurnFacts, range: Range, amount_cents: number): Turn | null {
  const made = offersMade(facts);
  if (made >= OFFERS_MAX || facts.before.length >= TURNS_MAX) return null;
  const next = offerAfter(range, made);
  return isBetter(range, amount_cents, next) ? offer(facts, range, next) : null;
}

/** Offers a price of its own. */
export function offer(facts: TurnFacts, range: Range, amount: number): Turn {
  const made = offersMade(facts);
  const own = facts.said.flatMap((message) => (message.mine ? [{ ...message, mine: false }] : []));
  const later = isBetter(range, lastPrice(own) ?? offerAfter(range, made - 1), amount) ? LATER : NO_NEARER;
  const words = made === 0 ? FIRST[range.side] : later[(made - 1) % later.length];
  const rule = made === 0 ? 'first_offer' : 'concede';
  return turn('say', rule, sentences(news(facts), words?.(dollars(amount)) ?? ''), 'negotiation', amount);
}

/** The next offer, or the end of the conversation after the last one. */
function bargain(facts: TurnFacts, range: Range): Turn {
  const made = offersMade(facts);
  const named = theirPrice(facts);
  if (named !== null && takes(range, made, named)) return accept(facts, named);
  if (made >= OFFERS_MAX) return turn('close', 'too_far_apart', FAR_APART, 'closing');
  const elsewhere = facts.compare?.elsewhere_cents ?? null;
  return offer(facts, range, offerAfter(elsewhere === null ? range : beating(range, elsewhere), made));
}

/** Texts that keep to the own or approved proposal. */
const STANDS = [
  (amount: string): string => `The proposal of ${amount} stands, and waits for a yes.`,
  (amount: string): string => `For me it is ${amount}, as proposed.`,
  (amount: string): string => `I stay with the ${amount} of the proposal.`,
] as const;

/** The turn while a proposal of its own, or one that it has approved, waits for the other side: it answers questions, accepts a better price
 * that was named since, and answers any other price by the proposal. */
function whileWaiting(facts: TurnFacts, range: Range | null, amount_cents: number): Turn {
  const { said, before } = facts;
  const asked_for = facts.instruction !== null && facts.instruction.trim() !== '';
  const waits = turn('wait', 'person_decides', '', 'proposal', amount_cents);
  if (before.length >= TURNS_MAX && !asked_for) return waits;
  const own = said.findIndex(({ mine }) => mine);
  const price = theirPrice({ said: own === -1 ? said : said.slice(0, own), proposal: null });
  // If a person's proposal is beyond the limits, it accepts no price, since the accepted prices would disclose the limits.
  const may_take = range !== null && isWithin(range, amount_cents);
  if (may_take && price !== null && isBetter(range, price, amount_cents) && isWithin(range, price)) return take(price);
  const stood = before.filter(({ rule }) => rule === 'stands_by_proposal').length;
  const stands = price === null || price === amount_cents ? undefined : STANDS[stood];
  const text = sentences(news(facts), stands?.(dollars(amount_cents)) ?? null);
  if (text === '' && !asked_for) return waits;
  return turn('say', stands ? 'stands_by_proposal' : 'answers', text, 'proposal', stands ? amount_cents : null);
}

/** Whether it approves an amount without its person, after the other side has: a buyer never more than the other side's listing asks, even
 * without another limit. */
export function mayApprove(facts: TurnFacts, side: DealSide, amount_cents: number): boolean {
  const { bounds, agrees_alone, asked_cents } = facts;
  const is_dearer = side === 'buyer' && asked_cents !== null && amount_cents > asked_cents;
  return agrees_alone && !is_dearer && isAutomatic(bounds, side, amount_cents);
}

/** The answer to a proposal of the other side; null where bargaining continues. */
function answerProposal(facts: TurnFacts, range: Range | null): Turn | null {
  const { proposal, side } = facts;
  if (!proposal || side === null) return null;
  const { amount_cents } = proposal;
  if (proposal.held) return whileComparing(facts, range, amount_cents);
  const nearer = proposal.outbid && range ? nearerThan(facts, range, amount_cents) : null;
  if (nearer) return nearer;
  if (proposal.mine || proposal.agreed) return whileWaiting(facts, range, amount_cents);
  if (range && !takes(range, offersMade(facts), amount_cents)) return null;
  if (facts.compare && waitsBeside(facts, amount_cents)) {
    return turn('say', 'holds_offer', holdText(facts, facts.compare, amount_cents), 'proposal', amount_cents);
  }
  if (!mayApprove(facts, side, amount_cents)) return turn('wait', 'person_decides', '', 'proposal', amount_cents);
  // It never approves first: otherwise the other side could find the limit by proposing amounts without approving them.
  if (!proposal.other_agreed) return turn('wait', 'awaits_their_yes', '', 'proposal', amount_cents);
  return turn('approve', 'approve_within_bounds', '', 'proposal', amount_cents);
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
  const refused = refuseMet(facts);
  const answered = refused ? null : answerProposal(facts, range);
  if (answered) return answered;
  if (before.length >= TURNS_MAX - 1) return endTalk('turns_used_up');
  if (refused) return refused;
  // A proposed price is answered by a price in any phase.
  const priced = range !== null && facts.proposal !== null;
  const about = priced ? null : openingPhase(facts);
  if (about !== null) return talk(facts, about);
  if (side === null) return turn('wait', 'side_unknown', '', phase);
  return range ? bargain(facts, range) : turn('wait', 'no_limit_known', '', phase);
}

/** The agent's range in a conversation; null without a known side or limit. */
export function rangeOfFacts({ side, bounds, listing, asked_cents: asked, temper }: TurnFacts): Range | null {
  return side === null ? null : rangeOf(side, bounds, { own: listing?.cents ?? null, asked }, temper);
}

/** This side's next offer. */
export function nextOffer(facts: TurnFacts, range: Range): number {
  return offerAfter(range, offersMade(facts));
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
