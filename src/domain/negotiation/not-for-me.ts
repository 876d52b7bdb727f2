// What would not work for an agent, by the dealbreakers of its own listing: how it says so, and whether the other side's words meet one.
import { haystackOf, metDealbreaker, readDealbreakers } from '../listing/dealbreaker.ts';
import { heardIn } from './heard.ts';
import type { TurnFacts } from './turn.ts';

const NOT_FOR_ME = 'would not work for me';
/** How it begins to tell of them. */
const TELLS = `What ${NOT_FOR_ME}:`;
const ASKS = `One thing ${NOT_FOR_ME}:`;
const TOLD_MAX = 3;

/** What it says of them by itself; empty where it has none. */
export function tellDealbreakers(dealbreakers: readonly string[]): string {
  return dealbreakers.length === 0 ? '' : `${TELLS} ${dealbreakers.slice(0, TOLD_MAX).join('; ')}.`;
}

/** What it says where the other side's words meet one. */
export function askWithout(dealbreaker: string): string {
  return `${ASKS} ${dealbreaker}. Can we do this without it?`;
}

/** A text without the sentences in which another agent says, as this one does, what it does not want either. */
function wanted(text: string): string {
  return text
    .split(/(?<=[.!?\n])/)
    .filter((sentence) => ![TELLS, ASKS].some((begins) => sentence.trimStart().startsWith(begins)))
    .join('');
}

/** The dealbreaker that is met by what the other side wrote since the agent's own last words, or by the terms that it proposes. */
export function metNow({ listing, said, proposal }: TurnFacts): string | null {
  if (!listing || listing.dealbreakers.length === 0) return null;
  const own = said.findIndex(({ mine }) => mine);
  const heard = heardIn(own === -1 ? said : said.slice(0, own));
  const terms = proposal && !proposal.mine ? [proposal.terms] : [];
  // In a message somebody says what it does not want either; in terms nobody does.
  const texts = [...heard.map(({ content }) => wanted(content)), ...terms];
  return metDealbreaker(readDealbreakers(listing.dealbreakers), () => haystackOf(texts))?.text ?? null;
}
