// A job's load on the servers of two checkouts, in turns: each serves a database that its own sources filled.
import { join } from 'node:path';
import { type Checkout, entryOf } from './checkout.ts';
import { type Child, serve } from './children.ts';
import type { Bench, Row } from './job.ts';
import type { Requests } from './load.ts';
import { atRest } from './rest.ts';
import { besideRow, measure } from './rounds.ts';

const CONNECTIONS = 64;
const ENV = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } as const;

export interface Comparison {
  /** Makes the database of a folder. */
  fill(checkout: Checkout, data_dir: string): Promise<void>;
  /** Runs once a server is up. */
  begin?(server: Child): Promise<void>;
  /** What each server is loaded with, by the name of its row. */
  readonly loads: Readonly<Record<string, () => Requests>>;
}

/** Compares what each load costs; a row each. */
export async function compare(
  bench: Bench,
  here: Checkout,
  other: Checkout,
  { fill, begin, loads }: Comparison,
): Promise<Row[]> {
  const started = async (checkout: Checkout, folder: string): Promise<Child> => {
    bench.progress(0, `filling the database of ${checkout.name}`);
    const data_dir = join(bench.folder, folder);
    await fill(checkout, data_dir);
    const server = await serve(bench, entryOf(checkout), { ...ENV, DATA_DIR: data_dir }, ['serve']);
    await begin?.(server);
    return server;
  };
  const ours = await started(here, 'here');
  const theirs = await started(other, 'other');
  const rest = async (): Promise<void> => {
    bench.progress(0, 'waiting for rest');
    for (const server of [ours, theirs]) await atRest(server);
  };
  const rows: Row[] = [];
  for (const [name, requests] of Object.entries(loads)) {
    const load = (target: Child) => ({ target, connections: CONNECTIONS, requests: requests() });
    const got = await measure(bench, { here: load(ours), other: load(theirs) }, rest);
    rows.push(besideRow(name, got.here, got.other, other));
  }
  return rows;
}
