// One run of the simulation with money: a seed, so many steps, everything checked after each. At the end the rails calm down, and all
// that was on its way has to arrive or come back.
import { DAY_MS, SECOND_MS } from '../../../src/domain/time.ts';
import type { TestAnswer } from '../../support/testbed.ts';
import { must, SimFailure } from '../failure.ts';
import { ACTIONS } from './actions.ts';
import { checkBooks, checkByService, checkMoney } from './check.ts';
import { MoneyWorld } from './world.ts';

const TRACED = 60;
/** After so long without troubles nothing is on its way any more. */
const CALM_DAYS = 20;

const TOTAL = ACTIONS.reduce((sum, [, weight]) => sum + weight, 0);

/** How often each action was done, and how often it did what was asked. */
export type Tally = Map<string, { calls: number; good: number }>;

async function act(world: MoneyWorld, tally: Tally): Promise<void> {
  let drawn = world.choose.below(TOTAL);
  const found = ACTIONS.find(([, weight]) => {
    drawn -= weight;
    return drawn < 0;
  });
  if (!found) throw new Error('no action was drawn');
  const [name, , action] = found;
  const answer = await action(world, world.choose.pick(world.members));
  if (!answer) return;
  judge(name, answer, world);
  const { calls, good } = tally.get(name) ?? { calls: 0, good: 0 };
  tally.set(name, { calls: calls + 1, good: good + (answer.status < 300 ? 1 : 0) });
}

function judge(name: string, { status, body }: TestAnswer, world: MoneyWorld): void {
  must(status < 500, `${name} answered ${status}`, { body, errors: world.errors });
  if (status === 402)
    must(Number(body.shortfall_cents ?? body.payment_required?.shortfall_cents) > 0, 'a 402 without figures', body);
}

async function passTime({ t, choose, note }: MoneyWorld, world: MoneyWorld): Promise<void> {
  const ms = choose.chance(0.6) ? choose.below(5_400) * SECOND_MS : choose.below(12 * DAY_MS);
  note.call(world, `time passes: ${ms} ms`);
  await t.advance(ms);
}

async function step(world: MoneyWorld, tally: Tally): Promise<void> {
  const die = world.choose.below(100);
  if (die < 14) await passTime(world, world);
  else if (die < 28) {
    world.note('at once:');
    await Promise.all(Array.from({ length: 2 + world.choose.below(5) }, () => act(world, tally)));
  } else if (die < 30) {
    world.note('closed and opened again');
    await world.close();
    await world.open();
  } else await act(world, tally);
  await world.t.rest();
}

async function calmDown(world: MoneyWorld): Promise<void> {
  world.calm = true;
  for (let day = 0; day < CALM_DAYS; day += 1) {
    await world.t.advance(DAY_MS);
    await checkMoney(world);
  }
  const open = world.db.rows("SELECT id, status, reason FROM payouts WHERE status NOT IN ('finalized', 'reversed')");
  must(open.length === 0, 'payouts that do not end', open);
}

/** Runs a seed; throws a SimFailure that tells the seed and the last calls. */
export async function simulateMoney(seed: number, steps: number): Promise<Tally> {
  const world = new MoneyWorld(seed);
  const tally: Tally = new Map();
  let at = 0;
  try {
    await world.open();
    await world.populate();
    for (at = 1; at <= steps; at += 1) {
      world.note(`-- step ${at} at ${new Date(world.clock.now()).toISOString()}`);
      await step(world, tally);
      await checkMoney(world);
      if (at % 5 === 0) await checkBooks(world);
    }
    await calmDown(world);
    await checkBooks(world);
    await checkByService(world);
    return tally;
  } catch (error) {
    const what = error instanceof SimFailure ? error.message : String(error instanceof Error ? error.stack : error);
    const last = world.trace.slice(-TRACED).join('\n');
    throw new SimFailure(
      `seed ${seed} (scripts/sim ${seed} --money --steps ${steps}) fails at step ${at}:\n${last}\n\n${what}`,
    );
  } finally {
    await world.close().catch(() => {});
    await world.remove();
  }
}
