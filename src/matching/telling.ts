// Who hears of a turn's matches: a listing's owner is told of so many a day, and finds the rest in its feed. The pair is made
// all the same; a bound that is reached by two runs at once makes one of them look again.
import { count, type Effect } from '../../db/effects.ts';
import { counterById } from '../../db/queries/turn.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import { fault } from '../domain/fault.ts';
import type { Ctx } from '../operations/context.ts';
import { matchCreated, type Pair } from './pair.ts';
import type { Prepared } from './sides.ts';

/** Matches that a listing's owner is told of in a day: more than its best, which it is told first, and few enough to read. */
const TOLD_MAX = 50;
const DAY_MS = 86_400_000;

export class Telling {
  readonly #ctx: Ctx;
  readonly #read: Read;
  readonly #day: number;
  readonly #effects: Effect<never>[] = [];
  /** By listing: what was told today before this turn, and in it. */
  readonly #told = new Map<string, { before: number; here: number }>();

  constructor(ctx: Ctx, read: Read) {
    this.#ctx = ctx;
    this.#read = read;
    this.#day = Math.floor(ctx.now_ms / DAY_MS);
  }

  #key(listing_id: string): string {
    return `told:${listing_id}:${this.#day}`;
  }

  /** Tells a side of a match, if it wants to be woken for it and was not told of enough today. */
  async tell(
    pair: Pair,
    side: Prepared,
    other: Prepared,
    row: Pick<Row<'matches'>, 'match_id' | 'created_at'>,
  ): Promise<void> {
    const event = matchCreated(this.#ctx, pair, side, other, row);
    if (event === null) return;
    let told = this.#told.get(side.id);
    if (!told) {
      const counter = await this.#read.peek(counterById, { id: this.#key(side.id) });
      told = { before: counter?.n ?? 0, here: 0 };
      this.#told.set(side.id, told);
    }
    if (told.before + told.here >= TOLD_MAX) return;
    told.here += 1;
    this.#effects.push(event);
  }

  /** The events, and what they count. */
  effects(): Effect<'conflict'>[] {
    const ends_at = (this.#day + 1) * DAY_MS;
    const counted = [...this.#told].filter(([, { here }]) => here > 0);
    const full = fault('conflict');
    return [...this.#effects, ...counted.map(([id, { here }]) => count(this.#key(id), TOLD_MAX, full, ends_at, here))];
  }
}
