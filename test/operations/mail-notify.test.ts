// Guards the last channel of the delivery ladder: a person hears by mail of what no other way took, together and not twice, as
// they prefer, and an answer by mail goes where it belongs.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventKind } from '../../src/domain/inbox/event.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import type { Mail } from '../../src/outbound/mailer/mail.ts';
import { AUTHORITY } from '../support/authority.ts';
import { eml, handIn } from '../support/mail.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { dropStore } from '../support/store.ts';
import { openTestService, START_MS, type TestService } from '../support/testbed.ts';
import { agentNamed, openThread, type TestAgent, tellMany } from '../support/threads.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const HOST = 'receivers.example';
const PAUSE_MS = 600_000;

let receiver: Receiver;
let t: TestService;
let names = 0;

beforeAll(async () => {
  receiver = await startReceiver();
  const outside = { allow: [{ host: HOST, port: receiver.port }], ca: AUTHORITY };
  t = await openTestService({}, 'memory', { outside });
  t.zone.setAddresses(HOST, ['127.0.0.1']);
});
afterAll(async () => {
  await t.close();
  await receiver.close();
});

interface Talk {
  readonly ada: TestAgent;
  readonly bob: TestAgent;
  readonly conversation_id: string;
}

const emailOf = ({ handle }: TestAgent): string => `${handle}@example.org`;

/** The letters about events to an agent's person so far, after everything that could leave has left. */
async function letters(to: TestAgent): Promise<Mail[]> {
  await t.advance(0);
  await t.service.dispatcher.idle();
  return t.mails.filter((mail) => mail.to === emailOf(to) && mail.unsubscribe !== undefined);
}

async function pair(): Promise<{ ada: TestAgent; bob: TestAgent }> {
  names += 1;
  return { ada: await agentNamed(t, `ada_${names}`), bob: await agentNamed(t, `bob_${names}`) };
}

/** A thread whose opening Bob's person has been told of, the pause after it over. */
async function talk(): Promise<Talk> {
  const { ada, bob } = await pair();
  const conversation_id = await openThread(t, ada, bob);
  expect(await letters(bob)).toHaveLength(1);
  await t.advance(PAUSE_MS);
  return { ada, bob, conversation_id };
}

const say = (from: TestAgent, conversation_id: string, content: string) =>
  t.call('POST', `/api/messages/${conversation_id}`, { key: from.key, body: { content } });
const prefer = (who: TestAgent, body: object) =>
  t.call('PATCH', '/api/notifications/preferences', { key: who.key, body });
const kinds = (who: TestAgent, kind: EventKind, count = 1) => tellMany(t, who, count, kind);

test('a message that nothing else took is mailed, and the answer to the letter is posted', async () => {
  const { ada, bob, conversation_id } = await talk();
  await say(ada, conversation_id, 'When shall we meet?');
  const letter = (await letters(bob)).at(-1);
  expect(letter).toMatchObject({
    subject: 'A rope',
    from: `${bob.handle}@agents.localhost`,
    unsubscribe: expect.stringMatching(/^http:\/\/localhost\/app\/unsubscribe\/events\./),
    one_click: true,
  });
  expect(letter?.text).toContain(`New message from ${ada.handle}\nWhen shall we meet?`);
  expect(letter?.text).toContain(`Answer this mail to write as ${bob.handle}`);
  const answer = eml({ from: emailOf(bob), to: letter?.reply_to ?? '', text: 'At ten.' });
  expect((await handIn(t, answer)).body).toMatchObject({ outcome: 'posted', conversation_id });
  // Both people write by mail: the answer is told at once, and so is what comes after it.
  expect((await letters(ada)).at(-1)?.text).toContain('At ten.');
  await say(ada, conversation_id, 'Good.');
  expect((await letters(bob)).at(-1)?.text).toContain('Good.');
});

test('many events are few letters: the first at once, the rest together after the pause, each told once', async () => {
  const { ada, bob, conversation_id } = await talk();
  const before = (await letters(bob)).length;
  for (let n = 0; n < 10; n++) {
    await say(ada, conversation_id, `line ${n}.`);
    await t.advance(1_000);
  }
  await kinds(bob, 'match.created', 3);
  expect((await letters(bob)).length).toBe(before + 1);
  await t.advance(PAUSE_MS);
  const told = (await letters(bob)).slice(before);
  expect(told).toHaveLength(3);
  const text = told.map((letter) => letter.text).join('\n');
  for (let n = 0; n < 10; n++) expect(text.split(`line ${n}.`)).toHaveLength(2);
  expect(told[1]?.text).toContain('line 9.');
  expect(told[2]?.subject).toBe(`3 things happened to ${bob.handle}`);
  expect(told[2]?.reply_to).toBeUndefined();
  await t.advance(24 * HOUR_MS);
  expect((await letters(bob)).slice(before)).toHaveLength(3);
});

test('what the agent or its person has read in the meantime is not told', async () => {
  const { ada, bob, conversation_id } = await talk();
  await say(ada, conversation_id, 'first');
  const before = (await letters(bob)).length;
  await say(ada, conversation_id, 'second');
  await t.call('GET', '/api/inbox', { key: bob.key });
  await t.advance(PAUSE_MS);
  await say(ada, conversation_id, 'third');
  expect(await letters(bob)).toHaveLength(before + 1);
  await say(ada, conversation_id, 'fourth');
  await t.call('POST', '/api/notifications/read-all', { key: bob.key });
  await t.advance(PAUSE_MS);
  expect(await letters(bob)).toHaveLength(before + 1);
});

