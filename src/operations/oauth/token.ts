// The token endpoint: issues access tokens to an agent for an assertion by its own key, to a program for an authorization code, and
// again for its refresh token. Each grant type has its own rules.
import { insert, patch } from '../../../db/effects.ts';
import { accountById, grantById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Outcome, Read } from '../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { type Assertion, judgeAssertion, refusedLimits, takenLimits } from '../../domain/identity/assertion.ts';
import { CODE_SECONDS, grantStands, refreshStanding, rotated } from '../../domain/identity/grant.ts';
import { parsePublicKey } from '../../domain/identity/key.ts';
import { opens, RESOURCES, resourceAt } from '../../domain/identity/resource.ts';
import { scopesNamed } from '../../domain/identity/scope.ts';
import { sameSecret, sha256, sha256Hex } from '../../outbound/hash.ts';
import { programEndedLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { CLIENT_TOKEN_SECONDS, isCanonicalJws } from '../../outbound/session/issuer.ts';
import { verifyEd25519 } from '../../outbound/signature.ts';
import { AccessToken, DEVICE_GRANT, type TokenAnswer, type TokenAsked, TokenRequest } from '../../schemas/oauth.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { decidePoll, type PollRefusal } from '../../steps/device/grant.ts';
import type { PairWorth } from '../../steps/key.ts';
import { sendLetter } from '../../steps/letter.ts';
import { grantOfCode, grantOfRefresh, refreshToken } from '../../steps/oauth/grant-secret.ts';
import { sendCounters } from '../../steps/session/code.ts';
import { readPairWorth, readPolled } from '../../steps/session/find.ts';

/** The key of a grant that a person approved. */
async function tokenForDevice({ device_code }: TokenAsked, ctx: FlowCtx): Promise<Outcome<TokenAnswer>> {
  if (device_code === undefined) return invalid({ path: 'device_code', message: 'is needed' });
  return ctx.turn<TokenAnswer, PollRefusal['fault']>({
    attempt: async (read) => {
      const polled = decidePoll(await readPolled(read, device_code), ctx);
      if (isFault(polled)) return polled;
      const { api_key, row } = polled.key;
      const expires_in = Math.floor((row.expires_at - ctx.now_ms) / 1000);
      const reply = { access_token: api_key, token_type: 'Bearer' as const, expires_in, scope: row.scopes.join(' ') };
      return { reply, effects: polled.effects };
    },
  });
}

type Grant = Row<'oauth_grants'>;

type GrantRefusal = 'invalid_grant' | 'invalid_scope' | 'invalid_target';

/** The rights of a token under a stored grant, and the number of its refresh token. */
interface Given {
  readonly grant: Grant;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly rotation: number;
}

const REFUSED_GRANT = fault('invalid_grant');

/** The characters of a code verifier (RFC 7636, 4.1). */
const VERIFIER = /^[\w.~-]{43,128}$/;

const missing = (path: string): Fault<'invalid_request'> => invalid({ path, message: 'is needed' });

/** Refuses and ends the whole grant; the person whose program stops working is told why. */
async function ending(read: Read, grant: Grant, ctx: Ctx): Promise<Decision<never, 'invalid_grant'>> {
  const account = grant.redeemed_at === null ? null : await read.peek(accountById, { id: grant.account_id });
  const letter = programEndedLetter(grant.client_name, `${ctx.settings.app_url}/account`, letterWordsFor(account));
  const told = account?.email ? [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] : [];
  return { ...REFUSED_GRANT, effects: [patch('oauth_grants', grant, { ended_at: ctx.now_ms }), ...told] };
}

/** The requested part of the grant. */
function portionOf(
  grant: Grant,
  { scope, resource }: TokenAsked,
  { settings }: Ctx,
): Pick<Given, 'resource' | 'scopes'> | Fault<'invalid_scope' | 'invalid_target'> {
  const at = resource === undefined ? grant.resource : resourceAt(resource, settings.base_url);
  if (at === null || !opens(grant.resource, at.replace(/\/$/, ''))) return fault('invalid_target');
  const wanted: ReadonlySet<string> = scopesNamed(scope);
  if ([...wanted].some((name) => !grant.scopes.includes(name))) {
    return fault('invalid_scope', undefined, { scopes: [...grant.scopes] });
  }
  return { resource: at, scopes: wanted.size === 0 ? grant.scopes : grant.scopes.filter((name) => wanted.has(name)) };
}

function isVerified(verifier: string, challenge: string): boolean {
  return (
    VERIFIER.test(verifier) && sameSecret(Buffer.from(sha256(Buffer.from(verifier))).toString('base64url'), challenge)
  );
}

async function isGone(read: Read, { account_id }: Grant): Promise<boolean> {
  const account = await read.peek(accountById, { id: account_id });
  return account === null || account.deleted_at !== null || account.suspended_at !== null;
}

/** The answer under a stored grant. */
async function answerOf(
  { grant, resource, scopes, rotation }: Given,
  ctx: FlowCtx,
  { sessions }: Pick<FlowPorts, 'sessions'>,
): Promise<{ reply: TokenAnswer }> {
  const subject = { sub: grant.account_id, client_id: grant.client_id, grant_id: grant.id, resource, scopes };
  const access_token = await sessions.issueUnder({ ...subject, jti: ctx.id() }, ctx.now_ms);
  const left = Math.floor((grant.ends_at - ctx.now_ms) / 1000);
  return {
    reply: {
      access_token,
      token_type: 'Bearer',
      expires_in: Math.min(CLIENT_TOKEN_SECONDS, left),
      scope: scopes.join(' '),
      refresh_token: refreshToken(grant.id, rotation, ctx.secrets),
    },
  };
}

/** Issues tokens for an authorization code, once. */
async function redeemCode(
  input: TokenAsked,
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'sessions'>,
): Promise<Outcome<TokenAnswer>> {
  const { code, code_verifier, client_id, redirect_uri } = input;
  if (code === undefined) return missing('code');
  if (code_verifier === undefined) return missing('code_verifier');
  if (client_id === undefined) return missing('client_id');
  const id = grantOfCode(code);
  if (id === null) return REFUSED_GRANT;
  const outcome = await ctx.turn<Given, GrantRefusal>({
    attempt: async (read) => {
      const grant = await read(grantById, { id });
      if (!grant || !sameSecret(grant.code_hash, sha256Hex(code)) || grant.ended_at !== null) return REFUSED_GRANT;
      if (grant.redeemed_at !== null) return ending(read, grant, ctx);
      if (grant.created_at + CODE_SECONDS * 1000 <= ctx.now_ms || (await isGone(read, grant))) return REFUSED_GRANT;
      const sentThere = redirect_uri === undefined || redirect_uri === grant.redirect_uri;
      if (client_id !== grant.client_id || !sentThere || !isVerified(code_verifier, grant.challenge)) {
        return ending(read, grant, ctx);
      }
      const portion = portionOf(grant, { ...input, scope: undefined }, ctx);
      if (isFault(portion)) return portion;
      const set = { redeemed_at: ctx.now_ms, used_at: ctx.now_ms, expires_at: grant.ends_at };
      return { reply: { grant, ...portion, rotation: 0 }, effects: [patch('oauth_grants', grant, set)] };
    },
  });
  return isFault(outcome) ? outcome : answerOf(outcome.reply, ctx, ports);
}

/** Issues tokens for a refresh token, which is replaced. */
async function refreshGrant(
  input: TokenAsked,
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'sessions'>,
): Promise<Outcome<TokenAnswer>> {
  const { refresh_token, client_id } = input;
  if (refresh_token === undefined) return missing('refresh_token');
  if (client_id === undefined) return missing('client_id');
  const sent = grantOfRefresh(refresh_token, ctx.secrets);
  if (sent === null) return REFUSED_GRANT;
  const outcome = await ctx.turn<Given, GrantRefusal>({
    attempt: async (read) => {
      const grant = await read(grantById, { id: sent.grant_id });
      if (!grant || !grantStands(grant, ctx.now_ms) || (await isGone(read, grant))) return REFUSED_GRANT;
      const standing = refreshStanding(sent.rotation, grant, ctx.now_ms);
      if (standing === 'spent' || client_id !== grant.client_id) return ending(read, grant, ctx);
      const portion = portionOf(grant, input, ctx);
      if (isFault(portion)) return portion;
      const { rotations } = grant;
      if (standing === 'replaced') return { reply: { grant, ...portion, rotation: rotations } };
      const set = { ...rotated(grant, ctx.now_ms), used_at: ctx.now_ms };
      return { reply: { grant, ...portion, rotation: rotations + 1 }, effects: [patch('oauth_grants', grant, set)] };
    },
  });
  return isFault(outcome) ? outcome : answerOf(outcome.reply, ctx, ports);
}

/** The accepted `typ` values: the specific one, or a general one. A token of another `typ` is refused. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'JWT', 'jwt', 'client-authentication+jwt']);
/** The nesting of objects in claims; the used claims have none. */
const DEPTH_MAX = 8;

const BLANKS: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);

