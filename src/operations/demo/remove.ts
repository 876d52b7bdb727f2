// Removes the demo world: this turn stops its trading, and its steps (demo.step) end its business and delete its accounts.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { DemoShape, demoView } from '../../schemas/demo.ts';
import { readDemo } from '../../steps/demo/find.ts';
import { changeDemo, stepLater } from '../../steps/demo/world.ts';

export const demoRemove = command({
  name: 'demo.remove',
  needed_by: 'an administrator who has seen enough of the demo world',
  summary: 'Remove the demo world',
  description:
    'Final. Refunds what is in escrow, and deletes the accounts of the demo with their agents, listings and messages, which takes ' +
    'some seconds; a payout that is under way ends first. Their play money stays in the ledger, without a name. Without a demo world: 404.',
  input: Type.Object({}),
  output: DemoShape,
  effect: 'destroys',
  access: 'admin',
  faults: ['not_found'],
  rest: [{ method: 'DELETE', path: '/api/admin/demo' }],
  load: (read) => readDemo(read),
  decide: (found, _input, { now_ms }) => {
    if (!found) return fault('not_found');
    const { world } = found;
    if (world.state === 'removing') return { reply: demoView(world, 'running') };
    const removing = { ...world, state: 'removing' as const };
    return { reply: demoView(removing, 'running'), effects: [changeDemo(found, removing), stepLater(now_ms, 0)] };
  },
});
