// One run of the simulation: a seed, so many steps, everything checked on the way. Throws a SimFailure that tells the
// seed, the step and the last calls.
import { newProvisional } from '../support/agents.ts';
import { Deliveries } from './check/deliveries.ts';
import { History } from './check/history.ts';
import { checkRowRules, checkStored } from './check/stored.ts';
import { checkWire } from './check/wire.ts';
import { SimFailure } from './failure.ts';
import { Sim } from './sim.ts';
import { Steps, type Tally } from './steps.ts';

/** Everything is read over the wire every so many steps; the stored rows are checked after each. */
const WIRE_EVERY = 40;

export interface Run {
  readonly hash: string;
  readonly tally: Tally;
  readonly internal: ReadonlyMap<string, number>;
  readonly trace: string;
}

async function steps(sim: Sim, history: History, hands: Steps, count: number): Promise<void> {
  const reopen_at = sim.choose.below(count);
  const deliveries = new Deliveries();
  await sim.open();
  const provisional = await newProvisional(sim.t, 'agent_provisional');
  sim.people[0]?.keys.push({ text: provisional.key, id: null, expires_at: Number.MAX_SAFE_INTEGER });
  for (let step = 1; step <= count; step++) {
    sim.trace.note(`-- step ${step} at ${new Date(sim.clock.now()).toISOString()}`);
    await hands.one();
    if (step === reopen_at) await hands.reopen();
    checkStored(sim);
    history.check(sim);
    deliveries.check(sim);
    if (step % WIRE_EVERY !== 0) continue;
    await checkWire(sim);
    await checkRowRules(sim);
  }
  await hands.reopen();
  checkStored(sim);
  await checkRowRules(sim);
  await checkWire(sim);
  history.check(sim);
}

export interface RunOptions {
  /** Keeps every step's text, for printing. */
  readonly whole_trace?: boolean;
  /** Lets calls run side by side; signing a token is a thread's work, so then their order is the machine's. */
  readonly bursts?: boolean;
  /** Operations that are tried more often than others. */
  readonly wanted?: readonly string[];
}

export async function simulate(seed: number, count: number, options: RunOptions = {}): Promise<Run> {
  const { whole_trace = false, bursts = true, wanted = [] } = options;
  const sim = new Sim(seed, whole_trace);
  const history = new History();
  const hands = new Steps(sim, history, bursts, wanted);
  try {
    await steps(sim, history, hands, count);
    return { hash: sim.trace.hash(), tally: hands.tally, internal: sim.internal, trace: sim.trace.text };
  } catch (error) {
    const what = error instanceof SimFailure ? error.message : String(error instanceof Error ? error.stack : error);
    throw new SimFailure(`seed ${seed} (scripts/sim ${seed} --steps ${count}) fails:\n${sim.trace.text}\n\n${what}`);
  } finally {
    await sim.close().catch(() => {});
    sim.remove();
  }
}
