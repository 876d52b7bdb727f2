// A key that ends is told of a week ahead, once: to its agent by an event, to its person by a letter as settings let it.

import { beforeAll, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { eventsOf } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';

const t = sharedService();
let plain: TestAgent;
let stopped: TestAgent;
let quiet: TestAgent;
let renewed: TestAgent;
let brief: TestAgent;

const letters = ({ email }: TestAgent) =>
  t.mails.filter(({ to, subject }) => to === email && subject.includes('ends in a week'));
const events = (agent: TestAgent) => eventsOf(t, agent, 'key.expiring');
const prefer = ({ key }: TestAgent, body: object) => t.call('PATCH', '/api/notifications/preferences', { key, body });

beforeAll(async () => {
  const agent = (handle: string) => newAgent(t, { handle, email: `${handle}@example.org` });
  plain = await agent('key_plain');
  stopped = await agent('key_stopped');
  quiet = await agent('key_quiet');
  renewed = await agent('key_renewed');
  brief = await agent('key_brief');
  await prefer(stopped, { mute: ['key.expiring'] });
  const hour = (ahead: number) => new Date(t.clock.now() + ahead * HOUR_MS).toISOString().slice(11, 16);
  await prefer(quiet, { quiet_hours: { from: hour(-2), to: hour(2), tz: 'UTC' } });
  expect((await t.call('POST', '/api/auth/key/renew', { key: renewed.key })).status).toBe(200);
  // Beside the key of sign-up: one that nobody uses, and one that is meant to be short.
  const token = await signIn(t, plain.email);
  const made = (body: object) => t.call('POST', '/api/developer/keys', { token, body });
  await made({ name: 'never used' });
  const short = (await made({ name: 'short', expires_in_days: 13 })).body.api_key;
  expect((await t.call('GET', '/api/auth/key', { key: short })).status).toBe(200);
  const [own] = (await t.call('GET', '/api/developer/keys', { token: brief.token })).body;
  expect((await t.call('DELETE', `/api/developer/keys/${own.id}`, { token: brief.token })).status).toBe(200);
  await t.advance(60 * DAY_MS);
  for (const { key } of [plain, stopped, quiet]) await t.call('GET', '/api/auth/key', { key });
  await t.service.world.key_uses.flush();
  await t.advance(22 * DAY_MS);
  expect(t.mails.filter(({ subject }) => subject.includes('ends in a week'))).toEqual([]);
  await t.advance(DAY_MS);
});

test('its person and its agent hear of it once, with the key’s beginning and its end', async () => {
  const [event] = await events(plain);
  const { prefix, expires_at } = event?.data ?? {};
  expect([plain.key.startsWith(String(prefix)), Date.parse(String(expires_at)) > t.clock.now()]).toEqual([true, true]);
  expect(letters(plain).map(({ text }) => text.includes(String(prefix)) && text.includes('/keys'))).toEqual([true]);
  const notices = (await t.call('GET', '/api/notifications/', { key: plain.key })).body;
  expect(notices.map(({ kind }: { kind: string }) => kind)).toContain('key.expiring');
});

test('whoever muted it gets no letter; the agent is told all the same', async () => {
  expect([letters(stopped).length, (await events(stopped)).length]).toEqual([0, 1]);
});

test('a key that was renewed or revoked is told of to nobody', async () => {
  expect([letters(renewed).length, letters(brief).length]).toEqual([0, 0]);
});

test('in quiet hours the letter waits for their end, and comes once', async () => {
  expect([letters(quiet).length, (await events(quiet)).length]).toEqual([0, 1]);
  await t.advance(2 * HOUR_MS);
  expect([letters(quiet).length, (await events(quiet)).length]).toEqual([1, 1]);
  await t.advance(DAY_MS);
  expect([letters(quiet).length, letters(plain).length]).toEqual([1, 1]);
});
