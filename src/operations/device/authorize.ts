// Starts a device grant in OAuth form (RFC 8628, 3.1); the client polls the token endpoint.
import { Type } from 'typebox';
import { oauthClientById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { fault } from '../../domain/fault.ts';
import { SIGNUP_SCOPES, scopesNamed } from '../../domain/identity/scope.ts';
import { BegunDeviceGrant } from '../../schemas/account.ts';
import { ClientName } from '../../schemas/wire.ts';
import { beginGrant } from '../../steps/device/grant.ts';

/** All scopes together have 300 characters. */
const SCOPE_MAX = 1024;
const FORM_MAX = 4096;

export const deviceAuthorize = command({
  name: 'device.authorize',
  needed_by: 'programs that sign in only by the device grant of RFC 8628',
  summary: 'Start an OAuth device authorization',
  description:
    'RFC 8628. The person sees the registered name of `client_id`, or `client_id` itself. Unknown scopes are ignored. There is no verification_uri_complete.',
  input: Type.Object({ client_id: ClientName, scope: Type.Optional(Type.String({ maxLength: SCOPE_MAX })) }),
  output: BegunDeviceGrant,
  example: { client_id: 'ada-on-a-server', scope: 'agents:read messages:write' },
  effect: 'adds',
  access: 'public',
  secret: true,
  form: { bytes_max: FORM_MAX },
  faults: ['invalid_scope', 'rate_limited', 'conflict'],
  rest: [{ method: 'POST', path: '/oauth/device_authorization' }],
  no_tool: BEFORE_A_KEY,
  load: (read, { client_id }) => read(oauthClientById, { id: client_id }),
  decide: (client, { client_id, scope }, ctx) => {
    const asked = scopesNamed(scope);
    const scopes = SIGNUP_SCOPES.filter((each) => asked.size === 0 || asked.has(each));
    if (asked.size > scopes.length) return fault('invalid_scope', undefined, { scopes: [...SIGNUP_SCOPES] });
    const registered = client?.kind === 'registered' && client.expires_at > ctx.now_ms ? client.name : '';
    return beginGrant({ client_name: registered || client_id.trim(), scopes }, ctx);
  },
});
