// The messages of a side, limited for a turn: sixty long ones may stand in a row, and reading all of them would delay other work.
import { isBetter } from './bargain.ts';
import { amountNamed, amountsNamed } from './price.ts';
import type { DealSide } from './proposal.ts';
import type { SaidBefore } from './turn.ts';

/** Characters of one message, and of all of a side together; the main point is usually at the beginning of the newest messages. */
const MESSAGE_MAX = 4_000;
const TOGETHER_MAX = 16_000;

/** The messages of both sides within the limits, newest first. */
export function readIn(said: readonly SaidBefore[]): SaidBefore[] {
  const left = { mine: TOGETHER_MAX, theirs: TOGETHER_MAX };
  return said.flatMap((message) => {
    const side = message.mine ? 'mine' : 'theirs';
    if (left[side] <= 0) return [];
    const content = message.content.slice(0, Math.min(MESSAGE_MAX, left[side]));
    left[side] -= content.length;
    return [{ ...message, content }];
  });
}

/** The messages of the other side, or this side's own, within the limits, newest first. */
export function heardIn(said: readonly SaidBefore[], own = false): SaidBefore[] {
  return readIn(said.filter(({ mine }) => mine === own));
}

/** A price that a side named. */
export interface Named {
  readonly mine: boolean;
  readonly cents: number;
  readonly kind: 'text' | 'proposal';
}

/** The prices that both sides have named, oldest first. Of each message of the other side the last price counts that is no worse for the
 * reader than the one before, or than the listed one: what a text says of dearer bids, reviews or rules is no offer. Of a proposal counts
 * the first line, which the service writes. */
export function pricesNamed(said: readonly SaidBefore[], side: DealSide, listed: number | null): Named[] {
  let least = listed;
  return readIn(said)
    .reverse()
    .flatMap(({ mine, content, kind = 'text' }): Named[] => {
      if (kind === 'system' || (mine && kind !== 'text')) return [];
      if (mine || kind === 'proposal') {
        const cents = amountNamed(mine ? content : (content.split('\n', 1)[0] ?? ''));
        return cents === null ? [] : [{ mine, cents, kind }];
      }
      const cents =
        amountsNamed(content).findLast((each) => least === null || !isBetter({ side }, least, each)) ?? null;
      if (cents === null) return [];
      least = cents;
      return [{ mine, cents, kind }];
    });
}

/** The price that the other side named last in words; null without one. */
export function priceHeard(said: readonly SaidBefore[], side: DealSide, listed: number | null): number | null {
  const heard = said.filter(({ mine, kind = 'text' }) => !mine && kind === 'text');
  return pricesNamed(heard, side, listed).at(-1)?.cents ?? null;
}
