// One buyer and three sellers, in every order of contact as often: whether who is contacted first wins more often, and what the buyer pays.
import { type Played, playServed } from './served.ts';
import type { Task, Trader } from './tasks.ts';

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;
/** Service time between two contacts. */
const GAPS_MS = [0, 20_000, 60_000, 180_000] as const;
const ASKS = 44_000;
const BUYER: Trader = { limit: 45_000, listed: 60_000 };

/** How often a seller won by its place among the contacts, and what was paid. */
export interface Contacted {
  readonly rounds: number;
  readonly wins: readonly [number, number, number];
  readonly none: number;
  readonly mean_cents: number;
  readonly messages: number;
  readonly told: number;
  /** Service time until the last deal of any round. */
  readonly minutes: number;
  readonly ms: number;
}

/** So many rounds, at the floors given. */
export async function contactRounds(
  rounds: number,
  floors: readonly number[],
  seed: number,
  progress: (played: number) => void = () => {},
): Promise<Contacted> {
  const sellers = floors.map((limit) => ({ limit, listed: ASKS }));
  const wins: [number, number, number] = [0, 0, 0];
  const all: Played[] = [];
  let paid = 0;
  for (let round = 0; round < rounds; round += 1) {
    const order = ORDERS[round % ORDERS.length] ?? ORDERS[0];
    const gap_ms = GAPS_MS[Math.floor(round / ORDERS.length) % GAPS_MS.length] ?? 0;
    const task: Task = { id: round, kind: '1:n', seed: seed + round, buyers: [BUYER], sellers };
    const got = await playServed(task, { order: order.map((seller) => [0, seller] as const), gap_ms }, 0.5);
    all.push(got);
    const [deal] = got.deals;
    if (deal) {
      wins[order.findIndex((seller) => seller === deal.seller) as 0 | 1 | 2] += 1;
      paid += deal.cents;
    }
    progress(round + 1);
  }
  const deals = wins[0] + wins[1] + wins[2];
  const most = (of: (played: Played) => number): number => Math.max(...all.map(of));
  return {
    rounds,
    wins,
    none: rounds - deals,
    mean_cents: paid / Math.max(1, deals),
    messages: most(({ messages }) => messages),
    told: all.reduce((sum, { told }) => sum + told, 0),
    minutes: most(({ minutes }) => minutes),
    ms: all.reduce((sum, { ms }) => sum + ms, 0) / rounds,
  };
}
