// What has to hold of the files that a run left, whatever was done to its log.
import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { proveDatabase } from '../../db/sqlite/copy.ts';
import { LostWrites } from '../../db/sqlite/lost-writes.ts';
import { removeMark } from '../../db/sqlite/mark.ts';
import { FUNDED, LOG_FILE, openStore, Run } from './run.ts';

const AT_MS = Date.UTC(2026, 0, 2);

/** The turns that have to be there, and those of groups that were not answered: each of these is there as a whole, or not at all. */
export interface Expected {
  readonly ids: readonly string[];
  readonly unsure?: readonly (readonly string[])[];
}

export function storedIn(folder: string): string[] {
  using db = new Database(join(folder, DATABASE_FILE), { readonly: true });
  const rows = db.query("SELECT id FROM idempotency WHERE id LIKE 'turn-%'").all() as { id: string }[];
  return rows.map(({ id }) => id);
}

/** The turns that are there beside those that have to be, then pages, seqs and ledger. */
async function problemsIn(folder: string, { ids, unsure = [] }: Expected): Promise<string[]> {
  const stored = new Set(storedIn(folder));
  const missing = ids.filter((id) => !stored.has(id)).length;
  const found = unsure.map((group) => group.filter((id) => stored.has(id)).length);
  const parted = unsure.filter((group, n) => ![0, group.length].includes(found[n] ?? 0)).length;
  const surplus = stored.size - (ids.length - missing) - found.reduce((sum, n) => sum + n, 0);
  const proved = await proveDatabase(join(folder, DATABASE_FILE), AT_MS, () => {});
  const broken = proved.filter(({ problem }) => !problem.includes(FUNDED));
  return [
    ...(missing > 0 ? [`${missing} acknowledged turns are missing`] : []),
    ...(parted > 0 ? [`${parted} groups are there in part`] : []),
    ...(surplus > 0 ? [`${surplus} turns are there that were not acknowledged`] : []),
    ...broken.slice(0, 5).map(({ about, problem }) => `${about}: ${problem}`),
  ];
}

/** Whether a start refuses the folder. What is refused stays as it is. */
async function isRefused(folder: string): Promise<boolean> {
  const size = () => statSync(join(folder, LOG_FILE), { throwIfNoEntry: false })?.size ?? 0;
  const before = size();
  try {
    await openStore(folder).close();
    return false;
  } catch (error) {
    if (!(error instanceof LostWrites)) throw error;
    if (size() !== before) throw new Error('a start that was refused has changed the log');
    return true;
  }
}

/** Starts on the files: refused or not as `refused` says, and once their mark is gone with exactly the turns that are expected, after
 * which more can be done. Answers what does not hold. */
export async function judge(folder: string, expected: Expected, refused = false): Promise<string[]> {
  try {
    const problems = [];
    if (refused && !(await isRefused(folder))) return ['a start did not notice that acknowledged turns are missing'];
    if (refused) removeMark(folder);
    problems.push(...(await problemsIn(folder, expected)));
    const run = new Run(folder, { first: 1_000_000 });
    await run.group(3);
    const [done] = run.acknowledged;
    await run.close();
    if (run.refused > 0) problems.push('no turn can be done any more');
    problems.push(
      ...(await problemsIn(folder, { ...expected, ids: [...expected.ids, ...(done?.ids ?? [])] })).map(
        (each) => `later, ${each}`,
      ),
    );
    return problems;
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
