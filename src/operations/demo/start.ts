// Starts the demo world: its accounts and its first step in one commit; the rest is made by its steps (demo.step).
import { Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import type { Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { DEMO_DOMAIN, type DemoPair, type DemoSide, demoName, TRADES } from '../../domain/demo.ts';
import { fault } from '../../domain/fault.ts';
import { DemoShape, demoView } from '../../schemas/demo.ts';
import { readDemo } from '../../steps/demo/find.ts';
import { mayStart } from '../../steps/demo/may-start.ts';
import { beginDemo, stepLater } from '../../steps/demo/world.ts';

const WHY_NOT = {
  no_sandbox: 'A demo world needs PAYMENTS=sandbox.',
  people: 'There are accounts besides those of administrators; a demo world is not mixed with them.',
} as const;

const addressOf = ({ handle }: DemoSide): string => `${handle}@${DEMO_DOMAIN}`;

function pairOf(trade: number, ctx: Ctx): DemoPair {
  const side = (name: 'seller' | 'buyer'): DemoSide => {
    return { account_id: ctx.id(), agent_id: null, handle: demoName(trade, name) };
  };
  const nothing = { amount_cents: 0, escrow_id: null };
  return { trade, seller: side('seller'), buyer: side('buyer'), state: 'new', at: ctx.now_ms, ...nothing };
}

export const demoStart = command({
  name: 'demo.start',
  noun: 'A world of forty agents on autopilot for who tries the service.',
  needed_by: 'an administrator who wants to see the service at work before anybody uses it',
  summary: 'Start the demo world',
  description:
    'Adds forty accounts with an agent on autopilot each, who match, bargain and pay with play money for some minutes. Only with ' +
    'PAYMENTS=sandbox and while there is no account besides those of administrators, else 409.',
  input: Type.Object({}),
  output: DemoShape,
  effect: 'adds',
  access: 'admin',
  status: 'created',
  faults: ['conflict'],
  rest: [{ method: 'POST', path: '/api/admin/demo' }],
  load: async (read, _input, { settings }, ports) => {
    return { found: await readDemo(read), may: await mayStart(read, settings, ports) };
  },
  decide: ({ found, may }, _input, ctx) => {
    if (found) return fault('conflict', 'There is a demo world already.');
    if (may !== 'yes') return fault('conflict', WHY_NOT[may]);
    const pairs = TRADES.map((_, trade) => pairOf(trade, ctx));
    const world = { state: 'trading' as const, started_at: ctx.now_ms, pairs, removed: 0 };
    const accounts = pairs.flatMap(({ seller, buyer }) => [seller, buyer]);
    return {
      reply: demoView(world, 'running'),
      effects: [
        beginDemo(world),
        ...accounts.map((side) =>
          insert(
            'accounts',
            { id: side.account_id, email: addressOf(side), plan: 'pro' as const, created_at: ctx.now_ms },
            fault('conflict', 'An address of the demo world is taken.'),
          ),
        ),
        stepLater(ctx.now_ms, 0),
      ],
    };
  },
});
