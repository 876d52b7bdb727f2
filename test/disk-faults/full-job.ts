// Runs in a process of its own, since it takes away the room that files may take: for each number of bytes that it is told, turns on a
// database whose log may not grow beyond it, then some with room again. Prints what was left and acknowledged, a line each.
import { dlopen, ptr } from 'bun:ffi';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { copyFiles, type Left, Run } from './run.ts';

/** What a run left that met a full disk. */
export interface Met extends Left {
  readonly refused: number;
}

const RLIMIT_FSIZE = 1;
const SIGXFSZ = 25;
const IGNORE = 1;
const UNLIMITED = 0xffff_ffff_ffff_ffffn;
/** Turns that share a commit. */
const GROUPS = [1, 5, 17, 32];

const { symbols: libc } = dlopen('libc.so.6', {
  setrlimit: { args: ['i32', 'ptr'], returns: 'i32' },
  signal: { args: ['i32', 'usize'], returns: 'usize' },
});

/** Lets no file grow beyond so many bytes. Only the soft limit, so that it can be lifted again. */
function limit(bytes: bigint): void {
  if (libc.setrlimit(RLIMIT_FSIZE, ptr(new BigUint64Array([bytes, UNLIMITED]))) !== 0) throw new Error('no limit');
}

async function meet(begun: string, turns: number, bytes: number | null): Promise<Met> {
  const folder = mkdtempSync(join(begun, 'full-'));
  copyFiles(begun, folder);
  const run = new Run(folder);
  if (bytes !== null) limit(BigInt(bytes));
  for (let done = 0, n = 0; done < turns && run.refused === 0; n++) {
    const size = Math.min(turns - done, GROUPS[n % GROUPS.length] ?? 1);
    await run.group(size);
    done += size;
  }
  const { refused } = run;
  limit(UNLIMITED);
  if (bytes !== null) await run.group(3);
  const left = { ...run.leave(), refused };
  await run.close();
  return left;
}

const [begun = '', turns = '', limits = '[]'] = process.argv.slice(2);
libc.signal(SIGXFSZ, IGNORE);
for (const bytes of JSON.parse(limits) as (number | null)[]) {
  process.stdout.write(`${JSON.stringify(await meet(begun, Number(turns), bytes))}\n`);
}
process.exit(0);
