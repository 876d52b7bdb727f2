// Webhooks over real TLS with an authority of the tests' own: what is sent verifies with both signatures, each kind of
// receiver counts as it is specified, and retries come at their times.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent } from '../support/agents.ts';
import { AUTHORITY, EXPIRED, OTHER } from '../support/authority.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const HOST = 'receivers.example';
let receiver: Receiver;
/** With certificates of another name, and of another time. */
let other: Receiver;
let expired: Receiver;
let t: TestService;

beforeAll(async () => {
  receiver = await startReceiver();
  // The verifying libraries compare with the machine's clock.
  [other, expired] = await Promise.all([startReceiver(OTHER), startReceiver(EXPIRED)]);
  const allow = [receiver, other, expired].map(({ port }) => ({ host: HOST, port }));
  const outside = { allow, ca: AUTHORITY };
  t = await openTestService({}, 'memory', { outside, clock: virtualClock(Date.now()) });
  t.zone.setAddresses(HOST, ['127.0.0.1']);
});
afterAll(async () => {
  await t.close();
  for (const each of [receiver, other, expired]) await each.close();
});

const url = (what: string): string => `https://${HOST}:${receiver.port}/${what}`;
const cameTo = (path: string) => receiver.received.filter((one) => one.path === `/${path}`);

