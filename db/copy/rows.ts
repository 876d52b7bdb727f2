// Copies the rows of every table of the schema from one engine to another, then reads them back and compares.
import type { Stored } from '../ledger-check/snapshot.ts';
import { figure } from '../ledger-check/snapshot.ts';
import { type Shape, shapeOf } from '../postgres/shapes.ts';
import { tables } from '../schema/postgres.ts';
import type { TableName } from '../schema/tables.ts';
import { CopyProblem, type CopySource, type CopyTarget } from './ends.ts';

/** Hears how many rows are done of how many, and in which table. */
export type Progress = (done: number, all: number, table: string) => void;

// The keys of the spec are the names of its tables.
const SHAPES: readonly Shape[] = (Object.keys(tables) as TableName[]).map((table) => shapeOf(table));

const MASK = (1n << 64n) - 1n;

/** The number of rows, and the sum of their hashes, which does not depend on their order. */
interface Digest {
  rows: number;
  sum: bigint;
}

function add(digest: Digest, { columns }: Shape, row: Stored): void {
  const values = columns.map(({ name, type }) => {
    const value = row[name];
    if (value === null || value === undefined) return null;
    if (type === 'bigint') return Number(value);
    return type === 'bytea' ? Buffer.from(value as Uint8Array).toString('base64') : value;
  });
  digest.rows += 1;
  digest.sum = (digest.sum + Bun.hash.xxHash3(JSON.stringify(values))) & MASK;
}

const listOf = ({ columns }: Shape): string => columns.map(({ name }) => name).join(', ');

/** In the order of the ids, so that the pages of a new file are filled one after the other. */
function ordered(shape: Shape): string {
  const key = shape.key.map(({ name }) => name).join(', ');
  return `SELECT ${listOf(shape)} FROM ${shape.name}${key === '' ? '' : ` ORDER BY ${key}`}`;
}

async function countAll(source: CopySource): Promise<number> {
  let all = 0;
  for (const { name } of SHAPES) all += figure((await source.rows(`SELECT count(*) AS n FROM ${name}`))[0]?.['n']);
  return all;
}

/** Throws where a table of the target has rows: two services are never mixed. */
export async function refuseRows(target: CopySource): Promise<void> {
  for (const { name } of SHAPES) {
    const [row] = await target.rows(`SELECT 1 AS one FROM ${name} LIMIT 1`);
    if (row) throw new CopyProblem(`the database to copy to is not empty (${name} has rows); name an empty one`);
  }
}

/** Copies all rows into empty tables, and returns the number of rows of each table. Throws `CopyProblem` where what is read back
 * differs from what was read. */
export async function copyRows(
  source: CopySource,
  target: CopyTarget,
  progress: Progress,
): Promise<Readonly<Record<string, number>>> {
  // Every row is written and read back.
  const all = 2 * (await countAll(source));
  let done = 0;
  const copied = new Map<Shape, Digest>();
  for (const shape of SHAPES) {
    const digest = { rows: 0, sum: 0n };
    for await (const bite of source.bites(ordered(shape))) {
      for (const row of bite) add(digest, shape, row);
      if (bite.length > 0) await target.put(shape, bite);
      done += bite.length;
      progress(done, all, shape.name);
    }
    copied.set(shape, digest);
  }
  for (const [shape, { rows, sum }] of copied) {
    const back = { rows: 0, sum: 0n };
    for await (const bite of target.bites(`SELECT ${listOf(shape)} FROM ${shape.name}`)) {
      for (const row of bite) add(back, shape, row);
      done += bite.length;
      progress(done, all, `${shape.name}, read back`);
    }
    if (back.rows !== rows || back.sum !== sum)
      throw new CopyProblem(`${shape.name} was read back otherwise: ${rows} rows were read, ${back.rows} are there`);
  }
  return Object.fromEntries([...copied].map(([{ name }, { rows }]) => [name, rows]));
}
