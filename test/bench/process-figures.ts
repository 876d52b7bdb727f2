// CPU time and memory of a process, as Linux counts them in /proc.
import { readFileSync } from 'node:fs';

/** USER_HZ is 100 on every Linux that Bun runs on. */
const TICK_US = 10_000;

/** CPU time of all threads of a process so far, in microseconds (steps of 10 ms). */
export function cpuTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold anything; the fields are counted from behind it: utime is the 12th, stime the 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
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
