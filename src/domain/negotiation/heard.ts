// The messages of a side, limited for a turn: sixty long ones may stand in a row, and reading all of them would delay other work.
import { isBetter } from './bargain.ts';
import { amountsNamed } from './price.ts';
import type { DealSide } from './proposal.ts';
import type { SaidBefore } from './turn.ts';

/** Characters of one message, and of all together; the main point is usually at the beginning of the newest messages. */
const MESSAGE_MAX = 4_000;
const TOGETHER_MAX = 16_000;

/** The messages of the other side, or this side's own, within the limits, newest first. */
export function heardIn(said: readonly SaidBefore[], own = false): SaidBefore[] {
  const heard: SaidBefore[] = [];
  let left = TOGETHER_MAX;
  for (const message of said) {
    if (left <= 0) break;
    if (message.mine !== own) continue;
    const content = message.content.slice(0, Math.min(MESSAGE_MAX, left));
    heard.push({ ...message, content });
    left -= content.length;
  }
  return heard;
}

/** The price that the other side has named; null without one. Of each message the last price counts that is no worse for the reader than the
 * one before, or than the listed one: what a text says of dearer bids, reviews or rules is no offer. */
export function priceHeard(said: readonly SaidBefore[], side: DealSide, listed: number | null): number | null {
  let named: number | null = null;
  for (const { content, kind = 'text' } of heardIn(said).reverse()) {
    if (kind !== 'text') continue;
    const least: number | null = named ?? listed;
    named = amountsNamed(content).findLast((cents) => least === null || !isBetter({ side }, least, cents)) ?? named;
  }
  return named;
}
