// The answers of the platform's agent, made from facts. They quote no user text: no question, no listing, no chosen name but a handle,
// since readers take its answers for the service's own words.
import type { Step, StepId } from '../agent/onboarding.ts';
import type { Reason } from '../match/reason.ts';
import { reasonClause } from '../match/reason-clause.ts';
import type { MatchStatus } from '../match/state.ts';
import { type DoorWord, type Guidance, guide, step } from '../next-step.ts';
import { withoutAmounts } from './amount.ts';
import { cutText } from './markdown.ts';
import { PASSAGE_MAX, type Passage } from './search.ts';

/** No reply is longer, in characters. */
export const REPLY_MAX = 2_000;
const REASONS_MAX = 400;

export interface ExplainedMatch {
  readonly match_id: string;
  readonly counterparty_handle: string;
  readonly score_percent: number;
  readonly status: MatchStatus;
  readonly reasons: readonly Reason[];
}

/** The onboarding progress of an account. */
export interface Progressed {
  readonly steps: readonly Pick<Step, 'id' | 'label' | 'done' | 'how' | 'url'>[];
  readonly next_step: StepId | null;
}

export type Facts =
  | { readonly about: 'bargain' }
  | { readonly about: 'service'; readonly guide_url: string }
  | { readonly about: 'start'; readonly onboarding: Progressed }
  | { readonly about: 'matches'; readonly matches: readonly ExplainedMatch[]; readonly found: Passage | null }
  /** `near` are related headings beside the found passage or in its place, `guide_url` is the guide for agents. */
  | {
      readonly about: 'question';
      readonly found: Passage | null;
      readonly near: readonly string[];
      readonly guide_url: string;
    };

type Part = Exclude<Guidance, string>[number];

const parts = (...all: readonly Guidance[]): Part[] =>
  all.flatMap((one) => (typeof one === 'string' ? [one] : [...one]));

const FEED = guide`Your matches, the best first: ${step('match.feed')}.`;

const CAN = guide`I am the agent of this service. I tell you what is left to do to get started (ask "what next?", or see ${step(
  'onboarding.status',
)}), explain your matches (give me a match id, or ask about your matches), and answer questions about the service from its documentation. I negotiate nothing, and name no amounts.`;

const OVERVIEW =
  'The service is a network in which software agents represent people and businesses: an agent publishes what it offers and seeks, is ' +
  'matched with others, talks with them, and closes deals inside the bounds that its person set.';

const BARGAIN = guide`I negotiate nothing, agree to nothing and name no amounts. Agents agree with each other on what to pay: find yours among your matches, ${step(
  'match.feed',
)}, and talk to it.`;

/** A reason without its figures of money. */
function reasonText(reason: Reason): string {
  if (reason.code === 'price_above') return 'the price is above the budget, and neither is firm';
  return reason.code === 'price_within' ? 'the price is within the budget' : reasonClause(reason);
}

/** A passage in the words of the asker's transport. */
function quoted({ document, text }: Passage, door: keyof DoorWord): string {
  return `From ${document}: ${cutText(text[door], PASSAGE_MAX)}`;
}

const titlesText = (titles: readonly string[]): string => titles.map((title) => `“${title}”`).join(', ');

/** The found passage, and related headings in case the asker meant something else. */
function foundText(found: Passage, near: readonly string[], door: keyof DoorWord): string {
  return near.length > 0 ? `${quoted(found, door)}\n\nNot it? See also ${titlesText(near)}.` : quoted(found, door);
}

/** The answer without a passage: it never guesses. */
function unknownText({ near, guide_url }: Extract<Facts, { about: 'question' }>): Guidance {
  const nearest = near.length > 0 ? `What comes nearest to it: ${titlesText(near)}. ` : '';
  return parts(
    'I do not know that: the documentation of this service has no answer that I can find. ',
    nearest,
    `Ask by such words, or look yourself: how an agent joins and works stands in ${guide_url}, beside it every call in /docs. `,
    CAN,
  );
}

function startText({ steps, next_step }: Progressed): Guidance {
  const next = steps.find(({ id }) => id === next_step);
  const done = steps.filter((one) => one.done).map(({ label }) => label);
  const before = done.length > 0 ? `Done: ${done.join('; ')}. ` : '';
  if (!next) return parts('Welcome. Your account is activated: all steps are done. ', FEED);
  return parts(`Welcome. ${before}Next: ${next.label}. `, next.how, ` Your person can do it at ${next.url}.`);
}

function matchText({ match_id, counterparty_handle, score_percent, status, reasons }: ExplainedMatch): string {
  const why = cutText(reasons.map(reasonText).join('; '), REASONS_MAX);
  return `Match ${match_id} with @${counterparty_handle} (${score_percent} of 100, ${status}): ${why}.`;
}

function matchesText({ matches, found }: Extract<Facts, { about: 'matches' }>, door: keyof DoorWord): Guidance {
  if (matches.length === 0) {
    return parts('You were shown no such match yet. ', FEED, ...(found ? [`\n\n${quoted(found, door)}`] : []));
  }
  return parts('Why you were matched:\n', matches.map(matchText).join('\n'), '\n', FEED);
}

/** The answer for a transport; calls in it are rendered later. */
export function replyOf(facts: Facts, door: keyof DoorWord): Guidance {
  switch (facts.about) {
    case 'bargain':
      return BARGAIN;
    case 'service':
      return parts(CAN, ' ', OVERVIEW, ` How an agent joins and works stands in ${facts.guide_url}.`);
    case 'start':
      return startText(facts.onboarding);
    case 'matches':
      return matchesText(facts, door);
    case 'question':
      return facts.found ? foundText(facts.found, facts.near, door) : unknownText(facts);
  }
}

/** The final answer: without amounts, and of limited length. */
export function sentReply(text: string): string {
  return cutText(withoutAmounts(text), REPLY_MAX);
}
