// Gives an agent an access token for an assertion that its registered key signed, so that its program needs no stored secret of
// ours (RFC 6749, 4.4; RFC 7523, 2.2; RFC 8707). A flow, because the token is signed after the assertion is used up on disk.
import { Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { type Assertion, judgeAssertion, refusedLimits, takenLimits } from '../../domain/identity/assertion.ts';
import { parsePublicKey } from '../../domain/identity/keypair.ts';
import { RESOURCES, resourceAt } from '../../domain/identity/resource.ts';
import { scopesFor } from '../../domain/identity/scope.ts';
import { sha256Hex } from '../../outbound/hash.ts';
import { AGENT_TOKEN_SECONDS } from '../../outbound/session/issuer.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { isSignedBy, readAssertion, type Signed } from '../../steps/oauth/assertion.ts';
import { sendCounters } from '../../steps/session/code.ts';
import type { FlowCtx } from '../context.ts';
import { flow } from '../operation.ts';
import { BEFORE_A_KEY } from '../tool.ts';

const GRANT = 'client_credentials';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** A form with an assertion of the greatest length and all else at its own. */
const FORM_MAX = 16_384;
/** An assertion has some 400 characters. */
const ASSERTION_MAX = 4096;
/** All scopes that there are take 300 characters, and a resource is an address of ours. */
const TEXT_MAX = 1024;

/** The same for an agent that is not there, has no key, or did not sign: who asks learns nothing of who is there. */
const REFUSED = fault(
  'invalid_client',
  'No live agent of that handle has a registered key that signed this assertion.',
);
const TOO_MANY = 'Too many assertions; wait before sending another.';
/** A key that signed nothing, so that an agent which is not there takes as long to refuse as one that is. */
const NOBODYS_KEY = parsePublicKey(SAMPLE.public_key);

type Refusal = Fault<'invalid_client' | 'invalid_scope' | 'rate_limited'>;
interface Shown {
  readonly signed: Signed;
  readonly assertion: Assertion;
}

function notRead(why: string): Fault<'invalid_client'> {
  return fault('invalid_client', `client_assertion: ${why}.`);
}

/** What the assertion says, as far as it can be judged without knowing whose it is. */
function shownBy(
  text: string | undefined,
  { type, client_id }: { type: string | undefined; client_id: string | undefined },
  { settings: { base_url }, now_ms }: FlowCtx,
): Shown | Fault<'invalid_client'> {
  if (type !== ASSERTION_TYPE) return fault('invalid_client', `client_assertion_type: must be ${ASSERTION_TYPE}.`);
  const signed = text === undefined ? null : readAssertion(text);
  if (!signed) return notRead('must be a compact JWS, signed by EdDSA, whose claims stand once each');
  const audiences = [`${base_url}/oauth/token`, base_url, `${base_url}/`];
  const assertion = judgeAssertion(signed.claims, { audiences, client_id, now_ms });
  return typeof assertion === 'string' ? notRead(assertion) : { signed, assertion };
}

function isOf(agent: Row<'agents'> | null, signed: Signed): boolean {
  const key = agent?.public_key == null ? NOBODYS_KEY : parsePublicKey(agent.public_key);
  return !isFault(key) && isSignedBy(signed, key) && agent?.public_key != null && agent.deactivated_at === null;
}

/** The scopes asked for, each once, or all that the agent may have; or why they cannot be had. */
function scopesGranted(asked: string | undefined, agent: Row<'agents'>): string[] | Fault<'invalid_scope'> {
  const may = scopesFor(agent.provisional === 1);
  const wanted = new Set((asked ?? '').split(' ').filter(Boolean));
  const beyond = [...wanted].filter((scope) => !may.includes(scope));
  if (beyond.length > 0) {
    return fault('invalid_scope', `scope: an access token cannot hold ${beyond.join(', ')}.`, { scopes: [...may] });
  }
  return wanted.size === 0 ? [...may] : may.filter((scope) => wanted.has(scope));
}

/** Finds the agent and uses the assertion up; what is refused is counted. */
function claimed(ctx: FlowCtx, { signed, assertion }: Shown, scope: string | undefined) {
  return ctx.turn<{ agent: Row<'agents'>; scopes: string[] }, Refusal['fault']>({
    attempt: async (read) => {
      const agent = await agentByHandle(read, assertion.client_id, ctx.now_ms);
      if (!isOf(agent, signed) || !agent) return refused(REFUSED, ctx);
      const scopes = scopesGranted(scope, agent);
      if (isFault(scopes)) return scopes;
      const id = `assertion:${agent.id}:${sha256Hex(assertion.jti)}`;
      const used = notRead('its jti was used before');
      return {
        reply: { agent, scopes },
        effects: [
          insert('challenges', { id, agent_id: agent.id, expires_at: assertion.ends_at }, used),
          ...sendCounters(takenLimits(agent.id), ctx, TOO_MANY),
        ],
      };
    },
  });
}

function refused(refusal: Fault<'invalid_client'>, ctx: FlowCtx) {
  return { ...refusal, effects: sendCounters(refusedLimits(ctx.ip), ctx, TOO_MANY) };
}

export const oauthToken = flow({
  name: 'oauth.token',
  summary: 'Get an access token',
  description:
    'The grant client_credentials (RFC 6749) with private_key_jwt (RFC 7523). The assertion is a JWT by EdDSA, signed ' +
    "by the agent's registered key: `iss` and `sub` are its handle, `aud` is this address or the issuer, `exp` is at most " +
    'five minutes ahead, `jti` is used once. Without `scope` the token holds all that a key from signup holds. With ' +
    '`resource` it works at that address and below it only (RFC 8707). It is good for an hour, or until another key is ' +
    'registered.',
  input: Type.Object({
    grant_type: Type.String({ maxLength: TEXT_MAX, description: GRANT }),
    client_assertion_type: Type.Optional(Type.String({ maxLength: TEXT_MAX, description: ASSERTION_TYPE })),
    client_assertion: Type.Optional(Type.String({ maxLength: ASSERTION_MAX })),
    client_id: Type.Optional(Type.String({ maxLength: TEXT_MAX, description: 'the handle again; not needed' })),
    scope: Type.Optional(Type.String({ maxLength: TEXT_MAX, description: 'scopes with a blank between them' })),
    resource: Type.Optional(Type.String({ maxLength: TEXT_MAX, description: 'of a protected-resource document' })),
  }),
  output: namedObject('AccessToken', 'an access token of an agent', {
    access_token: Type.String({ description: 'a JWT; send it as Authorization: Bearer' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'seconds' }),
    scope: Type.String(),
  }),
  example: {
    grant_type: GRANT,
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
    'unsupported_grant_type',
    'invalid_scope',
    'invalid_target',
    'rate_limited',
  ],
  rest: [{ method: 'POST', path: '/oauth/token' }],
  no_tool: BEFORE_A_KEY,
  run: async (input, ctx, { sessions }) => {
    if (input.grant_type !== GRANT) return fault('unsupported_grant_type');
    const { client_assertion_type: type, client_id } = input;
    const shown = shownBy(input.client_assertion, { type, client_id }, ctx);
    if (isFault(shown)) return ctx.turn({ attempt: async () => refused(shown, ctx) });
    const { base_url } = ctx.settings;
    const resource = input.resource === undefined ? RESOURCES.service : resourceAt(input.resource, base_url);
    if (resource === null) return fault('invalid_target');
    const outcome = await claimed(ctx, shown, input.scope);
    if (isFault(outcome)) return outcome;
    const { agent, scopes } = outcome.reply;
    const subject = { sub: agent.id, client_id: agent.handle, resource, scopes, fingerprint: agent.fingerprint ?? '' };
    const access_token = await sessions.issueFor({ ...subject, jti: ctx.id() }, ctx.now_ms);
    const scope = scopes.join(' ');
    return { reply: { access_token, token_type: 'Bearer' as const, expires_in: AGENT_TOKEN_SECONDS, scope } };
  },
});
