// The load beside faults of a database's own servers: light, since the check is about what is lost, not about how much is carried.
import { wholeNumber, wordsGiven } from '../support/words-given.ts';
import { say } from './command.ts';

const CLIENTS = 12;
/** So many writes after a fault show that it is over: more than can have been on their way. */
const FLOWING = 3 * CLIENTS;

/** The options of such a command, for `runCluster`. */
export function lightLoad(): { seed: number; seconds: number; pace: number; clients: number } {
  const options = { seed: { type: 'string' }, seconds: { type: 'string' }, pace: { type: 'string' } } as const;
  const { values } = wordsGiven({ options });
  return {
    seed: wholeNumber('--seed', values.seed, Date.now() % 100_000),
    seconds: wholeNumber('--seconds', values.seconds, 0),
    pace: wholeNumber('--pace', values.pace, 60, 1),
    clients: CLIENTS,
  };
}

/** Waits until writes flow after a fault; the longest time without an answer, in milliseconds. */
async function silenceAfter(answered: () => number): Promise<number> {
  let [last, since, longest_ms] = [answered(), performance.now(), 0];
  for (let flowed = 0; flowed < FLOWING; await Bun.sleep(5)) {
    const now = answered();
    const gone_ms = performance.now() - since;
    longest_ms = Math.max(longest_ms, gone_ms);
    if (now === last) continue;
    // What comes one by one, out of what was on its way, is no flow yet.
    flowed = gone_ms > 1_000 ? 0 : flowed + now - last;
    [last, since] = [now, performance.now()];
  }
  return longest_ms;
}

/** Waits until writes flow after a fault; says what is wrong when they were away for longer than they may be. */
export async function lateAfter(fault: string, answered: () => number, most_ms: number): Promise<string[]> {
  const gone_ms = Math.round(await silenceAfter(answered));
  say(`writes were away for ${gone_ms} ms`);
  return gone_ms > most_ms ? [`${fault}: writes were away for ${gone_ms} ms, not ${most_ms}`] : [];
}
