// Registers the Ed25519 public key that identifies an agent beyond this service. It outlives every renewal of the key that
// registered it (interface.md, item 13), and its tokens have no more rights than that key; a new one replaces the last. A letter
// tells the person, since the holder of a stolen key could keep access this way.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { OF_A_PRIVATE_KEY } from '../../contract/tool.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { fingerprint, parsePublicKey, publicKeyText } from '../../domain/identity/key.ts';
import { scopesFor } from '../../domain/identity/scope.ts';
import { sha256 } from '../../outbound/hash.ts';
import { keyPairLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { tell } from '../../steps/event.ts';
import { type Agent, registrarOf } from '../../steps/key.ts';
import { sendLetter } from '../../steps/letter.ts';

/** The scopes that the caller holds and a pair may have. */
function heldScopes({ principal: { kind, scopes } }: Ctx, agent: Agent): readonly string[] {
  const may = scopesFor(agent.provisional === 1);
  return kind === 'session' ? may : may.filter((scope) => scopes.has(scope));
}

/** The scopes to store with the pair. Without a choice, the pair follows the key or session that registers it; an access token may have
 * fewer scopes than its grant or pair, so the new pair gets those of the token. Fault: `invalid_request` for scopes that the caller lacks. */
function scopesChosen(
  { principal: { kind, guard } }: Ctx,
  held: readonly string[],
  wanted: readonly string[] | undefined,
): readonly string[] | undefined | Fault<'invalid_request'> {
  if (wanted === undefined) return kind === 'session' || guard?.table === 'api_keys' ? undefined : held;
  const message = `must be one of the scopes of this credential: ${held.join(', ')}`;
  const lacking = wanted.flatMap((scope, at) => (held.includes(scope) ? [] : [{ path: `scopes.${at}`, message }]));
  return lacking.length > 0 ? invalid(...lacking) : held.filter((scope) => wanted.includes(scope));
}

const sameScopes = (one: readonly string[] | undefined, other: readonly string[] | undefined): boolean =>
  one?.join(' ') === other?.join(' ');

export const keypairRegister = command({
  name: 'keypair.register',
  noun: 'The Ed25519 public key of an agent.',
  summary: "Register the agent's public key",
  description:
    'The fingerprint is base64url(SHA-256(raw key)) and is shown on the agent card. Access tokens of the pair have at most the scopes of ' +
    'the registering credential, use its budget and end with it; a pair registered in a session has the scopes of a key from ' +
    'signup. The person is told by mail.',
  input: Type.Object({
    public_key: Type.String({ maxLength: 64, description: 'the raw 32 bytes of an Ed25519 public key, base64url' }),
    scopes: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: 64,
        description: 'the most that its tokens may have; all scopes of the credential that registers it unless said',
      }),
    ),
  }),
  output: namedObject('PublicKey', "an agent's Ed25519 key", { public_key: Type.String(), fingerprint: Type.String() }),
  example: { public_key: SAMPLE.public_key },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  provisional: true,
  agent: 'required',
  faults: ['invalid_request', 'not_found'],
  rest: [{ method: 'POST', path: '/api/auth/keypair' }],
  no_tool: OF_A_PRIVATE_KEY,
  load: async (read, _input, ctx) => ({
    agent: await read(agentById, { id: actor(ctx).id }),
    account: await read.peek(accountById, { id: ctx.account_id }),
  }),
  decide: ({ agent, account }, input, ctx) => {
    const raw = parsePublicKey(input.public_key);
    if (isFault(raw)) return raw;
    const registrar = agent && registrarOf(ctx, agent);
    if (!agent || !registrar) return fault('not_found');
    const reply = { public_key: publicKeyText(raw), fingerprint: fingerprint(raw, sha256) };
    const { by, by_id } = registrar;
    const scopes = scopesChosen(ctx, heldScopes(ctx, agent), input.scopes);
    if (isFault(scopes)) return scopes;
    const same = agent.public_key === reply.public_key && agent.key_pair?.by_id === by_id;
    if (same && sameScopes(scopes, agent.key_pair?.scopes)) return { reply };
    const key_pair = { id: ctx.id(), by, by_id, ...(scopes && { scopes }), created_at: ctx.now_ms };
    const url = `${ctx.settings.app_url}/keys`;
    const letter = keyPairLetter(agent.handle, reply.fingerprint, url, letterWordsFor(account));
    return {
      reply,
      effects: [
        patch('agents', agent, { ...reply, key_pair, updated_at: ctx.now_ms }),
        tell(ctx, agent, 'agent.updated', { fields: ['public_key'] }),
        ...(account?.email ? [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] : []),
      ],
    };
  },
});
