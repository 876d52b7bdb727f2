// Registers a public client without a metadata address of its own (RFC 7591): it gets an id and no secret. Registration is open, so
// each network may register so many a day, and a client without a grant is deleted after a day.

import { count, insert } from '../../../db/effects.ts';
import { command } from '../../contract/operation.ts';
import { fault, tooMany } from '../../domain/fault.ts';
import { judgeMetadata } from '../../domain/identity/client.ts';
import { networkOf } from '../../domain/identity/rate.ts';
import { DAY_MS } from '../../domain/time.ts';
import { BEFORE_A_TOKEN, ClientMetadata, RegisteredClient } from '../../schemas/oauth.ts';

/** Enough for an office behind one address, where each program registers once on each machine. */
const DAILY_MAX = 100;
const TOO_MANY =
  'Too many programs were registered from your network today; publish a client id metadata document instead.';

export const oauthRegister = command({
  name: 'oauth.register',
  needed_by: 'clients of MCP, which register by RFC 7591 before they sign in',
  summary: 'Register a program',
  description:
    'For programs that cannot publish a client id metadata document (RFC 7591). A program is a public client: it gets a `client_id` ' +
    'and no secret, and uses PKCE. It is deleted after a day unless a person has approved it by then.',
  input: ClientMetadata,
  output: RegisteredClient,
  example: { client_name: 'a program', redirect_uris: ['http://127.0.0.1/callback'] },
  effect: 'adds',
  access: 'public',
  status: 'created',
  oauth: true,
  faults: ['invalid_redirect_uri', 'invalid_client_metadata', 'rate_limited'],
  rest: [{ method: 'POST', path: '/oauth/register' }],
  no_tool: BEFORE_A_TOKEN,
  load: async () => null,
  decide: (_state, input, ctx) => {
    const program = judgeMetadata(input, { client_id: ctx.id(), kind: 'registered' });
    if ('problem' in program) return fault(program.problem, `${program.why}.`);
    const { client_id, name, redirect_uris } = program;
    const { now_ms } = ctx;
    const today = Math.floor(now_ms / DAY_MS);
    const ends_at = (today + 1) * DAY_MS;
    const refusal = tooMany({ limit: DAILY_MAX, window_ms: DAY_MS, wait_ms: ends_at - now_ms }, TOO_MANY);
    const times = { created_at: now_ms, expires_at: now_ms + DAY_MS };
    return {
      reply: {
        client_id,
        client_id_issued_at: Math.floor(now_ms / 1000),
        client_name: name,
        redirect_uris: [...redirect_uris],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none' as const,
      },
      effects: [
        count(`oauth-register:${networkOf(ctx.ip)}:${today}`, DAILY_MAX, refusal, ends_at),
        insert('oauth_clients', { id: client_id, kind: 'registered', name, redirect_uris, ...times }),
      ],
    };
  },
});
