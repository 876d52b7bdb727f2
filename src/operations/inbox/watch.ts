// Streams a line for each change of an inbox or of something that waits for a person, without content, for transports that tell
// clients to read again. Watching does not count as presence, and marks nothing as read.
import { type Static, Type } from 'typebox';
import type { Encoded } from '../../../actors/stream.ts';
import { actionById } from '../../../db/queries/action.ts';
import { headOf } from '../../../db/queries/inbox.ts';
import { proposalById } from '../../../db/queries/negotiation.ts';
import { nameOf } from '../../../db/schema/told.ts';
import type { Read } from '../../../db/store.ts';
import { stream } from '../../contract/operation.ts';
import { Id } from '../../schemas/wire.ts';

/** More than waits for one person at a time. */
const WAITING_MAX = 32;

const Waiting = Type.Object({ table: Type.Enum(['actions', 'proposals']), id: Id });

/** The version of a row, which changes with it; 0 without a row. */
async function versionOf(read: Read, { table, id }: Static<typeof Waiting>): Promise<number> {
  const row = await (table === 'actions' ? read.peek(actionById, { id }) : read.peek(proposalById, { id }));
  return row?.version ?? 0;
}

export const inboxWatch = stream({
  name: 'inbox.watch',
  needed_by: 'clients of MCP that subscribe to mesh://inbox or to pending approvals',
  summary: 'Watch your inbox for changes',
  description:
    'Stays open and reports each change, without its content. It shows no agent as online and marks nothing as read. For a ' +
    'caller without an inbox to read it stays silent. It ends with the key or access token that opened it.',
  input: Type.Object({ waiting: Type.Optional(Type.Array(Waiting, { maxItems: WAITING_MAX })) }),
  output: Type.String({
    description: 'one line per change: the seq of the inbox, or `table:id` of the pending item',
  }),
  access: 'key',
  scope: 'any',
  provisional: true,
  agent: 'optional',
  faults: ['stream_unavailable'],
  open: async (read, { waiting = [] }, { agent, principal }, { watch, watchRow }) => {
    const rows = await Promise.all(waiting.map(async (row) => ({ row, begin: await versionOf(read, row) })));
    const unread = !agent || (principal.kind === 'key' && !principal.scopes.has('agents:read'));
    const last = async (id: string): Promise<number> => (await read(headOf, { id }))?.last_seq ?? 0;
    const begin = unread ? 0 : await last(agent.id);
    return (sink) => {
      // Any number of changes since then is one line.
      const told = (now: () => Promise<number>, line: (seq: number) => string) => async (after: number) => {
        const seq = await now();
        return seq > after ? [{ seq, encoded: `${line(seq)}\n` } satisfies Encoded] : [];
      };
      for (const { row, begin: from } of rows) {
        const named = (): string => nameOf(row);
        watchRow(
          row,
          sink,
          told(() => versionOf(read, row), named),
          from,
        );
      }
      if (!unread)
        watch(
          agent.id,
          sink,
          told(() => last(agent.id), String),
          begin,
        );
    };
  },
});
