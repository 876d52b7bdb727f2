// The messages of a side, limited for a turn: sixty long ones may stand in a row, and reading all of them would delay other work.
import { isBetter } from './bargain.ts';
import { amountNamed, amountsNamed } from './price.ts';
import type { DealSide } from './proposal.ts';
import type { SaidBefore } from './turn.ts';

/** Characters of one message, and of all of a side together. */
interface Characters {
  readonly message: number;
  readonly together: number;
}

/** The main point is usually at the beginning of the newest messages. */
const NEWEST: Characters = { message: 4_000, together: 16_000 };
/** Of each message its beginning, so that long ones do not hide what was named before them. */
const BEGINNINGS: Characters = { message: 500, together: Number.POSITIVE_INFINITY };

/** The messages of both sides within the limits, newest first. */
function readIn(said: readonly SaidBefore[], theirs = NEWEST): SaidBefore[] {
  const most = { mine: NEWEST, theirs };
  const left = { mine: NEWEST.together, theirs: theirs.together };
  return said.flatMap((message) => {
    const side = message.mine ? 'mine' : 'theirs';
    if (left[side] <= 0) return [];
    const content = message.content.slice(0, Math.min(most[side].message, left[side]));
    left[side] -= content.length;
    return [{ ...message, content }];
  });
}

/** The same as a course of offers: of every message of the other side the beginning. */
export function offeredIn(said: readonly SaidBefore[]): SaidBefore[] {
  return readIn(said, BEGINNINGS);
}

/** The messages of the other side, or this side's own, within the limits, newest first. */
export function heardIn(said: readonly SaidBefore[], own = false): SaidBefore[] {
  return readIn(said.filter(({ mine }) => mine === own));
}

/** A price that a side named. */
interface Named {
  readonly mine: boolean;
  readonly cents: number;
}

const PROPOSED = 'Proposal: ';

/** The price of a proposal's message: in the line that the service writes, else in the text before it. */
export function priceProposed(content: string): number | null {
  return amountNamed(content.split('\n').find((line) => line.startsWith(PROPOSED)) ?? content);
}

/** The prices that both sides have named in messages within the limits, newest first; the prices oldest first. Of each message of the other
 * side the last price counts that is no worse for the reader than the one before, or than the listed one: what a text says of dearer bids,
 * reviews or rules is no offer. */
export function pricesNamed(read: readonly SaidBefore[], side: DealSide, listed: number | null): Named[] {
  let least = listed;
  return read.toReversed().flatMap(({ mine, content, kind = 'text' }): Named[] => {
    if (kind === 'system' || (mine && kind !== 'text')) return [];
    if (mine || kind === 'proposal') {
      const cents = mine ? amountNamed(content) : priceProposed(content);
      return cents === null ? [] : [{ mine, cents }];
    }
    const cents = amountsNamed(content).findLast((each) => least === null || !isBetter({ side }, least, each)) ?? null;
    if (cents === null) return [];
    least = cents;
    return [{ mine, cents }];
  });
}

/** The price that the other side named last in words; null without one. */
export function priceHeard(said: readonly SaidBefore[], side: DealSide, listed: number | null): number | null {
  const heard = said.filter(({ mine, kind = 'text' }) => !mine && kind === 'text');
  return pricesNamed(readIn(heard), side, listed).at(-1)?.cents ?? null;
}
