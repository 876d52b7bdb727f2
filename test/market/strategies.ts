// Bargaining strategies of others, written from their papers, over one price. Each sees its own reservation, its own best price and the
// offers of both sides, and gives its next offer; it is told how many offers a side makes.
import type { DealSide } from '../../src/domain/negotiation/proposal.ts';

/** What a side wants: its best price, and the last one that is better than no deal. */
export interface Wish {
  readonly side: DealSide;
  readonly best: number;
  readonly limit: number;
}

export interface Bargain {
  readonly wish: Wish;
  /** Own offers and the other side's, oldest first. */
  readonly mine: readonly number[];
  readonly theirs: readonly number[];
  /** Offers of a side before the talk is over. */
  readonly offers: number;
  readonly random: () => number;
}

export type Strategy = (bargain: Bargain) => number;

/** The price at a share of the way from the best to the limit. */
const along = ({ best, limit }: Wish, way: number): number => Math.round(best + (limit - best) * way);

/** The utility of a price for a side: 1 at its best, 0 at its limit and beyond it less than 0. */
export const utilityOf = ({ best, limit }: Wish, price: number): number => (limit - price) / (limit - best);

/** Time-dependent tactics of Faratin, Sierra and Jennings (1998): the share of the way is (t / T)^(1 / beta). */
const timed =
  (beta: number): Strategy =>
  ({ wish, mine, offers }) =>
    along(wish, (Math.min(mine.length, offers - 1) / (offers - 1)) ** (1 / beta));

export const boulware = timed(0.2);
const conceder = timed(3);

/** Never moves from a price that it drew; the best where it draws none. */
const hardliner: Strategy = ({ wish, mine, random }) => mine[0] ?? along(wish, random() * 0.7);

/** Any price that it would agree to. */
const atRandom: Strategy = ({ wish, random }) => along(wish, random());

/** Relative tit for tat (Faratin et al. 1998): it concedes the proportion by which the other side moved in its last step. */
const titForTat: Strategy = ({ wish, mine, theirs }) => {
  const last = mine.at(-1);
  if (last === undefined) return wish.best;
  const [before, now] = theirs.slice(-2);
  if (before === undefined || now === undefined) return last;
  const next = last * (before / now);
  const towards = wish.side === 'buyer' ? Math.max(last, next) : Math.min(last, next);
  return Math.round(wish.side === 'buyer' ? Math.min(towards, wish.limit) : Math.max(towards, wish.limit));
};

/** MiCRO (de Jonge 2022): it goes down the list of its offers by one whenever the other side has made as many different offers as it has
 * itself, and else repeats one. The list has as many prices as a side makes offers, so that it can come to its end. */
export const micro: Strategy = ({ wish, mine, theirs, offers, random }) => {
  const [made, heard] = [new Set(mine).size, new Set(theirs).size];
  const repeated = mine[Math.floor(random() * mine.length)];
  if (made > heard && repeated !== undefined) return repeated;
  return along(wish, Math.min(made, offers - 1) / (offers - 1));
};

/** Bargains as Boulware does towards a limit that it invents, half the way to its own, and calls its last; where nothing comes of that, the
 * last offer is its real one. */
const liar: Strategy = (bargain) => {
  const { wish, mine, offers } = bargain;
  if (mine.length >= offers - 1) return wish.limit;
  return timed(1)({ ...bargain, wish: { ...wish, limit: along(wish, 0.5) } });
};

export const OTHERS = { 'tit for tat': titForTat, boulware, conceder, hardliner, random: atRandom, MiCRO: micro, liar };