interface Signed {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly bytes: Uint8Array;
  readonly signature: Uint8Array;
}

/** Whether an object has a duplicate member at its top level, which two parsers could read differently (RFC 8725, 2.4). The
 * text is valid JSON. */
function namesTwice(text: string): boolean {
  const names = new Set<string>();
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth > DEPTH_MAX) return true;
    if (sign !== '"') continue;
    const from = at;
    for (at += 1; text.charAt(at) !== '"'; at++) if (text.charAt(at) === '\\') at += 1;
    const to = at + 1;
    while (BLANKS.has(text.charAt(at + 1))) at += 1;
    if (depth !== 1 || text.charAt(at + 1) !== ':') continue;
    const name = String(JSON.parse(text.slice(from, to)));
    if (names.has(name)) return true;
    names.add(name);
  }
  return false;
}

/** Parses the object in a part of a JWS, or null. */
function objectIn(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url'));
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || namesTwice(text)) return null;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    // Invalid UTF-8 and invalid JSON are not distinguished.
    return null;
  }
}

/** An assertion in its parts; null for a JWS that is invalid or of another kind. */
function readAssertion(text: string): Signed | null {
  if (!isCanonicalJws(text)) return null;
  const [head = '', body = '', signature = ''] = text.split('.');
  const header = objectIn(head);
  const claims = objectIn(body);
  if (!header || !claims || header['alg'] !== 'EdDSA' || !TYPES.has(header['typ'])) return null;
  // Unknown critical extensions must be refused (RFC 7515, 4.1.11), and none is supported.
  if ('crit' in header || 'b64' in header) return null;
  return { claims, bytes: Buffer.from(`${head}.${body}`), signature: Buffer.from(signature, 'base64url') };
}

