// Events about a turn's matches: a listing's owner gets a limited number a day, in all and for one account, and finds the rest
// in its feed. The pairs are written in any case; when two runs reach a limit at once, one of them decides again.

import { count, type Effect } from '../../db/effects.ts';
import { counterById } from '../../db/queries/turn.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import type { Ctx } from '../contract/context.ts';
import { fault } from '../domain/fault.ts';
import { DAY_MS } from '../domain/time.ts';
import type { Prepared } from './listing-cache.ts';
import { matchCreated, type Pair } from './pair.ts';

/** Match events to a listing's owner in a day: more than its best, which are sent first, and few enough to read. */
const TOLD_MAX = 50;
/** Of these, matches with listings of one account, so that an account with a thousand listings leaves room for others. */
const TOLD_OF_ONE_MAX = 10;

/** The events of today before this turn and in it, and the limit. */
interface Told {
  readonly max: number;
  readonly before: number;
  here: number;
}

export class Notifier {
  readonly #ctx: Ctx;
  readonly #read: Read;
  readonly #day: number;
  readonly #effects: Effect<never>[] = [];
  readonly #told = new Map<string, Told>();

  constructor(ctx: Ctx, read: Read) {
    this.#ctx = ctx;
    this.#read = read;
    this.#day = Math.floor(ctx.now_ms / DAY_MS);
  }

  /** The events of a listing, in all (no account named) or for one account. */
  async #toldOf(max: number, ...names: readonly string[]): Promise<Told> {
    const key = ['told', ...names, this.#day].join(':');
    const known = this.#told.get(key);
    if (known) return known;
    const counter = await this.#read.peek(counterById, { id: key });
    const told = { max, before: counter?.n ?? 0, here: 0 };
    this.#told.set(key, told);
    return told;
  }

  /** Tells a side of a match, if it wants to be woken for it and is below both limits of today. */
  async tell(
    pair: Pair,
    side: Prepared,
    other: Prepared,
    row: Pick<Row<'matches'>, 'match_id' | 'created_at'>,
  ): Promise<void> {
    const event = matchCreated(this.#ctx, pair, side, other, row);
    if (event === null) return;
    const counted = [
      await this.#toldOf(TOLD_MAX, side.id),
      await this.#toldOf(TOLD_OF_ONE_MAX, side.id, other.agent.account_id),
    ];
    if (counted.some(({ max, before, here }) => before + here >= max)) return;
    for (const told of counted) told.here += 1;
    this.#effects.push(event);
  }

  /** The events and their counters. */
  effects(): Effect<'conflict'>[] {
    const ends_at = (this.#day + 1) * DAY_MS;
    const counted = [...this.#told].filter(([, { here }]) => here > 0);
    const full = fault('conflict');
    return [...this.#effects, ...counted.map(([key, { max, here }]) => count(key, max, full, ends_at, here))];
  }
}
