// Token revocation (RFC 7009) by the program itself: either of its tokens ends the whole grant. An invalid or expired token gets the
// same answer, since the wanted state holds.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { grantById } from '../../../db/queries/identity.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { grantOfRefresh } from '../../steps/oauth/grant-secret.ts';

const TEXT_MAX = 4096;
const FORM_MAX = 16_384;
const DONE = { reply: {} };

/** The grant of a token; null for an invalid token. */
async function grantOf(
  token: string,
  ctx: FlowCtx,
  { sessions }: Pick<FlowPorts, 'sessions'>,
): Promise<string | null | Fault<'unsupported_token_type'>> {
  const refresh = grantOfRefresh(token, ctx.secrets);
  if (refresh) return refresh.grant_id;
  const claims = await sessions.verify(token, ctx.now_ms);
  if (claims === null) return null;
  return 'grant_id' in claims ? claims.grant_id : fault('unsupported_token_type');
}

export const oauthRevoke = flow({
  name: 'oauth.revoke',
  needed_by: 'programs that sign out, by RFC 7009',
  summary: 'Revoke a grant',
  description:
    'Takes a refresh token or an access token of a program and ends the grant with all its tokens at once (RFC 7009). ' +
    'An unknown token is no error.',
  input: Type.Object({
    token: Type.String({ minLength: 1, maxLength: TEXT_MAX }),
    token_type_hint: Type.Optional(Type.String({ maxLength: 100 })),
    client_id: Type.Optional(Type.String({ maxLength: 1024, description: 'of the program that got it' })),
  }),
  output: Type.Object({}),
  example: { token: 'a refresh token' },
  effect: 'destroys',
  access: 'public',
  form: { bytes_max: FORM_MAX },
  faults: ['invalid_grant', 'unsupported_token_type'],
  rest: [{ method: 'POST', path: '/oauth/revoke' }],
  no_tool: BEFORE_A_KEY,
  run: async ({ token, client_id }, ctx, ports) => {
    const id = await grantOf(token, ctx, ports);
    if (isFault(id)) return id;
    if (id === null) return DONE;
    return ctx.turn<Record<string, never>, 'invalid_grant'>({
      attempt: async (read) => {
        const grant = await read(grantById, { id });
        if (!grant || grant.ended_at !== null) return DONE;
        if (client_id !== undefined && client_id !== grant.client_id) return fault('invalid_grant');
        return { ...DONE, effects: [patch('oauth_grants', grant, { ended_at: ctx.now_ms })] };
      },
    });
  },
});
