// Gives a program the tokens of its grant: for its code, then for its refresh token (OAuth 2.1, 4.1.3 and 4.3). What shows that somebody
// holds a copy ends the grant: a code or a refresh token that was used before, or that comes from another than it was given to.
import { patch } from '../../../db/effects.ts';
import { accountById, grantById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Outcome, Read } from '../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { CODE_SECONDS, grantStands, refreshStanding, rotated } from '../../domain/identity/grant.ts';
import { opens, resourceAt } from '../../domain/identity/resource.ts';
import { scopesNamed } from '../../domain/identity/scope.ts';
import { sameSecret, sha256, sha256Hex } from '../../outbound/hash.ts';
import { programEndedLetter } from '../../outbound/mailer/letters.ts';
import { CLIENT_TOKEN_SECONDS } from '../../outbound/session/issuer.ts';
import type { TokenAnswer, TokenAsked } from '../../schemas/oauth.ts';
import { sendLetter } from '../letter.ts';
import { grantOfCode, grantOfRefresh, refreshToken } from './grant-secret.ts';

type Grant = Row<'oauth_grants'>;
type Refusal = 'invalid_grant' | 'invalid_scope' | 'invalid_target';

/** What a token is to be good for, under a grant that is on disk, and the number of its refresh token. */
interface Given {
  readonly grant: Grant;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly rotation: number;
}

const REFUSED = fault('invalid_grant');
/** The signs of a code verifier (RFC 7636, 4.1). */
const VERIFIER = /^[\w.~-]{43,128}$/;

const missing = (path: string): Fault<'invalid_request'> => invalid({ path, message: 'is needed' });

/** The same refusal, after which nothing of the grant works any more; the person whose program stops working is told why. */
async function ending(read: Read, grant: Grant, ctx: Ctx): Promise<Decision<never, 'invalid_grant'>> {
  const account = grant.redeemed_at === null ? null : await read.peek(accountById, { id: grant.account_id });
  const letter = programEndedLetter(grant.client_name, `${ctx.settings.app_url}/account`);
  const told = account?.email ? [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] : [];
  return { ...REFUSED, effects: [patch('oauth_grants', grant, { ended_at: ctx.now_ms }), ...told] };
}

/** What of the grant is asked for: all, or less. */
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
  return account === null || account.deleted_at !== null;
}

/** The answer under a grant that is on disk. */
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

/** Tokens for the code of a consent, once. */
export async function redeemCode(
  input: TokenAsked,
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'sessions'>,
): Promise<Outcome<TokenAnswer>> {
  const { code, code_verifier, client_id, redirect_uri } = input;
  if (code === undefined) return missing('code');
  if (code_verifier === undefined) return missing('code_verifier');
  if (client_id === undefined) return missing('client_id');
  const id = grantOfCode(code);
  if (id === null) return REFUSED;
  const outcome = await ctx.turn<Given, Refusal>({
    attempt: async (read) => {
      const grant = await read(grantById, { id });
      if (!grant || !sameSecret(grant.code_hash, sha256Hex(code)) || grant.ended_at !== null) return REFUSED;
      if (grant.redeemed_at !== null) return ending(read, grant, ctx);
      if (grant.created_at + CODE_SECONDS * 1000 <= ctx.now_ms || (await isGone(read, grant))) return REFUSED;
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

/** Tokens for a refresh token, which is replaced. */
export async function refreshGrant(
  input: TokenAsked,
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'sessions'>,
): Promise<Outcome<TokenAnswer>> {
  const { refresh_token, client_id } = input;
  if (refresh_token === undefined) return missing('refresh_token');
  if (client_id === undefined) return missing('client_id');
  const sent = grantOfRefresh(refresh_token, ctx.secrets);
  if (sent === null) return REFUSED;
  const outcome = await ctx.turn<Given, Refusal>({
    attempt: async (read) => {
      const grant = await read(grantById, { id: sent.grant_id });
      if (!grant || !grantStands(grant, ctx.now_ms) || (await isGone(read, grant))) return REFUSED;
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
