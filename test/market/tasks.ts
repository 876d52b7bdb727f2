// 160 seeded tasks with known utilities: pairs, one buyer among sellers, one seller among buyers, and markets up to twenty by twenty.
import { seeded } from '../support/dice.ts';

export interface Trader {
  /** In cents: the most that a buyer pays, the least that a seller takes. */
  readonly limit: number;
  /** The price or the budget of its listing; a budget is more than its agent may pay, so that it tells nothing. */
  readonly listed: number;
}

export type Kind = '1:1' | '1:n' | 'n:1' | 'n:m' | '20:20';

export interface Task {
  readonly id: number;
  readonly kind: Kind;
  readonly seed: number;
  readonly buyers: readonly Trader[];
  readonly sellers: readonly Trader[];
}

const KINDS: readonly (readonly [Kind, number])[] = [
  ['1:1', 70],
  ['1:n', 36],
  ['n:1', 20],
  ['n:m', 30],
  ['20:20', 4],
];

type Between = (from: number, to: number) => number;

/** What the two can gain, in cents; not positive where they cannot agree. */
export function gainOf(buyer: Trader, seller: Trader): number {
  return Math.min(buyer.limit, seller.listed) < seller.limit ? 0 : buyer.limit - seller.limit;
}

/** The zone of agreement, as a share of its middle price. */
export function zoneOf(buyer: Trader, seller: Trader): number {
  const top = Math.min(buyer.limit, seller.listed);
  return (2 * (top - seller.limit)) / (top + seller.limit);
}

/** Around a price, so that most but not all can agree. */
function buyerNear(price: number, between: Between): Trader {
  const limit = Math.floor((price * between(85, 150)) / 100) + between(1, 99);
  return { limit, listed: Math.floor(limit * 1.5) };
}

/** Buyers pay no more than the listing says: among several of them it has to leave room to bid. */
function sellerNear(price: number, between: Between, among: boolean): Trader {
  const limit = Math.floor((price * between(65, 115)) / 100) + between(1, 99);
  return { limit, listed: Math.floor((limit * (among ? between(150, 175) : between(115, 160))) / 100) };
}

function countsOf(kind: Kind, between: Between): [number, number] {
  if (kind === '1:1') return [1, 1];
  if (kind === '1:n') return [1, between(2, 8)];
  if (kind === 'n:1') return [between(2, 8), 1];
  return kind === 'n:m' ? [between(2, 9), between(2, 9)] : [20, 20];
}

function taskOf(kind: Kind, id: number, seed: number): Task {
  const random = seeded(seed + id * 7_919);
  const between: Between = (from, to) => from + Math.floor(random() * (to - from + 1));
  // From $20 to $20,000, as many in each power of ten.
  const price = Math.round(2_000 * 1_000 ** random());
  const [buyers, sellers] = countsOf(kind, between);
  return {
    id,
    kind,
    seed: between(1, 1_000_000),
    buyers: Array.from({ length: buyers }, () => buyerNear(price, between)),
    sellers: Array.from({ length: sellers }, () => sellerNear(price, between, kind === 'n:1')),
  };
}

/** All tasks of a seed. */
export function tasksOf(seed: number): Task[] {
  const kinds = KINDS.flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
  return kinds.map((kind, id) => taskOf(kind, id, seed));
}
