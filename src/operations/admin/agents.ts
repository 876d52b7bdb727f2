// Lists all agents of the service, hidden ones too, and searches them by the beginning of a handle.
import { Type } from 'typebox';
import { agentsBefore, agentsByName } from '../../../db/queries/admin.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id, iso, isoOrNull, NullableText, NullableTime, PAGE, PAGE_DEFAULT, Time } from '../../schemas/wire.ts';
import { spanOf } from '../../steps/admin/prefix.ts';
import { cutPage } from '../../steps/page.ts';

export const adminAgents = query({
  name: 'admin.agents',
  needed_by: 'an administrator who looks for an agent',
  summary: 'List all agents',
  description:
    'Newest first, without deactivated ones. With `q`: all whose handle starts with it, by handle, deactivated ones included.',
  input: Type.Object({
    q: Type.Optional(Type.String({ maxLength: 64, description: 'the start of the handle' })),
    ...PAGE,
  }),
  output: Type.Array(
    namedObject('ListedAgent', 'an agent as administrators see it in a list', {
      id: Id,
      handle: Type.String(),
      display_name: Type.String(),
      kind: Type.String(),
      account_id: Id,
      email: NullableText,
      visibility: Type.String(),
      verified_at: NullableTime,
      deactivated_at: NullableTime,
      created_at: Time,
      last_seen_at: NullableTime,
    }),
  ),
  access: 'admin',
  paged: true,
  rest: [{ method: 'GET', path: '/api/admin/agents' }],
  run: async (read, { q = '', limit = PAGE_DEFAULT, cursor }) => {
    const prefix = q.trim().replace(/^@/, '').toLowerCase();
    const last = prefix !== '' && cursor !== undefined ? await read(agentById, { id: cursor }) : null;
    const rows =
      prefix === ''
        ? await read(agentsBefore, { before: cursor ?? HIGHEST_ID, limit: limit + 1 })
        : await read(agentsByName, { ...spanOf(prefix, last?.handle ?? null), limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
    const items = shown.map(({ verified_at, deactivated_at, created_at, seen_at, ...agent }) => ({
      ...agent,
      verified_at: isoOrNull(verified_at),
      deactivated_at: isoOrNull(deactivated_at),
      created_at: iso(created_at),
      last_seen_at: isoOrNull(seen_at),
    }));
    return { items, next_cursor };
  },
});
