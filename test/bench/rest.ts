// Waits until a server has nothing left to do, so that what is measured is what the load costs and not what came before it.
import type { Target } from './load.ts';
import { cpuTime } from './process-figures.ts';

const LOOK_MS = 500;
/** Looks in a row that must find it at rest: what is written later is written every two seconds. */
const LOOKS = 5;
/** An idle server takes less than 1 % of a core; /proc counts in steps of 10 ms, so this is two of them a look. */
const BUSY_MAX = 0.05;
const REST_MAX_MS = 120_000;

/** What waits for a push or is on its way, off the server's own metrics. */
async function pushes(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const figure = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return figure('meshwork_pushes_running') + figure('meshwork_pushes_waiting');
}

/** Resolves once the server neither pushes nor computes; rejects if that does not come. */
export async function atRest({ port, pid }: Target): Promise<void> {
  const ends_ms = performance.now() + REST_MAX_MS;
  for (let quiet = 0; quiet < LOOKS; ) {
    if (performance.now() > ends_ms) throw new Error('a server did not come to rest');
    const [before_us, since_ms] = [cpuTime(pid), performance.now()];
    await Bun.sleep(LOOK_MS);
    const busy = (cpuTime(pid) - before_us) / 1_000 / (performance.now() - since_ms);
    quiet = busy < BUSY_MAX && (await pushes(port)) === 0 ? quiet + 1 : 0;
  }
}
