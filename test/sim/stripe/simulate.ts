// One run of the simulation with Stripe: a seed, so many steps, the ledger's check after each. Then all is calm, every webhook is lost,
// and what Stripe has and what the service has must come to the same.

import { platformBalance } from '../../../db/queries/ledger.ts';
import { fundingById, fundingsOfAgent, payoutById } from '../../../db/queries/processor.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts';
import { must, SimFailure } from '../failure.ts';
import { ACTIONS } from './actions.ts';
import { StripeSim } from './world.ts';

const CALM_DAYS = 8;
const TRACED = 60;
const TOTAL = ACTIONS.reduce((sum, [, weight]) => sum + weight, 0);

/** How often each action did what was asked. */
export type Done = Map<string, number>;

async function step(sim: StripeSim, done: Done): Promise<void> {
  let drawn = sim.choose.below(TOTAL);
  const found = ACTIONS.find(([, weight]) => {
    drawn -= weight;
    return drawn < 0;
  });
  if (!found) throw new Error('no action was drawn');
  const [name, , action] = found;
  const was_good = await action(sim, sim.choose.pick(sim.members));
  done.set(name, (done.get(name) ?? 0) + (was_good ? 1 : 0));
  await sim.bring();
  await sim.t.rest();
}

/** The ledger's own check. Where the books differ is found in its time, so that is asked for at the end alone. */
async function checkLedger({ t, errors }: StripeSim, { books }: { readonly books: boolean }): Promise<void> {
  must(errors.length === 0, 'the service logged an error of its own', errors);
  const headers = { 'X-Internal-Token': t.internal_token };
  const { body } = await t.call('GET', '/api/admin/ledger/check', { headers });
  const problems = (body.problems as { about: string }[]).filter(
    ({ about }) => books || !about.startsWith('processor '),
  );
  must(problems.length === 0 && body.sum_cents === 0, 'the ledger does not hold', problems);
}

/** Each payment for a wallet is a paid funding, and each paid funding a payment. */
async function checkFundings(sim: StripeSim): Promise<void> {
  const paid = new Set<string>();
  for (const { status, mode, metadata, amount_total } of sim.double.world.all('checkout.session')) {
    if (status !== 'complete' || mode !== 'payment') continue;
    const row = await sim.t.service.world.store.read(fundingById, { id: metadata.meshwork_id });
    must(row?.status === 'paid' && row.amount_cents === amount_total, 'a payment that is nobody’s', { metadata, row });
    must(!paid.has(row.id), 'a funding that was paid twice', row);
    paid.add(row.id);
  }
  for (const member of sim.members) {
    const asked = { agent_id: member.id, before: HIGHEST_ID, limit: 100 };
    const rows = await sim.t.service.world.store.read(fundingsOfAgent, asked);
    const unpaid = rows.filter(({ id, status }) => status === 'paid' && !paid.has(id));
    must(unpaid.length === 0, 'a funding that nobody paid', unpaid);
    const open = rows.filter(({ status }) => status === 'pending');
    must(open.length === 0, 'a funding that does not end', open);
  }
}

/** Each withdrawal is outside once or in the wallet. */
async function checkPayouts({ double, t }: StripeSim): Promise<void> {
  const transfers = double.world.all('transfer');
  const names = new Set(transfers.map(({ transfer_group }) => transfer_group as string));
  for (const id of names) {
    const row = await t.service.world.store.read(payoutById, { id });
    const out = transfers.filter(({ transfer_group, reversed }) => transfer_group === id && !reversed);
    const banked = double.world.all('payout').filter(({ metadata }) => metadata.meshwork_id === id);
    const arrived = banked.filter(({ status }) => status === 'paid').length;
    const expected = row?.status === 'finalized' ? [1, 1] : [0, 0];
    must(row?.status === 'finalized' || row?.status === 'reversed', 'a payout that does not end', row);
    must(out.length === expected[0] && arrived === expected[1], 'a payout that is not where it is said to be', {
      ...{ row, out, banked },
    });
  }
}

/** Who has the plan here has one that goes on there, and the other way round. */
async function checkPlans(sim: StripeSim): Promise<void> {
  for (const member of sim.members) {
    const { body } = await sim.call(member, 'GET', '/api/billing/status');
    const live = sim.live().filter(({ metadata }) => metadata.meshwork_account === member.account_id);
    must(live.length === (body.plan === 'pro' ? 1 : 0), 'a plan that is not what was bought', { body, live });
  }
}

/** Enough is paid in that withdrawals which wait for the platform's balance go out. */
async function topUp(sim: StripeSim): Promise<void> {
  const [member] = sim.members;
  const { world } = sim.double;
  if (!member || world.available >= 100_000) return;
  await sim.call(member, 'POST', '/api/wallet/fund', { amount_cents: 200_000 - world.available });
  world.pay(world.all('checkout.session')[0]?.id ?? '');
}

async function calmDown(sim: StripeSim): Promise<void> {
  sim.calm = true;
  await sim.bring();
  for (let day = 0; day < CALM_DAYS; day += 1) {
    if (day < 3) await topUp(sim);
    for (const { id, status } of sim.double.world.all('payout')) {
      if (status === 'pending') sim.double.world.settlePayout(id, 'paid');
    }
    await sim.pass(DAY_MS);
    await sim.bring();
  }
  await checkLedger(sim, { books: true });
  await checkFundings(sim);
  await checkPayouts(sim);
  await checkPlans(sim);
  const ours = (await sim.t.service.world.store.read(platformBalance, { id: 'processor' }))?.balance_cents ?? 0;
  must(-ours === sim.double.world.available, 'the ledger holds other money than Stripe', {
    ours: -ours,
    theirs: sim.double.world.available,
  });
}

/** Each has a bank and some money at first, since without both nothing is withdrawn. */
async function begin(sim: StripeSim): Promise<void> {
  const { world } = sim.double;
  for (const member of sim.members) {
    await sim.call(member, 'POST', '/api/payments/connect', {});
    world.finishAccount(world.all('account')[0]?.id ?? '');
    await sim.call(member, 'GET', '/api/payments/connect/status');
    await sim.call(member, 'POST', '/api/wallet/fund', { amount_cents: 20_000 });
    world.pay(world.all('checkout.session')[0]?.id ?? '');
  }
  await sim.pass(HOUR_MS);
}

/** Runs a seed; throws a SimFailure that tells the seed and what was done last. */
export async function simulateStripe(seed: number, steps: number): Promise<Done> {
  const sim = new StripeSim(seed);
  const done: Done = new Map();
  let at = 0;
  try {
    await sim.open();
    await begin(sim);
    for (at = 1; at <= steps; at += 1) {
      sim.note(`-- step ${at} at ${new Date(sim.clock.now()).toISOString()}`);
      await step(sim, done);
      if (at % 10 === 0) await checkLedger(sim, { books: false });
    }
    await calmDown(sim);
    return done;
  } catch (error) {
    const what = error instanceof SimFailure ? error.message : String(error instanceof Error ? error.stack : error);
    const last = sim.trace.slice(-TRACED).join('\n');
    const name = `seed ${seed} (scripts/sim ${seed} --stripe --steps ${steps})`;
    throw new SimFailure(`${name} fails at step ${at}:\n${last}\n\n${what}`);
  } finally {
    await sim.close().catch(() => {});
    await sim.remove();
  }
}
