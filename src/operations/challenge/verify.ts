// Checks a signed challenge against the agent's registered key. A valid signature consumes the challenge; an invalid one
// does not, since Ed25519 signatures cannot be guessed and many clients first get the encoding wrong.
import { Type } from 'typebox';
import { remove } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { challengeById } from '../../../db/queries/identity.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { OF_A_PRIVATE_KEY } from '../../contract/tool.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { parsePublicKey, parseSignature } from '../../domain/identity/key.ts';
import { guide, step } from '../../domain/next-step.ts';
import { verifyEd25519 } from '../../outbound/signature.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';

export const challengeVerify = command({
  name: 'challenge.verify',
  summary: 'Prove possession of the registered key',
  input: Type.Object({
    challenge: Type.String({ minLength: 1, maxLength: 200 }),
    signature: Type.String({ maxLength: 200, description: "Ed25519 over the challenge's UTF-8 bytes, base64url" }),
  }),
  output: namedObject('KeyProof', 'whose key is proven', {
    verified: Type.Literal(true),
    handle: Type.String(),
    fingerprint: Type.String(),
  }),
  example: { challenge: SAMPLE.challenge, signature: SAMPLE.signature },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  provisional: true,
  agent: 'required',
  faults: ['invalid_request', 'bad_signature'],
  rest: [{ method: 'POST', path: '/api/auth/challenge/verify' }],
  no_tool: OF_A_PRIVATE_KEY,
  load: async (read, { challenge }, ctx) => ({
    agent: await read(agentById, { id: actor(ctx).id }),
    issued: await read(challengeById, { id: challenge }),
  }),
  decide: ({ agent, issued }, input, ctx) => {
    const signature = parseSignature(input.signature);
    if (isFault(signature)) return signature;
    if (!issued || issued.agent_id !== agent?.id || issued.expires_at <= ctx.now_ms) {
      return fault('bad_signature', 'The challenge is unknown, used or expired; get a new one.');
    }
    if (agent.public_key === null)
      return fault('bad_signature', guide`Register a public key first: ${step('keypair.register')}.`);
    const key = parsePublicKey(agent.public_key);
    if (isFault(key) || !verifyEd25519(key, new TextEncoder().encode(issued.id), signature))
      return fault('bad_signature');
    const reply = { verified: true as const, handle: agent.handle, fingerprint: agent.fingerprint ?? '' };
    return { reply, effects: [remove('challenges', issued)] };
  },
});
