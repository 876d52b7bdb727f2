// A checkout of this project: the one that measures, or another whose server is measured beside its own. Each makes and
// fills its database by its own sources, since their schemas may differ; who is in it and what is sent are the same.

import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Effect } from '../../db/effects.ts';
import type { Store } from '../../db/store.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { BUILT_IN_MODEL } from '../../src/outbound/embedder/built-in.ts';
import { EMBEDDING_DIMENSIONS } from '../../src/outbound/embedder/embedder.ts';
import type { Talk } from './talks.ts';

/** A folder with sources that can be served. */
export interface Checkout {
  readonly root: string;
  /** Folder and commit, for the report. */
  readonly name: string;
}

function git(root: string, ...args: string[]): string {
  const { exitCode, stdout } = Bun.spawnSync(['git', '--no-optional-locks', '-C', root, ...args], { stderr: 'ignore' });
  return exitCode === 0 ? stdout.toString().trim() : '';
}

function describe(root: string): Checkout {
  const changed = git(root, 'status', '--porcelain') === '' ? '' : '+';
  return { root, name: `${basename(root)} ${git(root, 'rev-parse', '--short', 'HEAD')}${changed}`.trim() };
}

/** The checkout in a folder; a text that says what is missing where there is none that can be measured. */
export function checkoutAt(folder: string): Checkout | string {
  const root = resolve(folder);
  const missing = ['src/cli/meshwork.ts', 'test/bench/talks.ts', 'node_modules'].find(
    (path) => !existsSync(join(root, path)),
  );
  if (missing !== undefined) return `${root} has no ${missing}; run scripts/setup there, or name another checkout`;
  return describe(root);
}

export const HERE: Checkout = describe(join(import.meta.dir, '../..'));

/** Where `meshwork serve` of a checkout begins. */
export const entryOf = ({ root }: Checkout): string => join(root, 'src/cli/meshwork.ts');

/** Letters are asked for when the first events come, and wait until the run is over. */
const LETTERS_WAIT_MS = HOUR_MS;

type From = <M>(path: string) => Promise<M>;

async function fill(from: From, store: Store, talks: readonly Talk[], more: Iterable<Effect> = []): Promise<void> {
  const { write } = await from<typeof import('./population.ts')>('test/bench/population.ts');
  const { fillTalks } = await from<typeof import('./talks.ts')>('test/bench/talks.ts');
  const { insert } = await from<typeof import('../../db/effects.ts')>('db/effects.ts');
  await fillTalks(store, talks);
  const at = Date.now() + LETTERS_WAIT_MS;
  const agents = talks.flatMap(({ sides }) => sides);
  await write(
    store,
    agents.map(({ id }) => insert('mail_marks', { id, seen: 0, at })),
  );
  await write(store, more);
  await store.close();
}

/** Makes and fills the database of a folder with conversations and their agents, by a checkout's own sources, and with `more`. */
export async function fillFolder(
  { root }: Checkout,
  data_dir: string,
  talks: readonly Talk[],
  more?: Iterable<Effect>,
): Promise<void> {
  const from: From = (path) => import(join(root, path));
  const { openForFilling } = await from<typeof import('./population.ts')>('test/bench/population.ts');
  await fill(from, openForFilling(data_dir), talks, more);
}

/** The same in an empty database of a PostgreSQL. */
export async function fillDatabase({ root }: Checkout, url: string, talks: readonly Talk[]): Promise<void> {
  const from: From = (path) => import(join(root, path));
  const { openPostgresStore } = await from<typeof import('../../db/postgres/postgres-store.ts')>(
    'db/postgres/postgres-store.ts',
  );
  const sealer = { seal: (plain: string) => plain };
  const common = { dimensions: EMBEDDING_DIMENSIONS, model: BUILT_IN_MODEL, now_ms: Date.now() };
  await fill(from, await openPostgresStore({ url, sealer, ...common }), talks);
}
