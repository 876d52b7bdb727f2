// The built-in negotiator against strategies that are not its own, and MiCRO and Boulware in its place on the same tasks: prices in words,
// six offers a side, which both know, the same wish and limit.
import { rangeOf, type Temper } from '../../src/domain/negotiation/bargain.ts';
import { amountNamed } from '../../src/domain/negotiation/price.ts';
import { seeded } from '../support/dice.ts';
import { boulware, micro, OTHERS, type Strategy, utilityOf, type Wish } from './strategies.ts';
import { type Ours, other, ours, type Player, play } from './talk.ts';

interface Meeting {
  readonly me: Ours;
  readonly them: Wish;
  readonly i_open: boolean;
  readonly seed: number;
}

/** Two sides, most of which can agree; each task is played as a buyer and as a seller, opening and not. */
function meetingsOf(count: number, seed: number): Meeting[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, n) => {
    const floor = Math.round(2_000 * 1_000 ** random());
    const most = Math.round(floor * (0.95 + 0.65 * random()));
    const listed = Math.round(floor * (1.15 + 0.45 * random()));
    const temper: Temper = { begins: random(), pace: random(), ends: random() };
    const buys = n % 2 === 0;
    const at_seller = { side: 'seller' as const, best: listed, limit: floor };
    const wish = rangeOf('buyer', { max_pay_cents: most }, { own: null, asked: listed }, temper)?.best ?? most;
    const at_buyer = { side: 'buyer' as const, best: wish, limit: most };
    const [me, them] = buys ? [at_buyer, at_seller] : [at_seller, at_buyer];
    const of = { temper, listed: buys ? null : listed, asked: buys ? listed : null };
    return { me: { ...me, ...of }, them, i_open: n % 4 < 2, seed: Math.floor(random() * 1e9) };
  });
}

/** Who plays in the place of the built-in negotiator. */
const PLACES: Readonly<Record<string, Strategy | null>> = { ours: null, MiCRO: micro, Boulware: boulware };

export interface Against {
  readonly opponent: string;
  /** The mean utility of whoever plays in our place: 1 at its wish, 0 at its limit and without a deal. */
  readonly utility: Readonly<Record<string, number>>;
  /** Deals in tasks that have a zone of agreement, as a share. */
  readonly agreed: Readonly<Record<string, number>>;
  /** Deals of ours beyond its limit. */
  readonly beyond: number;
}

function meet({ me, them, i_open, seed }: Meeting, place: Strategy | null, opponent: Strategy | null): number | null {
  const random = seeded(seed);
  const mine = place ? other(place, me, random, amountNamed) : ours(me, i_open);
  const theirs: Player = other(opponent ?? boulware, them, random, amountNamed);
  const talk = i_open ? play(mine, theirs) : play(theirs, mine);
  return talk.price;
}

/** One row for each opponent. */
export function againstOthers(count: number, seed: number): Against[] {
  const meetings = meetingsOf(count, seed);
  const possible = meetings.filter(({ me, them }) => utilityOf(me, them.limit) >= 0);
  return Object.entries(OTHERS).map(([opponent, strategy]) => {
    const names = Object.keys(PLACES);
    const played = names.map((name) => meetings.map((meeting) => meet(meeting, PLACES[name] ?? null, strategy)));
    const byName = (of: (prices: readonly (number | null)[]) => number): Record<string, number> =>
      Object.fromEntries(names.map((name, at) => [name, of(played[at] ?? [])]));
    const utility = (price: number | null, at: number): number => {
      const me = meetings[at]?.me;
      return price === null || !me ? 0 : utilityOf(me, price);
    };
    return {
      opponent,
      utility: byName((prices) => prices.reduce((sum: number, price, at) => sum + utility(price, at), 0) / count),
      agreed: byName((prices) => prices.filter((price) => price !== null).length / possible.length),
      beyond: (played[0] ?? []).filter((price, at) => utility(price, at) < 0).length,
    };
  });
}
