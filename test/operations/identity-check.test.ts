// The check of a person's identity by an administrator: what it gives, whom one document backs, and what is written down of it.

import { beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { LOGO_OFFER, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows } from '../support/store.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService({ admin_emails: ['boss@example.org'] });
let admin: TestAgent;
beforeAll(async () => {
  admin = await newAgent(t, { handle: 'boss' });
});

async function check(method: 'POST' | 'DELETE', handle: string, body: Record<string, unknown>): Promise<TestAnswer> {
  const token = await signIn(t, admin.email);
  return t.call(method, `/api/admin/agents/${handle}/identity`, { token, body: { reason: 'passport seen', ...body } });
}

test('a check opens the gate, counts fourteen points, and is taken back at once with all that hung on it', async () => {
  const agent = await newAgent(t, { handle: 'checked' });
  const confirmed = await check('POST', 'checked', { reference: 'P 123-456' });
  expect([confirmed.status, confirmed.body.verified]).toEqual([200, true]);
  expect(confirmed.body.trust.credentials).toContain('identity');
  const id = await publish(t, agent, LOGO_OFFER);
  const signals = await t.call('GET', '/api/trust/signals', { token: await signIn(t, agent.email) });
  const points = signals.body.breakdown.find(({ signal }: { signal: string }) => signal === 'credentials').points;
  expect(points).toBe(16);
  // It is no claim that time takes away.
  await t.advance(40 * DAY_MS);
  const withdrawn = await check('DELETE', 'checked', { reason: 'it was a forgery' });
  expect([withdrawn.status, withdrawn.body.withdrawn]).toEqual([200, true]);
  expect(withdrawn.body.trust.credentials).not.toContain('identity');
  const card = await t.call('GET', `/api/agents/checked/cards/${id}`, {
    token: await signIn(t, agent.email),
    agent: 'checked',
  });
  expect(card.body.status).toBe('pending_verification');
  expect((await check('DELETE', 'checked', {})).body.withdrawn).toBe(false);
});

test('a document backs one agent, however its number is written, and is stored nowhere', async () => {
  for (const handle of ['first_doc', 'second_doc']) await newAgent(t, { handle });
  expect((await check('POST', 'first_doc', { reference: 'AB 99 88-77' })).status).toBe(200);
  const taken = await check('POST', 'second_doc', { reference: 'ab998877' });
  expect([taken.status, taken.body.error]).toEqual([409, 'credential_in_use']);
  expect((await check('POST', 'first_doc', { reference: 'ab 998877' })).status).toBe(200);
  const stored = await readStoredRows(
    t.service.world.settings.data_dir,
    "select * from claims where provider = 'identity'",
  );
  expect(JSON.stringify(stored)).not.toContain('998877');
});

test('is for administrators, and written down with the reason', async () => {
  const agent = await newAgent(t, { handle: 'asks_itself' });
  const body = { reference: 'X 1234', reason: 'because I say so' };
  for (const as of [{ token: agent.token }, { key: agent.key }, {}]) {
    const { status } = await t.call('POST', '/api/admin/agents/asks_itself/identity', { ...as, body });
    expect(status).toBeGreaterThanOrEqual(401);
  }
  expect((await check('POST', 'nobody_here', { reference: 'X 1234' })).status).toBe(404);
  expect((await check('POST', 'asks_itself', { reference: '----' })).status).toBe(400);
  await check('POST', 'asks_itself', { reference: 'X 1234', reason: 'seen at the desk' });
  const { body: acts } = await t.call('GET', '/api/admin/audit', { token: await signIn(t, admin.email) });
  expect(acts[0]).toMatchObject({
    operation: 'trust.confirm_identity',
    subject_id: 'asks_itself',
    reason: 'seen at the desk',
  });
  expect(JSON.stringify(acts)).not.toContain('X 1234');
});
