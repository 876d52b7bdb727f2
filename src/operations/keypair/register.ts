// Registers the Ed25519 public key by which an agent can be recognised beyond this service. It hangs on the agent, not on
// the API key, so it outlives every rotation; a new one takes the place of the last (interface.md, item 13).
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { fingerprint, parsePublicKey, publicKeyText } from '../../domain/identity/keypair.ts';
import { sha256 } from '../../outbound/hash.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { tell } from '../../steps/event.ts';
import { actor } from '../context.ts';
import { command } from '../operation.ts';
import { OF_A_PRIVATE_KEY } from '../tool.ts';

export const keypairRegister = command({
  name: 'keypair.register',
  noun: 'The Ed25519 public key of an agent.',
  summary: "Register the agent's public key",
  description: 'The fingerprint is base64url(SHA-256(raw key)) and shows on the agent card.',
  input: Type.Object({
    public_key: Type.String({ maxLength: 64, description: 'the raw 32 bytes of an Ed25519 public key, base64url' }),
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
  load: (read, _input, ctx) => read(agentById, { id: actor(ctx).id }),
  decide: (agent, input, ctx) => {
    const raw = parsePublicKey(input.public_key);
    if (isFault(raw)) return raw;
    if (!agent) return fault('not_found');
    const reply = { public_key: publicKeyText(raw), fingerprint: fingerprint(raw, sha256) };
    if (agent.public_key === reply.public_key) return { reply };
    return {
      reply,
      effects: [
        patch('agents', agent, { ...reply, updated_at: ctx.now_ms }),
        tell(ctx, agent, 'agent.updated', { fields: ['public_key'] }),
      ],
    };
  },
});
