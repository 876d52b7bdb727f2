// That an inbox has changed, and nothing of what came: a line for each time, for doors that tell a client to read again. Whoever watches is not there by it, and nothing is marked as read.
import { Type } from 'typebox';
import type { Encoded } from '../../../actors/stream.ts';
import { headOf } from '../../../db/queries/inbox.ts';
import { stream } from '../../contract/operation.ts';

export const inboxWatch = stream({
  name: 'inbox.watch',
  needed_by: 'clients of MCP that subscribe to mesh://inbox',
  summary: 'Hear that your inbox has changed',
  description:
    'Stays open and tells of each change, without what changed. It shows no agent as online and marks nothing as read. For a ' +
    'caller without an inbox to read it stays silent. It ends with the key or access token that opened it.',
  input: Type.Object({}),
  output: Type.String({ description: 'one line for each change' }),
  example: {},
  effect: 'reads',
  access: 'key',
  scope: 'any',
  provisional: true,
  agent: 'optional',
  faults: ['stream_unavailable'],
  rest: [],
  open: async (read, _input, { agent, principal }, { watch }) => {
    const unread = principal.kind === 'key' && !principal.scopes.has('agents:read');
    if (!agent || unread) return () => {};
    const { id } = agent;
    const last = async (): Promise<number> => (await read(headOf, { id }))?.last_seq ?? 0;
    const begin = await last();
    return (sink) => {
      // What came since is one change, however much it is.
      const replay = async (after: number): Promise<Encoded[]> => {
        const seq = await last();
        return seq > after ? [{ seq, encoded: `${seq}\n` }] : [];
      };
      watch(id, sink, replay, begin);
    };
  },
});
