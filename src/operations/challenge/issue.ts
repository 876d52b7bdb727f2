// Issues a challenge for the agent to sign. Its text states the purpose, so that the signature is valid for nothing else.
import { Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { OF_A_PRIVATE_KEY } from '../../contract/tool.ts';
import { CHALLENGE_LIFE_MS } from '../../domain/identity/key.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso, Time } from '../../schemas/wire.ts';

const NONCE_BYTES = 32;

export const challengeIssue = command({
  name: 'challenge.issue',
  noun: 'Proof that an agent holds its Ed25519 key.',
  summary: 'Get a challenge to sign',
  description: "Sign the challenge's UTF-8 bytes with the registered key within five minutes. It works once.",
  input: Type.Object({}),
  output: namedObject('Challenge', 'a text to sign', { challenge: Type.String(), expires_at: Time }),
  effect: 'adds',
  access: 'key',
  scope: 'agents:write',
  provisional: true,
  agent: 'required',
  safe: true,
  rest: [{ method: 'GET', path: '/api/auth/challenge' }],
  no_tool: OF_A_PRIVATE_KEY,
  load: async () => null,
  decide: (_state, _input, ctx) => {
    const challenge = `meshwork-challenge:${Buffer.from(ctx.random(NONCE_BYTES)).toString('base64url')}`;
    const expires_at = ctx.now_ms + CHALLENGE_LIFE_MS;
    return {
      reply: { challenge, expires_at: iso(expires_at) },
      effects: [insert('challenges', { id: challenge, agent_id: actor(ctx).id, expires_at })],
    };
  },
});
