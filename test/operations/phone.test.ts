// The phone proof: one number backs one agent, the first proof opens the gate, and guessing gets nobody in.
import { expect, test } from 'bun:test';
import { eventsAfter } from '../../db/queries/inbox.ts';
import { freshPhone, newAgent, newProvisional, signIn, verifyPhone } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { codeFor, openTestService } from '../support/testbed.ts';

const SEND = '/api/trust/phone/send';
const VERIFY = '/api/trust/phone/verify';

const t = sharedService();

test('a proven phone verifies the agent, raises its score by six and tells it so', async () => {
  const { key, token, id } = await newAgent(t, { handle: 'proves' });
  const before = await t.call('GET', '/api/agents/proves', { key });
  expect(before.body.verified).toBe(false);
  const phone = freshPhone();
  expect((await t.call('POST', SEND, { token, body: { phone } })).body).toEqual({ sent: true, expires_in: 600, phone });
  const answer = await t.call('POST', VERIFY, { token, body: { phone, code: codeFor(t, phone) } });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ verified: true, handle: 'proves' });
  const after = await t.call('GET', '/api/agents/proves', { key });
  expect(after.body.verified).toBe(true);
  expect(after.body.trust).toEqual({ score: before.body.trust.score + 6, credentials: ['phone', 'email'] });
  const events = await t.service.world.store.read(eventsAfter, { agent_id: id, after: 0, limit: 10 });
  expect(events.map(({ kind, data }) => ({ kind, data }))).toEqual([{ kind: 'trust.updated', data: after.body.trust }]);
});

test('the code alone is enough: the number is that of the last text message', async () => {
  const { token } = await newAgent(t, { handle: 'short_form' });
  const phone = freshPhone();
  await t.call('POST', SEND, { token, body: { phone } });
  expect((await t.call('POST', VERIFY, { token, body: { code: codeFor(t, phone) } })).status).toBe(200);
});

test('a code proves only the number that it was sent to, and only for its agent', async () => {
  const one = await newAgent(t, { handle: 'bound_one' });
  const two = await newAgent(t, { handle: 'bound_two' });
  const phone = freshPhone();
  await t.call('POST', SEND, { token: one.token, body: { phone } });
  const code = codeFor(t, phone);
  const other = await t.call('POST', VERIFY, { token: one.token, body: { phone: freshPhone(), code } });
  expect(other.body.error).toBe('invalid_code');
  expect((await t.call('POST', VERIFY, { token: two.token, body: { phone, code } })).body.error).toBe('invalid_code');
  expect((await t.call('POST', VERIFY, { token: one.token, body: { phone, code } })).status).toBe(200);
  expect((await t.call('POST', VERIFY, { token: one.token, body: { phone, code } })).body.error).toBe('invalid_code');
});

test('a number backs one agent in the whole network, told only with the right code', async () => {
  const phone = freshPhone();
  const first = await newAgent(t, { handle: 'owns_phone' });
  await verifyPhone(t, first.token, 'owns_phone', phone);
  const second = await newAgent(t, { handle: 'wants_phone' });
  expect((await t.call('POST', SEND, { token: second.token, body: { phone } })).status).toBe(200);
  const body = { phone, code: codeFor(t, phone) };
  const refused = await t.call('POST', VERIFY, { token: second.token, body });
  expect(refused.status).toBe(409);
  expect(refused.body.error).toBe('credential_in_use');
  expect((await t.call('GET', '/api/agents/wants_phone', { key: second.key })).body.verified).toBe(false);
});

