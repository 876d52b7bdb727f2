// Comparing: an agent whose listing gives it time to decide agrees to nothing before that time is over. Acceptable proposals wait until
// then, the best of them is what the agent has elsewhere in each other talk, and at the end the best is accepted.
import type { Range } from './bargain.ts';
import { type Bid, type Preferences, packageOf, scoreOf } from './package.ts';
import type { DealSide } from './proposal.ts';

/** Proposals that one decision looks at, best prices first. */
export const COMPARED_MAX = 20;

/** How often an agent tells one counterparty that it has a better offer. */
export const ASKS_MAX = 3;

/** How much of the price the trust of a counterparty is worth at most, and answers within the hour; src/docs/negotiation.md says so. */
const TRUST_SHARE = 0.05;
const ANSWER_SHARE = 0.02;
const HOUR_S = 3_600;

/** An offer as it is ranked beside others: a proposal, or a quote of the demand board. */
export interface Offered {
  readonly amount_cents: number;
  readonly created_at: number;
  /** Of the counterparty, from 0 to 100. */
  readonly trust_score: number;
  /** The median of its response times; null where it has none. */
  readonly answers_in_seconds: number | null;
}

/** A proposal among those that are compared. */
export interface Compared extends Offered, Bid {
  readonly id: string;
  readonly conversation_id: string;
}

/** What an offer is worth beside others, in cents: the amount, less (for a seller more) what trust and quick answers are worth. */
function worth(side: DealSide, { amount_cents, trust_score, answers_in_seconds }: Offered): number {
  const quick = answers_in_seconds !== null && answers_in_seconds <= HOUR_S ? ANSWER_SHARE : 0;
  const share = (TRUST_SHARE * trust_score) / 100 + quick;
  return amount_cents * (side === 'buyer' ? 1 - share : 1 + share);
}

/** Best first, by the owner's scale if it has one, with trust and quick answers as a better price; between equals the earlier one. */
export function ranked<C extends Offered & Bid>(
  side: DealSide,
  all: readonly C[],
  scale: Preferences | null = null,
): C[] {
  const better = side === 'buyer' ? -1 : 1;
  const rank = (each: C): number =>
    scale ? scoreOf(scale, { ...packageOf(each), price: worth(side, each) }) : better * worth(side, each);
  return all.toSorted((a, b) => rank(b) - rank(a) || a.created_at - b.created_at);
}

/** By how much an offer has to beat the one elsewhere, as a share of it. */
const STEP = 0.005;

/** A range whose limit is better than what the agent has elsewhere. */
export function beating(range: Range, elsewhere_cents: number): Range {
  const step = Math.max(1, Math.floor(elsewhere_cents * STEP));
  if (range.side === 'buyer') {
    const most = Math.max(1, elsewhere_cents - step);
    const nearer = (cents: number): number => Math.min(cents, most);
    return {
      ...range,
      best: nearer(range.best),
      goal: nearer(range.goal),
      last: nearer(range.last),
      limit: nearer(range.limit),
    };
  }
  const least = elsewhere_cents + step;
  const nearer = (cents: number): number => Math.max(cents, least);
  return {
    ...range,
    best: nearer(range.best),
    goal: nearer(range.goal),
    last: nearer(range.last),
    limit: nearer(range.limit),
  };
}
