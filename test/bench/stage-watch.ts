// Counts where the main thread's CPU time of a turn goes, inside a server of the bench: in the statements of SQLite, by what they
// do, and in the listeners after a commit. The rest is the program's own: doors, rules, answers and garbage collection.
import { dlopen, ptr } from 'bun:ffi';
import { Database } from 'bun:sqlite';
import { AfterCommit } from '../../db/after-commit.ts';

export const STAGES = ['reads', 'credential', 'effects', 'kept reply', 'COMMIT', 'after the commit'] as const;
export type Stage = (typeof STAGES)[number];
/** Microseconds of CPU by stage, and of the whole main thread. */
export type Spent = Record<Stage | 'main thread', number>;

const THREAD_CPU_CLOCK = 3;
const libc = dlopen('libc.so.6', { clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' } }).symbols;
const time = new BigInt64Array(2);
const time_at = ptr(time);

/** The CPU time of this thread so far, in microseconds. */
export function cpuNow(): number {
  libc.clock_gettime(THREAD_CPU_CLOCK, time_at);
  return Number(time[0]) * 1e6 + Number(time[1]) / 1e3;
}

/** drizzle writes its selects in small letters; those of the effects are in capitals (db/sqlite/statements.ts). */
function stageOf(sql: string): Stage | null {
  if (sql.startsWith('select ')) return 'reads';
  if (sql === 'COMMIT') return 'COMMIT';
  if (/^SELECT .* FROM (api_keys|sessions) /.test(sql)) return 'credential';
  if (sql.startsWith('INSERT INTO idempotency ')) return 'kept reply';
  return /^(SELECT|INSERT|UPDATE|DELETE) /.test(sql) ? 'effects' : null;
}

const spent = Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<Stage, number>;
let main_before = cpuNow();

function timed<A extends unknown[], R>(stage: Stage, work: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    const from = cpuNow();
    try {
      return work(...args);
    } finally {
      spent[stage] += cpuNow() - from;
    }
  };
}

/** From now on every statement that is prepared is timed, and every call of the listeners. */
export function watchStages(): void {
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (this: Database, sql: string, ...rest: []) {
    const statement = prepare.call(this, sql, ...rest);
    const stage = stageOf(sql);
    if (stage !== null) {
      for (const name of ['run', 'get', 'all', 'values'] as const) {
        const work = statement[name].bind(statement) as (...args: unknown[]) => unknown;
        Object.assign(statement, { [name]: timed(stage, work) });
      }
    }
    return statement;
  } as typeof prepare;
  const { tell } = AfterCommit.prototype;
  AfterCommit.prototype.tell = function (this: AfterCommit, ...args) {
    timed('after the commit', () => tell.apply(this, args))();
  };
}

/** What was spent since this was last asked. */
export function takeSpent(): Spent {
  const now = cpuNow();
  const taken = { ...spent, 'main thread': now - main_before };
  main_before = now;
  for (const stage of STAGES) spent[stage] = 0;
  return taken;
}
