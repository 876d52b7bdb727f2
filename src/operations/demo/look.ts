// The demo world for its own page: its state and persons, and the newest letters to them. Only letters to addresses that the demo world
// has, so that no code of a real account is shown.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { sidesOf } from '../../domain/demo.ts';
import { fault } from '../../domain/fault.ts';
import { DemoShape, demoView } from '../../schemas/demo.ts';
import { nullable, Time } from '../../schemas/wire.ts';
import { demoAccount, readWatched } from '../../steps/demo/watch.ts';

const LETTERS = 12;

export const demoLook = query({
  name: 'demo.look',
  needed_by: 'the page of the demo world',
  summary: 'Read the demo world and its letters',
  input: Type.Object({
    letters: Type.Boolean(),
    handle: Type.Optional(Type.String({ maxLength: 64, description: 'letters to this person alone' })),
  }),
  output: Type.Object({
    world: DemoShape,
    you: nullable(Type.String(), 'the handle of the demo person who looks'),
    letters: Type.Array(
      Type.Object({ id: Type.String(), to: Type.String(), subject: Type.String(), text: Type.String(), at: Time }),
    ),
  }),
  example: { letters: true },
  access: 'session',
  faults: ['not_found'],
  run: async (read, { letters, handle }, ctx, ports) => {
    const world = ports.processor?.name === 'sandbox' ? await readWatched(read, ctx) : null;
    if (!world) return fault('not_found');
    const sides = sidesOf(world).filter((side) => handle === undefined || side.handle === handle);
    const accounts = letters ? await Promise.all(sides.map((side) => demoAccount(read, side, ctx))) : [];
    const found = await ports.outbox.newest(
      accounts.flatMap((account) => (account ? [account.email] : [])),
      LETTERS,
    );
    // Letters of an earlier world to the same addresses may still be in the outbox.
    const own = found.filter(({ created_at }) => Date.parse(created_at) >= world.started_at);
    const me = sidesOf(world).find(({ account_id }) => account_id === ctx.account_id);
    return {
      world: demoView(world, 'running'),
      you: me?.handle ?? null,
      letters: own.map(({ id, to, subject = '', text, created_at }) => ({ id, to, subject, text, at: created_at })),
    };
  },
});