/** Whether a raw public key signed it. */
function isSignedBy({ bytes, signature }: Signed, key: Uint8Array): boolean {
  return verifyEd25519(key, bytes, signature);
}

/** The type of a client assertion (RFC 7523, 2.2). */
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The same for an agent that does not exist, has no key, or did not sign, so that agents are not disclosed. */
const REFUSED = fault(
  'invalid_client',
  'No live agent with that handle has a registered key that signed this assertion.',
);
const TOO_MANY = 'Too many assertions; wait before sending another.';
/** A dummy key, so that the refusal of an unknown agent takes as long as that of a known one. */
const NOBODYS_KEY = parsePublicKey(SAMPLE.public_key);

type Refusal = Fault<'invalid_client' | 'invalid_scope' | 'rate_limited'>;
interface Shown {
  readonly signed: Signed;
  readonly assertion: Assertion;
}

function notRead(why: string): Fault<'invalid_client'> {
  return fault('invalid_client', `client_assertion: ${why}.`);
}

/** The assertion, after all checks that do not need its agent. */
function shownBy(
  text: string | undefined,
  { type, client_id }: { type: string | undefined; client_id: string | undefined },
  { settings: { base_url }, now_ms }: FlowCtx,
): Shown | Fault<'invalid_client'> {
  if (type !== ASSERTION_TYPE) return fault('invalid_client', `client_assertion_type: must be ${ASSERTION_TYPE}.`);
  const signed = text === undefined ? null : readAssertion(text);
  if (!signed) return notRead('must be a compact JWS, signed with EdDSA, without duplicate claims');
  const audiences = [`${base_url}/oauth/token`, base_url, `${base_url}/`];
  const assertion = judgeAssertion(signed.claims, { audiences, client_id, now_ms });
  return typeof assertion === 'string' ? notRead(assertion) : { signed, assertion };
}

