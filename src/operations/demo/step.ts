// The next step of the demo world, by a durable reminder, so that it goes on after a restart: some pairs are made, one publishes, deals are
// followed; or, once it is being removed, what can be removed is. The reminder ends with the world.
import { Type } from 'typebox';
import { type Effect, remove } from '../../../db/effects.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { afterStep, DEMO_STEP_MS, type DemoPair, type DemoWorld, dueOf, sidesOf } from '../../domain/demo.ts';
import { type DemoRow, readDemo } from '../../steps/demo/find.ts';
import { changeDemo, DEMO_STEP, stepLater } from '../../steps/demo/world.ts';
import { removeSides } from './step/leave.ts';
import { advancePair } from './step/pair.ts';

/** The wait where a removal has not come further, as while a payout is under way. */
const NO_PROGRESS_MS = 10_000;

/** Writes what became of the world; nothing where its state has changed meanwhile. */
async function keep(ctx: FlowCtx, before: DemoWorld, change: (found: DemoRow) => Effect<never>[]): Promise<void> {
  await ctx.turn({
    attempt: async (read) => {
      const found = await readDemo(read);
      return { reply: null, effects: found?.world.state === before.state ? change(found) : [] };
    },
  });
}

async function trade(ctx: FlowCtx, ports: FlowPorts, world: DemoWorld): Promise<void> {
  const changed: DemoPair[] = [];
  for (const pair of dueOf(world)) changed.push(await advancePair(ctx, ports, pair, ports.clock.now()));
  await keep(ctx, world, (found) => {
    const next = afterStep(found.world, changed);
    return [changeDemo(found, next), ...(next.state === 'done' ? [] : [stepLater(ports.clock.now(), DEMO_STEP_MS)])];
  });
}

async function withdraw(ctx: FlowCtx, ports: FlowPorts, world: DemoWorld): Promise<void> {
  const sides = sidesOf(world);
  const removed = await removeSides(ctx, ports, sides);
  await keep(ctx, world, (found) => {
    if (removed === sides.length) return [remove('service_notes', found.row)];
    const wait_ms = removed > world.removed ? DEMO_STEP_MS : NO_PROGRESS_MS;
    return [changeDemo(found, { ...found.world, removed }), stepLater(ports.clock.now(), wait_ms)];
  });
}

export const demoStep = flow({
  ...DEMO_STEP,
  summary: 'Take the next step of the demo world',
  output: Type.Object({}),
  effect: 'changes',
  access: 'internal',
  run: async (_input, ctx, ports) => {
    const found = await readDemo(ctx.read);
    if (found?.world.state === 'trading') await trade(ctx, ports, found.world);
    if (found?.world.state === 'removing') await withdraw(ctx, ports, found.world);
    return { reply: {} };
  },
});