test('an agent that is connected is not told by mail, save of what silence would decide', async () => {
  const { ada, bob, conversation_id } = await talk();
  const before = (await letters(bob)).length;
  const leave = new AbortController();
  const headers = { 'X-API-Key': bob.key };
  const stream = await t.fetch(new Request('http://localhost/api/inbox/stream', { headers, signal: leave.signal }));
  await stream.body?.getReader().read();
  await say(ada, conversation_id, 'live');
  expect(await letters(bob)).toHaveLength(before);
  await kinds(bob, 'negotiation.escalated');
  expect((await letters(bob)).at(-1)?.subject).toBe('A proposal needs your decision');
  leave.abort();
});

test('preferences hold letters back, except about escalations and disputes', async () => {
  const { bob } = await talk();
  const count = async (): Promise<number> => (await letters(bob)).length;
  let before = await count();
  await prefer(bob, { email: 'none', mute: ['escrow.dispute_opened'] });
  await kinds(bob, 'payment.failed');
  expect(await count()).toBe(before);
  await kinds(bob, 'escrow.dispute_opened');
  expect(await count()).toBe(before + 1);
  await t.advance(PAUSE_MS);
  await prefer(bob, { email: 'important' });
  before = await count();
  await kinds(bob, 'match.created');
  expect(await count()).toBe(before);
  await kinds(bob, 'payment.failed');
  expect(await count()).toBe(before + 1);
  await t.advance(PAUSE_MS);
  await prefer(bob, { email: 'all', mute: ['match.created'] });
  await t.call('PATCH', `/api/agents/${bob.handle}/bounds`, {
    key: bob.key,
    body: { wake: { mute: ['conversation.updated'] } },
  });
  before = await count();
  await kinds(bob, 'match.created');
  expect(await count()).toBe(before);
});

test('letters wait until quiet hours end, and then come as one', async () => {
  const { bob } = await talk();
  const before = (await letters(bob)).length;
  const hour = (n: number): string => `${String(n % 24).padStart(2, '0')}:00`;
  const now = new Date(t.clock.now()).getUTCHours();
  await prefer(bob, { quiet_hours: { from: hour(now), to: hour(now + 3), tz: 'UTC' } });
  await kinds(bob, 'match.created', 2);
  await t.advance(HOUR_MS);
  await kinds(bob, 'match.created');
  expect(await letters(bob)).toHaveLength(before);
  await kinds(bob, 'negotiation.escalated');
  expect(await letters(bob)).toHaveLength(before + 1);
  await t.advance(3 * HOUR_MS);
  const told = (await letters(bob)).slice(before + 1);
  expect(told.map(({ subject }) => subject)).toEqual([`3 things happened to ${bob.handle}`]);
});

test('what a webhook took is not mailed, and what it refused is, once', async () => {
  const { ada, bob } = await pair();
  const hook = (who: TestAgent, what: string) =>
    t.call('POST', '/api/developer/webhooks', {
      key: who.key,
      body: { url: `https://${HOST}:${receiver.port}/${what}/mail`, events: ['test.ping'] },
    });
  expect((await hook(ada, '200')).status).toBe(201);
  await hook(bob, '500');
  await kinds(ada, 'test.ping', 3);
  await kinds(bob, 'test.ping', 3);
  expect(await letters(ada)).toEqual([]);
  expect((await letters(bob)).map(({ subject }) => subject)).toEqual([`3 things happened to ${bob.handle}`]);
  // An event that the webhook does not get is nobody's to push, whatever the others are.
  await kinds(ada, 'match.created');
  await kinds(ada, 'test.ping');
  expect((await letters(ada)).map(({ subject }) => subject)).toEqual(['New match with another agent']);
});

test('news of many conversations is one letter, which nobody could answer', async () => {
  const { bob } = await talk();
  const before = (await letters(bob)).length;
  const others: TestAgent[] = [];
  for (let n = 0; n < 7; n++) others.push((await pair()).ada);
  for (const other of others) await openThread(t, other, bob);
  await t.advance(PAUSE_MS);
  const told = (await letters(bob)).slice(before);
  expect(told.length).toBeLessThanOrEqual(2);
  expect(told.at(-1)?.reply_to).toBeUndefined();
  const text = told.map((letter) => letter.text).join('\n');
  for (const { handle } of others) expect(text).toContain(`${handle} opened a conversation`);
});

test('a letter that was asked for is told by the service that starts after a stop', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-test-'));
  const whole = t;
  const clock = virtualClock(START_MS);
  t = await openTestService({}, 'memory', { data_dir, clock });
  const { ada, bob, conversation_id } = await talk();
  await say(ada, conversation_id, 'first');
  await letters(bob);
  await say(ada, conversation_id, 'second');
  await t.service.delivery.idle();
  await t.close();
  t = await openTestService({}, 'memory', { data_dir, clock });
  await say(ada, conversation_id, 'third');
  await t.advance(PAUSE_MS);
  const text = (await letters(bob)).map((letter) => letter.text).join('\n');
  for (const content of ['second', 'third']) expect(text.split(content)).toHaveLength(2);
  expect(text).not.toContain('first');
  await t.close();
  await dropStore(data_dir);
  rmSync(data_dir, { recursive: true });
  t = whole;
});
