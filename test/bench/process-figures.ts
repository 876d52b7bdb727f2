// CPU time and memory of a process, as Linux counts them in /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ is 100 on every Linux that Bun runs on. */
const TICK_US = 10_000;

/** The fields of /proc/PID/stat behind the name, which may hold anything: the parent is the 2nd, utime the 12th, stime the 13th, and
 * what ended children took the 14th and 15th. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** CPU time of all threads of a process so far, in microseconds (steps of 10 ms). */
export function cpuTime(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** A process and all that it started, parents first. */
export function familyOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), parent: Number(statOf(Number(name))[1]) }];
      } catch {
        // It has just ended.
        return [];
      }
    });
  const family = [pid];
  for (const each of family) family.push(...parents.filter(({ parent }) => parent === each).map((child) => child.pid));
  return family;
}

/** CPU time of a process and of all that it started, also of those that have ended. */
export function familyTime(pid: number): number {
  const ticks = familyOf(pid).flatMap((each) => statOf(each).slice(11, 15).map(Number));
  return ticks.reduce((sum, some) => sum + some, 0) * TICK_US;
}

export interface Memory {
  /** Resident: includes the pages of mapped files, the executable's and the database's. */
  readonly rss_kb: number;
  /** Resident, with shared pages divided among those that share them. */
  readonly pss_kb: number;
  /** What the process made itself: no file stands behind it. */
  readonly anonymous_kb: number;
}

/** What a process keeps in memory now. */
export function memory(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]);
  return { rss_kb: field('Rss'), pss_kb: field('Pss'), anonymous_kb: field('Anonymous') };
}
