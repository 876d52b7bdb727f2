// Replaces the calling key by a new one. Account, agent, scopes, name and budget carry over, and the old key works for another day,
// so that no call fails in between (interface.md, Authentication 5).
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { keyById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { RENEW_OVERLAP_MS } from '../../domain/identity/key.ts';
import { IssuedKey } from '../../schemas/key.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso } from '../../schemas/wire.ts';
import { mintApiKey, passPairsOn } from '../../steps/key.ts';
import { pairedBy } from '../../steps/session/find.ts';

const NO_TOKEN = 'Renew with the API key itself; request a new access token instead of renewing one.';

export const keyRenew = command({
  name: 'key.renew',
  summary: 'Renew the calling API key',
  description:
    'Any valid key can renew itself, whatever its scopes. If the response was lost, renew again with the old key while ' +
    'it is valid: the unused successor is revoked and a new one is issued.',
  input: Type.Object({}),
  output: namedObject('RenewedKey', 'the successor of the calling API key', {
    ...IssuedKey.properties,
    previous_key_valid_until: Type.String({ format: 'date-time', description: 'the calling key is valid until then' }),
  }),
  effect: 'destroys',
  access: 'key',
  scope: 'any',
  secret: true,
  faults: ['session_not_renewable', 'unauthorized'],
  rest: [{ method: 'POST', path: '/api/auth/key/renew' }],
  no_tool: 'The new key must not be shown to a model, which reads the result of a tool.',
  load: async (read, _input, { principal }) => {
    const row = principal.guard?.table === 'api_keys' ? await read(keyById, { id: principal.guard.id }) : null;
    const successor = row?.successor_id ? await read(keyById, { id: row.successor_id }) : null;
    const replaced = [row, successor].flatMap((key) => (key ? [key.id] : []));
    return { row, successor, paired: row ? await pairedBy(read, row.account_id, replaced) : [] };
  },
  decide: ({ row, successor, paired }, _input, ctx) => {
    const table = ctx.principal.guard?.table;
    if (table === 'agents' || table === 'oauth_grants') return fault('session_not_renewable', NO_TOKEN);
    if (ctx.principal.kind !== 'key') return fault('session_not_renewable');
    if (!row || row.revoked_at !== null || row.expires_at <= ctx.now_ms) return fault('unauthorized');
    if (successor && successor.used_at !== null) {
      return fault('unauthorized', 'This key was renewed, and its successor is in use; renew with that one.');
    }
    // The first renewal shortened this key's lifetime, so a second one takes the length from the unused successor.
    const origin = successor ?? row;
    const { account_id, agent_id, name, kind, scopes, budget } = row;
    const expires_at = ctx.now_ms + (origin.expires_at - origin.created_at);
    const key = mintApiKey(ctx, { account_id, agent_id, name, kind, scopes, expires_at, budget });
    const valid_until = Math.min(row.expires_at, ctx.now_ms + RENEW_OVERLAP_MS);
    return {
      reply: {
        api_key: key.api_key,
        expires_at: iso(expires_at),
        scopes: [...scopes],
        previous_key_valid_until: iso(valid_until),
      },
      effects: [
        patch('api_keys', row, { successor_id: key.row.id, expires_at: valid_until }),
        ...(successor ? [patch('api_keys', successor, { revoked_at: successor.revoked_at ?? ctx.now_ms })] : []),
        ...passPairsOn(paired, key.row.id),
        ...key.effects,
      ],
    };
  },
});