test('a delivery carries both signatures, the ids of the inbox, and is logged', async () => {
  const { key } = await newAgent(t, { handle: 'signed' });
  const made = await t.call('POST', '/api/developer/webhooks', {
    key,
    body: { url: url('200/signed'), events: ['*'] },
  });
  expect(made.status).toBe(201);
  const ping = await t.call('POST', '/api/inbox/test', { key });
  await t.service.delivery.idle();
  const [came] = cameTo('200/signed');
  const { signing_secret: secret, id } = made.body;
  const headers = Object.fromEntries(Object.entries(came?.headers ?? {}).map(([name, value]) => [name, String(value)]));
  const body = came?.body ?? '';
  // Both throw where anything about it is wrong.
  new Standard(secret).verify(body, headers);
  new Svix(secret).verify(body, headers);
  const { id: event_id, seq } = ping.body;
  expect(JSON.parse(body)).toMatchObject({ id: event_id, seq, type: 'test.ping', event: 'test.ping' });
  expect(() => new Standard(secret).verify(`${body} `, headers)).toThrow();
  expect(headers['x-webhook-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
  const [log] = (await t.call('GET', `/api/developer/webhooks/${id}/logs`, { key })).body;
  expect(log).toMatchObject({ event_id: ping.body.id, http_status: 200, error: null, payload: JSON.parse(body) });
  const rotated = await t.call('POST', `/api/developer/webhooks/${id}/rotate`, { key });
  await t.call('POST', `/api/developer/webhooks/${id}/test`, { key });
  const again = cameTo('200/signed').at(-1);
  const both = Object.fromEntries(Object.entries(again?.headers ?? {}).map(([name, value]) => [name, String(value)]));
  for (const one of [secret, rotated.body.signing_secret]) new Standard(one).verify(again?.body ?? '', both);
});

test('the log holds the start of what the receiver said, for nobody else', async () => {
  const { key } = await newAgent(t, { handle: 'told_why' });
  const stranger = await newAgent(t, { handle: 'not_told' });
  const answers: (readonly [string, string | null])[] = [
    ['500', 'this is 500'],
    ['204', null],
    ['reset', null],
    ['huge', 'x'.repeat(1_024)],
    ['bytes', `\uFFFD\uFFFD<b>${'é'.repeat(509)}`],
  ];
  for (const [what, body] of answers) {
    const made = await t.call('POST', '/api/developer/webhooks', {
      key,
      body: { url: url(`${what}/told`), events: ['test.ping'] },
    });
    const tried = await t.call('POST', `/api/developer/webhooks/${made.body.id}/test`, { key });
    const logs = `/api/developer/webhooks/${made.body.id}/logs`;
    const [log] = (await t.call('GET', logs, { key })).body;
    expect([what, tried.body.response_body, log.response_body]).toEqual([what, body, body]);
    expect((await t.call('GET', logs, { key: stranger.key })).status).toBe(404);
  }
});

test.each([
  ['200', true],
  ['204', true],
  ['huge', true],
  ['drip', true],
  ['drip-slow', true],
  ['half', true],
  ['301', false],
  ['410', false],
  ['500', false],
  ['reset', false],
])('a receiver that answers %s: accepted is %p, one attempt, ten failures deactivate', async (what, accepted) => {
  const { key } = await newAgent(t, { handle: `to_${what.replace('-', '_')}` });
  const path = `${what}/counted`;
  const { id } = (await t.call('POST', '/api/developer/webhooks', { key, body: { url: url(path), events: ['*'] } }))
    .body;
  await t.call('POST', '/api/inbox/test', { key });
  await t.service.delivery.idle();
  const read = async () => (await t.call('GET', `/api/developer/webhooks/${id}`, { key })).body;
  expect(await read()).toMatchObject({ active: true, failure_count: accepted ? 0 : 1 });
  // A kept connection that breaks is tried once more on a fresh one: duplicates can occur.
  const sent = what === 'reset' ? 2 : 1;
  expect(cameTo(path).length).toBeLessThanOrEqual(sent);
  if (accepted) return;
  for (let i = 0; i < 11; i++) await t.call('POST', '/api/inbox/test', { key });
  await t.service.delivery.idle();
  expect(await read()).toMatchObject({ active: false, failure_count: 10 });
  expect(new Set(cameTo(path).map(({ headers }) => headers['webhook-id'])).size).toBe(10);
  const enabled = await t.call('POST', `/api/developer/webhooks/${id}/enable`, { key });
  expect(enabled.body).toMatchObject({ active: true, failure_count: 0 });
});

test('the human is told once that a webhook was turned off, and not when it works again by then', async () => {
  const { key, email } = await newAgent(t, { handle: 'ended' });
  const hook = async (path: string) =>
    (await t.call('POST', '/api/developer/webhooks', { key, body: { url: url(path), events: ['test.ping'] } })).body.id;
  const [ended, enabled] = [await hook('500/ended'), await hook('500/enabled')];
  for (let i = 0; i < 12; i++) await t.call('POST', '/api/inbox/test', { key });
  await t.service.delivery.idle();
  await t.call('POST', `/api/developer/webhooks/${enabled}/enable`, { key });
  await t.call('POST', `/api/developer/webhooks/${ended}/test`, { key });
  await t.advance(120_000);
  const told = t.mails.filter(({ to, subject }) => to === email && subject === 'A webhook of @ended was turned off');
  expect(told.map(({ text }) => text.includes(url('500/ended')))).toEqual([true]);
  expect(told[0]?.text).toContain(
    'Its deliveries so far are under GET /api/developer/webhooks/{id}/logs. Once it works again, enable it by POST ' +
      '/api/developer/webhooks/{id}/enable.',
  );
  const rows = (await t.call('GET', '/api/developer/webhooks', { key })).body;
  expect(Object.fromEntries(rows.map((row: { id: string; active: boolean }) => [row.id, row.active]))).toEqual({
    [ended]: false,
    [enabled]: true,
  });
});

test('a receiver that hangs or drips its headers is given up after ten seconds, one with a wrong certificate is sent nothing', async () => {
  const { key, handle } = await newAgent(t, { handle: 'troubled' });
  const at = (port: number, path: string): string => `https://${HOST}:${port}/${path}`;
  const cases: readonly [string, number | null, RegExp][] = [
    [at(receiver.port, 'hang/t'), null, /no whole answer within 10000 ms/],
    [at(receiver.port, 'drip-head/t'), null, /no whole answer within 10000 ms/],
    [at(other.port, '200/t'), null, /certificate/],
    [at(expired.port, '200/t'), null, /certificate/],
  ];
  const ids: string[] = [];
  for (const [address] of cases) {
    const body = { url: address, events: ['test.ping'] };
    ids.push((await t.call('POST', '/api/developer/webhooks', { key, body })).body.id);
  }
  await t.call('POST', '/api/inbox/test', { key });
  await t.service.delivery.idle();
  // Neither waited for the other to be given up.
  const [hang, drip] = ['hang/t', 'drip-head/t'].map((path) => cameTo(path)[0]?.at_ms ?? Number.NaN);
  expect(Math.abs((hang ?? 0) - (drip ?? 0))).toBeLessThan(10_000);
  for (const [i, [address, status, error]] of cases.entries()) {
    const [log] = (await t.call('GET', `/api/developer/webhooks/${ids[i]}/logs`, { key })).body;
    expect([address, log.http_status, log.error]).toEqual([address, status, expect.stringMatching(error)]);
    expect((await t.call('GET', `/api/developer/webhooks/${ids[i]}`, { key })).body.failure_count).toBe(1);
  }
  expect([other.received, expired.received]).toEqual([[], []]);
  expect((await t.call('GET', `/api/agents/${handle}`, { key })).body.transports).toEqual(['pull', 'email']);
}, 600_000);

test('the secret before a rotation signs for 24 hours and no longer', async () => {
  const { key } = await newAgent(t, { handle: 'rotating' });
  const body = { url: url('200/rotating'), events: ['*'] };
  const { id, signing_secret: old } = (await t.call('POST', '/api/developer/webhooks', { key, body })).body;
  const { signing_secret: fresh } = (await t.call('POST', `/api/developer/webhooks/${id}/rotate`, { key })).body;
  const signatures = async (): Promise<string[]> => {
    await t.call('POST', `/api/developer/webhooks/${id}/test`, { key });
    const came = cameTo('200/rotating').at(-1);
    const header = (name: string): string => String(came?.headers[name]);
    const content = `${header('webhook-id')}.${header('webhook-timestamp')}.${came?.body}`;
    const by = (secret: string) => createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(content);
    const sent = header('webhook-signature').split(' ');
    return [old, fresh].map((secret) => `v1,${by(secret).digest('base64')}`).filter((one) => sent.includes(one));
  };
  expect((await signatures()).length).toBe(2);
  await t.advance(DAY_MS - 1_000);
  expect((await signatures()).length).toBe(2);
  await t.advance(2_000);
  expect((await signatures()).length).toBe(1);
});

test('retry: true tries again seven times within the pauses, then gives up', async () => {
  const { key } = await newAgent(t, { handle: 'patient' });
  const body = { url: url('500/patient'), events: ['test.ping'], retry: true };
  const { id } = (await t.call('POST', '/api/developer/webhooks', { key, body })).body;
  await t.call('POST', '/api/inbox/test', { key });
  await t.service.delivery.idle();
  expect(cameTo('500/patient').length).toBe(1);
  await t.advance(6_000);
  expect(cameTo('500/patient').length).toBe(2);
  await t.advance(3 * DAY_MS);
  const came = cameTo('500/patient');
  expect(came.length).toBe(8);
  expect(new Set(came.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const read = (await t.call('GET', `/api/developer/webhooks/${id}`, { key })).body;
  expect(read).toMatchObject({ active: true, failure_count: 8 });
});

test('what is muted is not pushed, and stays in the inbox', async () => {
  const agent = await newAgent(t, { handle: 'muted' });
  const { key } = agent;
  const offers = [{ headline: 'Ropes', labels: ['ropes'] }];
  const intake = { offers, seeks: [{ headline: 'Hemp', labels: ['hemp'] }], wake: { mute: ['test.ping'] } };
  const sent = await t.call('POST', '/api/onboarding/intake', {
    key,
    body: { ...intake, webhook_url: url('200/muted') },
  });
  expect(sent.body.webhook.signing_secret).toStartWith('whsec_');
  await t.call('POST', '/api/inbox/test', { key });
  await t.service.delivery.idle();
  const came = cameTo('200/muted').map(({ body }) => JSON.parse(body).event);
  expect(came).not.toContain('test.ping');
  const again = await t.call('POST', '/api/onboarding/intake', {
    key,
    body: { ...intake, webhook_url: url('200/muted') },
  });
  expect(again.body.webhook).toBeUndefined();
});
