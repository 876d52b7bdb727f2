// Writes a `test.ping` into the caller's own inbox, to try pull, stream and webhook without another agent.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id, iso, Time } from '../../schemas/wire.ts';
import { tell } from '../../steps/event.ts';

export const inboxTest = command({
  name: 'inbox.test',
  summary: 'Send yourself a test event',
  input: Type.Object({}),
  output: namedObject('TestEvent', 'the test event that was written', {
    id: Id,
    seq: Type.Integer({ minimum: 1 }),
    kind: Type.Literal('test.ping'),
    created_at: Time,
  }),
  effect: 'adds',
  open_world: true,
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  status: 'created',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/inbox/test' }],
  tools: [{ name: 'mesh_test_inbox', title: 'Send yourself a test event', set: 'inbox', extension: true }],
  load: async () => null,
  decide: (_state, _input, ctx) => {
    const ping = tell(ctx, actor(ctx), 'test.ping', { message: 'Your inbox works.' });
    return {
      reply: (committed) => ({
        id: ping.id,
        seq: committed.seq(ping),
        kind: 'test.ping' as const,
        created_at: iso(ctx.now_ms),
      }),
      effects: [ping],
    };
  },
});
