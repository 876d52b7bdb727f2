// The shards of a database that Citus distributes. What locks or changes rows goes to one shard at a time, in one order on every
// node: Citus locks rows in no statement over several, and plans each of those anew on every shard.

import { DISTRIBUTED } from '../schema/distribution.ts';
import type { Connection } from './connection.ts';
import { hashText } from './hash.ts';
import { literal } from './shapes.ts';

export class Shards {
  /** The lowest hash of each shard, in order, by table. */
  readonly #lowest: ReadonlyMap<string, readonly number[]>;

  constructor(lowest: ReadonlyMap<string, readonly number[]>) {
    this.#lowest = lowest;
  }

  has(table: string): boolean {
    return this.#lowest.has(table);
  }

  /** Whether a statement of drizzle's reads a table in shards. */
  readBy(text: string): boolean {
    return [...this.#lowest.keys()].some((table) => text.includes(`"${table}".`));
  }

  divide<T>(table: string, items: readonly T[], keyOf: (item: T) => string): readonly (readonly T[])[] {
    const lowest = this.#lowest.get(table);
    if (!lowest || items.length < 2) return [items];
    const groups: T[][] = lowest.map(() => []);
    for (const item of items) {
      const hash = hashText(keyOf(item));
      groups[lowest.findLastIndex((low) => low <= hash)]?.push(item);
    }
    return groups.filter(({ length }) => length > 0);
  }
}

/** Divides items by the shards of their keys, the values of the column of distribution; none are divided elsewhere. */
export function divide<T>(
  shards: Shards | null,
  table: string,
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly (readonly T[])[] {
  return shards ? shards.divide(table, items, keyOf) : [items];
}

const RANGES = `SELECT name, shardminvalue::int AS low
  FROM unnest($1::text[]) AS ours(name) JOIN pg_dist_shard ON logicalrelid = to_regclass(name)
  WHERE shardminvalue IS NOT NULL ORDER BY 1, 2`;

/** The shards of a database; null where its tables are not distributed. Throws where only some of them are. */
export async function findShards(connection: Connection): Promise<Shards | null> {
  const [known] = await connection.unsafe("SELECT to_regclass('pg_catalog.pg_dist_shard') IS NOT NULL AS there");
  if (known?.['there'] !== true) return null;
  const lowest = new Map<string, number[]>();
  for (const { name, low } of await connection.unsafe(RANGES, [literal(DISTRIBUTED.map(([table]) => table))])) {
    const table = String(name);
    lowest.set(table, [...(lowest.get(table) ?? []), Number(low)]);
  }
  if (lowest.size === 0) return null;
  const lacking = DISTRIBUTED.map(([table]) => table).filter((table) => !lowest.has(table));
  if (lacking.length > 0)
    throw new Error(
      `its tables are only in part distributed (${lacking.join(', ')} not yet); run meshwork migrate --distribute again`,
    );
  return new Shards(lowest);
}
