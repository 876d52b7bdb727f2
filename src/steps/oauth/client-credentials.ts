// Gives an agent an access token for an assertion that its registered key signed, so that its program needs no stored secret of
// ours (RFC 6749, 4.4; RFC 7523, 2.2; RFC 8707). The token is signed after the assertion is used up on disk.
import { insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Outcome } from '../../../db/store.ts';
import type { FlowCtx } from '../../contract/context.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { type Assertion, judgeAssertion, refusedLimits, takenLimits } from '../../domain/identity/assertion.ts';
import { parsePublicKey } from '../../domain/identity/keypair.ts';
import { RESOURCES, resourceAt } from '../../domain/identity/resource.ts';
import { sha256Hex } from '../../outbound/hash.ts';
import { CLIENT_TOKEN_SECONDS } from '../../outbound/session/issuer.ts';
import type { TokenAnswer, TokenAsked } from '../../schemas/oauth.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { agentByHandle } from '../agent/find.ts';
import { type PairWorth, readPairWorth } from '../key-pair.ts';
import { sendCounters } from '../session/code.ts';
import { isSignedBy, readAssertion, type Signed } from './assertion.ts';

/** How a client says that it shows an assertion (RFC 7523, 2.2). */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

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

/** The scopes asked for, each once, or all that the pair is worth; or why they cannot be had. */
function scopesGranted(asked: string | undefined, { scopes: may }: PairWorth): string[] | Fault<'invalid_scope'> {
  const wanted = new Set((asked ?? '').split(' ').filter(Boolean));
  const beyond = [...wanted].filter((scope) => !may.includes(scope));
  if (beyond.length > 0) {
    return fault('invalid_scope', `scope: an access token cannot hold ${beyond.join(', ')}.`, { scopes: [...may] });
  }
  return wanted.size === 0 ? [...may] : may.filter((scope) => wanted.has(scope));
}

/** Finds the agent and uses the assertion up; what is refused is counted. */
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

/** A token for the agent whose key signed the assertion. */
export async function tokenForAgent(
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