test('two agents that prove one number at once: exactly one gets it', async () => {
  const phone = freshPhone();
  const agents = [await newAgent(t, { handle: 'race_a' }), await newAgent(t, { handle: 'race_b' })];
  const bodies: { phone: string; code: string }[] = [];
  for (const { token } of agents) {
    await t.call('POST', SEND, { token, body: { phone } });
    bodies.push({ phone, code: codeFor(t, phone) });
  }
  const answers = await Promise.all(agents.map(({ token }, i) => t.call('POST', VERIFY, { token, body: bodies[i] })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('a new number takes the place of the old one, which is then free', async () => {
  const [old, fresh] = [freshPhone(), freshPhone()];
  const mover = await newAgent(t, { handle: 'moves_phone' });
  await verifyPhone(t, mover.token, 'moves_phone', old);
  await verifyPhone(t, mover.token, 'moves_phone', fresh);
  const trust = (await t.call('GET', '/api/agents/moves_phone', { key: mover.key })).body.trust;
  expect(trust.credentials).toEqual(['phone', 'email']);
  const next = await newAgent(t, { handle: 'gets_old' });
  await verifyPhone(t, next.token, 'gets_old', old);
});

test('five wrong tries burn the code', async () => {
  const { token } = await newAgent(t, { handle: 'guesser' });
  const phone = freshPhone();
  await t.call('POST', SEND, { token, body: { phone } });
  const code = codeFor(t, phone);
  const wrong = code === '000000' ? '000001' : '000000';
  for (let i = 0; i < 5; i++) {
    expect((await t.call('POST', VERIFY, { token, body: { phone, code: wrong } })).status).toBe(400);
  }
  expect((await t.call('POST', VERIFY, { token, body: { phone, code } })).body.error).toBe('too_many_tries');
});

test('a code dies after ten minutes', async () => {
  const { token, email } = await newAgent(t, { handle: 'too_late' });
  const phone = freshPhone();
  await t.call('POST', SEND, { token, body: { phone } });
  await t.advance(600_000);
  const again = await signIn(t, email);
  const answer = await t.call('POST', VERIFY, { token: again, body: { phone, code: codeFor(t, phone) } });
  expect(answer.body.error).toBe('invalid_code');
});

test('a number that takes no text messages, or none at all, is refused', async () => {
  const { token } = await newAgent(t, { handle: 'odd_numbers' });
  for (const phone of ['12345', 'hello', '+1 212', '+49 30 901820']) {
    const answer = await t.call('POST', SEND, { token, body: { phone } });
    expect(answer.status).toBe(400);
  }
  expect((await t.call('POST', SEND, { token, body: {} })).body.fields[0].path).toBe('phone');
  expect((await t.call('POST', VERIFY, { token, body: { code: '12345' } })).body.error).toBe('invalid_request');
});

test('only a session reaches it: a key is told so, and nobody is nobody', async () => {
  const { key } = await newAgent(t, { handle: 'key_only' });
  const provisional = await newProvisional(t, 'provisional_phone');
  for (const used of [key, provisional.key]) {
    const answer = await t.call('POST', SEND, { key: used, body: { phone: freshPhone() } });
    expect([answer.status, answer.body.error]).toEqual([403, 'session_required']);
  }
  expect((await t.call('POST', SEND, { body: { phone: freshPhone() } })).status).toBe(401);
});

test('with several agents the header says which one is verified', async () => {
  const one = await newAgent(t, { handle: 'several_a', email: 'several@example.org' });
  const two = await newAgent(t, { handle: 'several_b', email: 'several@example.org' });
  const phone = freshPhone();
  const unclear = await t.call('POST', SEND, { token: two.token, body: { phone } });
  expect([unclear.status, unclear.body.error]).toEqual([400, 'agent_required']);
  await verifyPhone(t, two.token, 'several_b', phone);
  const read = async (handle: string) => (await t.call('GET', `/api/agents/${handle}`, { key: one.key })).body.verified;
  expect([await read('several_a'), await read('several_b')]).toEqual([false, true]);
});

test('a number gets five codes an hour, whoever asks for them', async () => {
  const limited = await openTestService({ rate_limits: true });
  try {
    const { token } = await newAgent(limited, { handle: 'sender' });
    const phone = freshPhone();
    for (let i = 0; i < 5; i++) expect((await limited.call('POST', SEND, { token, body: { phone } })).status).toBe(200);
    const refused = await limited.call('POST', SEND, { token, body: { phone } });
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited']);
    expect(refused.body.retry_after_seconds).toBeGreaterThan(0);
  } finally {
    await limited.close();
  }
});
