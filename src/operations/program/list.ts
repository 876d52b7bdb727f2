// Lists the connected programs with a valid grant.
import { Type } from 'typebox';
import { grantsOfAccount } from '../../../db/queries/identity.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import { ConnectedProgram } from '../../schemas/oauth.ts';
import { iso, isoOrNull, PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

function lastCall(requests: QueryPorts['requests'], grant_id: string, now_ms: number) {
  const [last] = requests.of(grant_id, now_ms);
  return last ? { operation: last.operation, status: last.status, at: iso(last.at_ms) } : null;
}

export const programList = query({
  name: 'program.list',
  needed_by: 'a person who checks which programs act for the account',
  noun: 'Programs that a person approved on the consent page, and their rights.',
  summary: 'List connected programs',
  description: 'Those that can act for the account now, newest first.',
  input: Type.Object({ ...PAGE }),
  output: Type.Array(ConnectedProgram),
  access: 'session',
  paged: true,
  rest: [{ method: 'GET', path: '/api/account/programs' }],
  run: async (read, input, { account_id, now_ms, settings }, { requests }) => {
    const limit = input.limit ?? PAGE_DEFAULT;
    const page = { account_id, now_ms, before: input.cursor ?? HIGHEST_ID, limit: limit + 1 };
    const { shown, next_cursor } = cutPage(await read(grantsOfAccount, page), limit, ({ grant }) => grant.id);
    const items = shown.map(({ grant, agent_handle }) => ({
      id: grant.id,
      name: grant.client_name,
      host: grant.client_kind === 'document' ? new URL(grant.client_id).host : null,
      client_id: grant.client_id,
      agent_handle,
      scopes: [...grant.scopes],
      resource: `${settings.base_url}${grant.resource}`,
      created_at: iso(grant.created_at),
      last_used_at: isoOrNull(grant.used_at),
      last_call: lastCall(requests, grant.id, now_ms),
      expires_at: iso(grant.expires_at),
    }));
    return { items, next_cursor };
  },
});
