// Recent requests with a key and their outcomes, for debugging.
import { Type } from 'typebox';
import { keyById } from '../../../db/queries/identity.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id, iso, Time } from '../../schemas/wire.ts';

/** As many as are kept for a key. */
const LIMIT_MAX = 200;

export const keyRequests = query({
  name: 'key.requests',
  summary: 'List the last requests of a key',
  description:
    'The last 200 within 24 hours, newest first, as recorded by the answering node since its start, without this call. A key sees ' +
    'its own; a signed-in person names a key of the account with `key_id`.',
  needed_by: 'a developer who looks for what went wrong, by `meshwork logs tail` or in the app',
  input: Type.Object({
    key_id: Type.Optional(Id),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX })),
  }),
  output: Type.Array(
    namedObject('KeyRequest', 'a request with a key, and its response', {
      request_id: Id,
      at: Time,
      method: Type.String(),
      path: Type.String({ description: 'without its query' }),
      operation: Type.String(),
      status: Type.Integer(),
      duration_ms: Type.Number(),
    }),
  ),
  access: 'key',
  scope: 'any',
  faults: ['not_found', 'invalid_request'],
  rest: [{ method: 'GET', path: '/api/auth/key/requests' }],
  no_tool: 'It is for the person who writes a program, not for the program.',
  run: async (read, { key_id, limit = LIMIT_MAX }, { principal, account_id, now_ms }, { requests }) => {
    const { kind, guard } = principal;
    const own = kind === 'key' && guard?.table === 'api_keys' ? guard.id : null;
    const id = key_id ?? own;
    if (id === null) return fault('invalid_request', 'Name the key by key_id.');
    const key = await read(keyById, { id });
    if (key?.account_id !== account_id || (kind !== 'session' && id !== own)) return fault('not_found');
    return requests
      .of(id, now_ms)
      .slice(0, limit)
      .map(({ at_ms, ...request }) => ({ ...request, at: iso(at_ms) }));
  },
});
