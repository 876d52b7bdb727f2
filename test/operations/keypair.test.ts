// An agent's own key: registered once, proven by a signature over a challenge that works once.
import { beforeAll, expect, test } from 'bun:test';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let agent: TestAgent;
const pair = generateKeyPairSync('ed25519');
const public_key = pair.publicKey.export({ format: 'jwk' }).x ?? '';

beforeAll(async () => {
  agent = await newAgent(t, { handle: 'signer' });
});

const register = (key: string, text: string): Promise<TestAnswer> =>
  t.call('POST', '/api/auth/keypair', { key, body: { public_key: text } });
const challenge = async (key: string): Promise<string> =>
  (await t.call('GET', '/api/auth/challenge', { key })).body.challenge;
const verify = (key: string, text: string, signature: string): Promise<TestAnswer> =>
  t.call('POST', '/api/auth/challenge/verify', { key, body: { challenge: text, signature } });
const signed = (text: string, by: KeyObject = pair.privateKey): string =>
  sign(null, Buffer.from(text), by).toString('base64url');

test('before a key is registered nothing can be proven', async () => {
  const text = await challenge(agent.key);
  expect((await verify(agent.key, text, signed(text))).body.error).toBe('bad_signature');
});

test('a registered key answers its fingerprint, and registering it again changes nothing', async () => {
  const answer = await register(agent.key, public_key);
  const fingerprint = createHash('sha256').update(Buffer.from(public_key, 'base64url')).digest('base64url');
  expect(answer.body).toEqual({ public_key, fingerprint });
  expect((await register(agent.key, public_key)).body).toEqual(answer.body);
});

test('a right signature proves the agent, and uses the challenge up', async () => {
  const text = await challenge(agent.key);
  const answer = await verify(agent.key, text, signed(text));
  expect(answer.body).toMatchObject({ verified: true, handle: 'signer' });
  expect((await verify(agent.key, text, signed(text))).body.error).toBe('bad_signature');
});

test('a wrong signature is refused and leaves the challenge to be signed rightly', async () => {
  const text = await challenge(agent.key);
  const other = generateKeyPairSync('ed25519').privateKey;
  const refused = await verify(agent.key, text, signed(text, other));
  expect(refused.status).toBe(400);
  expect(refused.body.error).toBe('bad_signature');
  expect((await verify(agent.key, text, signed('something else'))).body.error).toBe('bad_signature');
  expect((await verify(agent.key, text, signed(text))).status).toBe(200);
});

test('a challenge dies after five minutes, and is nobody else’s', async () => {
  const text = await challenge(agent.key);
  const thief = await newAgent(t, { handle: 'thief' });
  await register(thief.key, public_key);
  expect((await verify(thief.key, text, signed(text))).body.error).toBe('bad_signature');
  await t.advance(300_000);
  expect((await verify(agent.key, text, signed(text))).body.error).toBe('bad_signature');
});

test('what is no key or no signature is a 400 that names the field', async () => {
  for (const text of ['', 'short', `${public_key}A`, 'é'.repeat(43)]) {
    const answer = await register(agent.key, text);
    expect(answer.status).toBe(400);
    expect(answer.body.fields[0].path).toBe('public_key');
  }
  const answer = await verify(agent.key, await challenge(agent.key), 'AAAA');
  expect(answer.body.fields[0].path).toBe('signature');
});
