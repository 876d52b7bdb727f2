// What the commands of the fault test share: how they speak, and how they end.
import type { RunReport } from './run.ts';

/** Says what happens, with the seconds since the start. */
export const say = (line: string): void => console.log(`${(performance.now() / 1_000).toFixed(1)} s: ${line}`);

/** Prints the outcome of a run, with what the command found wrong beside it; exit 0 when everything held. */
export function conclude({ figures, problems }: RunReport, beside: readonly string[] = []): void {
  const all = [...beside, ...problems];
  console.log(figures);
  for (const problem of all.slice(0, 40)) console.error(problem);
  console.log(all.length === 0 ? 'everything held' : `${all.length} problems`);
  process.exitCode = all.length === 0 ? 0 : 1;
}