function isOf(agent: Row<'agents'> | null, signed: Signed): boolean {
  const key = agent?.public_key == null ? NOBODYS_KEY : parsePublicKey(agent.public_key);
  return !isFault(key) && isSignedBy(signed, key) && agent?.public_key != null && agent.deactivated_at === null;
}

/** The requested scopes without duplicates, by default all of the key pair; or the fault. */
function scopesGranted(asked: string | undefined, { scopes: may }: PairWorth): string[] | Fault<'invalid_scope'> {
  const wanted = new Set((asked ?? '').split(' ').filter(Boolean));
  const beyond = [...wanted].filter((scope) => !may.includes(scope));
  if (beyond.length > 0) {
    return fault('invalid_scope', `scope: an access token cannot hold ${beyond.join(', ')}.`, { scopes: [...may] });
  }
  return wanted.size === 0 ? [...may] : may.filter((scope) => wanted.has(scope));
}

/** Finds the agent and consumes the assertion; refusals are counted. */
function claimed(ctx: FlowCtx, { signed, assertion }: Shown, scope: string | undefined) {
  return ctx.turn<{ agent: Row<'agents'>; scopes: string[]; ends_at: number }, Refusal['fault']>({
    attempt: async (read) => {
      const agent = await agentByHandle(read, assertion.client_id, ctx.now_ms);
      const worth = agent && (await readPairWorth(read, agent, ctx.now_ms));
      if (!isOf(agent, signed) || !agent || worth === null) return refused(REFUSED, ctx);
      const scopes = scopesGranted(scope, worth);
      if (isFault(scopes)) return scopes;
      const id = `assertion:${agent.id}:${sha256Hex(assertion.jti)}`;
      const used = notRead('its jti was used before');
      return {
        reply: { agent, scopes, ends_at: worth.ends_at },
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

/** Issues a token for the agent whose key signed the assertion. */
async function tokenForAgent(
  input: TokenAsked,
  ctx: FlowCtx,
  { sessions }: Pick<FlowPorts, 'sessions'>,
): Promise<Outcome<TokenAnswer>> {
  const { client_assertion_type: type, client_id } = input;
  const shown = shownBy(input.client_assertion, { type, client_id }, ctx);
  if (isFault(shown)) return ctx.turn({ attempt: async () => refused(shown, ctx) });
  const { base_url } = ctx.settings;
  const resource = input.resource === undefined ? RESOURCES.service : resourceAt(input.resource, base_url);
  if (resource === null) return fault('invalid_target');
  const outcome = await claimed(ctx, shown, input.scope);
  if (isFault(outcome)) return outcome;
  const { agent, scopes, ends_at } = outcome.reply;
  const subject = { sub: agent.id, client_id: agent.handle, resource, scopes, fingerprint: agent.fingerprint ?? '' };
  const access_token = await sessions.issueFor({ ...subject, jti: ctx.id() }, ctx.now_ms);
  const scope = scopes.join(' ');
  const expires_in = Math.min(CLIENT_TOKEN_SECONDS, Math.floor((ends_at - ctx.now_ms) / 1000));
  return { reply: { access_token, token_type: 'Bearer', expires_in, scope } };
}

/** A form with an assertion and all other fields at their greatest lengths. */
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
    'With client_credentials (RFC 6749) an agent gets a token for an assertion (private_key_jwt, RFC 7523): an EdDSA JWT ' +
    'signed with its registered key, where `iss` and `sub` are its handle, `aud` is this address or the issuer, `exp` is at ' +
    'most five minutes ahead and `jti` is unique; without `scope` the token has the scopes of a key from signup. With ' +
    'authorization_code an approved program gets one for its `code` and the `code_verifier` of PKCE (RFC 7636), ' +
    'and with refresh_token the next; each response holds the next refresh token. With the device grant (RFC 8628) a program gets the ' +
    'key that its person approved with a code. With `resource` ' +
    'a token is valid only at that address and below it (RFC 8707). It is valid for an hour, or until the key is replaced or ' +
    'the person disconnects the program.',
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
