// Lists the person's sessions.
import { Type } from 'typebox';
import { sessionsOfAccount } from '../../../db/queries/identity.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id, iso, PAGE, PAGE_DEFAULT, Time } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const accountSessions = query({
  name: 'account.sessions',
  needed_by: 'a person who checks where the account is signed in',
  summary: 'List sessions',
  description: 'Your open sessions, newest first.',
  input: Type.Object({ ...PAGE }),
  output: Type.Array(
    namedObject('SignedInSession', 'an open session of a person', {
      id: Id,
      created_at: Time,
      expires_at: Time,
      current: Type.Boolean({ description: 'whether it is the calling session' }),
    }),
  ),
  access: 'session',
  paged: true,
  rest: [{ method: 'GET', path: '/api/account/sessions' }],
  run: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, { account_id, now_ms, principal }) => {
    const rows = await read(sessionsOfAccount, { account_id, now_ms, before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
    const items = shown.map(({ id, created_at, expires_at }) => ({
      id,
      created_at: iso(created_at),
      expires_at: iso(expires_at),
      current: id === principal.credential_id,
    }));
    return { items, next_cursor };
  },
});
