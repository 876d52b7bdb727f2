// What would not work for an agent, by the dealbreakers of its own listing: how it says so, and whether the other side's words meet one.
import { haystackOf, metDealbreaker, readDealbreakers } from '../listing/dealbreaker.ts';
import { heardIn } from './heard.ts';
import type { TurnFacts } from './turn.ts';

const NOT_FOR_ME = 'would not work for me';
const TOLD_MAX = 3;

/** What it says of them by itself; empty where it has none. */
export function tellDealbreakers(dealbreakers: readonly string[]): string {
  return dealbreakers.length === 0 ? '' : `What ${NOT_FOR_ME}: ${dealbreakers.slice(0, TOLD_MAX).join('; ')}.`;
}

/** What it says where the other side's words meet one. */
export function askWithout(dealbreaker: string): string {
  return `One thing ${NOT_FOR_ME}: ${dealbreaker}. Can we do this without it?`;
}

/** A text without the sentences in which somebody says what they do not want either. */
function wanted(text: string): string {
  return text
    .split(/(?<=[.!?\n])/)
    .filter((sentence) => !sentence.includes(NOT_FOR_ME))
    .join('');
}

/** The dealbreaker that is met by what the other side wrote since the agent's own last words, or by the terms that it proposes. */
export function metNow({ listing, said, proposal }: TurnFacts): string | null {
  if (!listing || listing.dealbreakers.length === 0) return null;
  const own = said.findIndex(({ mine }) => mine);
  const heard = heardIn(own === -1 ? said : said.slice(0, own));
  const terms = proposal && !proposal.mine ? [proposal.terms] : [];
  const texts = [...heard.map(({ content }) => content), ...terms].map(wanted);
  return metDealbreaker(readDealbreakers(listing.dealbreakers), () => haystackOf(texts))?.text ?? null;
}
