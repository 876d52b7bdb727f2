// What a run of tasks comes to: agreements, welfare, and what must never be.
import { bestPairs } from './assignment.ts';
import type { Dealt, Played } from './served.ts';
import { gainOf, type Kind, type Task, zoneOf } from './tasks.ts';

/** From this zone of agreement on, as a share of the price, two are expected to agree. */
const ZONE = 0.05;

interface Figures {
  readonly kind: Kind;
  readonly tasks: number;
  /** Pairs of the best assignment with a zone, and deals, up to as many. */
  could: number;
  did: number;
  /** What was gained, and what could be. */
  gained: number;
  best: number;
  beyond: number;
  twice: number;
  messages: number;
  told: number;
  minutes: number;
  ms: number;
}

/** The gains of each buyer with each seller. */
const gainsOf = ({ buyers, sellers }: Task): number[][] =>
  buyers.map((buyer) => sellers.map((seller) => gainOf(buyer, seller)));

/** Deals beyond a limit, or above the price of the seller's listing. */
function isBeyond({ buyers, sellers }: Task, { buyer, seller, cents }: Dealt): boolean {
  const [pays, takes] = [buyers[buyer], sellers[seller]];
  if (!pays || !takes) return true;
  return cents > pays.limit || cents < takes.limit || cents > takes.listed;
}

/** How many more deals there are than agents who made them. */
function twiceIn(deals: readonly Dealt[]): number {
  const [buyers, sellers] = [new Set(deals.map(({ buyer }) => buyer)), new Set(deals.map(({ seller }) => seller))];
  return 2 * deals.length - buyers.size - sellers.size;
}

/** One line for each kind of task; welfare is the mean of the shares of the tasks in which something can be gained. */
export function figuresOf(played: readonly (readonly [Task, Played])[]): Figures[] {
  const by_kind = Map.groupBy(played, ([{ kind }]) => kind);
  return [...by_kind].map(([kind, of]) => {
    const sums: Figures = {
      ...{ kind, tasks: of.length, could: 0, did: 0, gained: 0, best: 0, beyond: 0, twice: 0 },
      ...{ messages: 0, told: 0, minutes: 0, ms: 0 },
    };
    for (const [task, { deals, ...got }] of of) {
      const { pairs, sum } = bestPairs(gainsOf(task));
      const wide = pairs.filter(([buyer, seller]) => {
        const [pays, takes] = [task.buyers[buyer], task.sellers[seller]];
        return pays !== undefined && takes !== undefined && zoneOf(pays, takes) >= ZONE;
      });
      sums.could += wide.length;
      sums.did += Math.min(wide.length, deals.length);
      if (sum > 0) {
        sums.best += 1;
        const gains = deals.map(({ buyer, seller }) => gainsOf(task)[buyer]?.[seller] ?? 0);
        sums.gained += gains.reduce((all, each) => all + each, 0) / sum;
      }
      sums.beyond += deals.filter((deal) => isBeyond(task, deal)).length;
      sums.twice += twiceIn(deals);
      sums.messages = Math.max(sums.messages, got.messages);
      sums.told += got.told;
      sums.minutes = Math.max(sums.minutes, got.minutes);
      sums.ms += got.ms;
    }
    return sums;
  });
}
