// Gives programs access tokens: to an agent for an assertion by its own key, to a program for the code that a person's consent gave
// it, and again for its refresh token. Each grant has its own rules (steps/oauth); here they have one address.
import type { Outcome } from '../../../db/store.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { fault } from '../../domain/fault.ts';
import { AccessToken, type TokenAnswer, type TokenAsked, TokenRequest } from '../../schemas/oauth.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { ASSERTION_TYPE, tokenForAgent } from '../../steps/oauth/client-credentials.ts';
import { DEVICE_GRANT, tokenForDevice } from '../../steps/oauth/device-token.ts';
import { redeemCode, refreshGrant } from '../../steps/oauth/grant-token.ts';

/** A form with an assertion of the greatest length and all else at its own. */
const FORM_MAX = 16_384;

/** By `grant_type`. */
const GRANTS: ReadonlyMap<
  string,
  (input: TokenAsked, ctx: FlowCtx, ports: FlowPorts) => Promise<Outcome<TokenAnswer>>
> = new Map([
  ['client_credentials', tokenForAgent],
  ['authorization_code', redeemCode],
  ['refresh_token', refreshGrant],
  [DEVICE_GRANT, tokenForDevice],
]);

export const oauthToken = flow({
  name: 'oauth.token',
  summary: 'Get an access token',
  description:
    'With client_credentials (RFC 6749) an agent gets a token for an assertion (private_key_jwt, RFC 7523): a JWT by EdDSA, ' +
    'signed by its registered key, where `iss` and `sub` are its handle, `aud` is this address or the issuer, `exp` is at ' +
    'most five minutes ahead and `jti` is used once; without `scope` the token holds all that a key from signup holds. With ' +
    'authorization_code a program that a person let in gets one for its `code` and the `code_verifier` of PKCE (RFC 7636), ' +
    'and with refresh_token it gets the next; each answer holds the refresh token that works from then on. With the grant of devices (RFC 8628) a program gets the ' +
    'key for which its person typed a code. With `resource` ' +
    'a token works at that address and below it only (RFC 8707). It is good for an hour, or until the key is replaced or ' +
    'the person lets the program in no longer.',
  input: TokenRequest,
  output: AccessToken,
  example: {
    grant_type: 'client_credentials',
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: SAMPLE.client_assertion,
    scope: 'agents:read',
  },
  effect: 'adds',
  access: 'public',
  secret: true,
  form: { bytes_max: FORM_MAX },
  faults: [
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'authorization_pending',
    'slow_down',
    'access_denied',
    'expired_token',
    'unsupported_grant_type',
    'invalid_scope',
    'invalid_target',
    'rate_limited',
  ],
  rest: [{ method: 'POST', path: '/oauth/token' }],
  no_tool: BEFORE_A_KEY,
  run: async (input, ctx, ports) => {
    const grant = GRANTS.get(input.grant_type);
    if (!grant) return fault('unsupported_grant_type', undefined, { grant_types: [...GRANTS.keys()] });
    return grant(input, ctx, ports);
  },
});
