// Pushes to browsers: who is pushed to, what of which event, what becomes of browsers that are gone and push services that fail; and
// addresses inside the house, which nobody is let push to.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { LOGO_OFFER, LOGO_SEEK, publish } from '../support/matches.ts';
import { openTestService, START_MS, type TestAnswer, type TestService } from '../support/testbed.ts';
import { type PushService, startPushService } from '../support/web-push.ts';

let t: TestService;
let pushes: PushService;
let people = 0;

beforeAll(async () => {
  pushes = startPushService(() => t?.clock.now() ?? START_MS);
  t = await openTestService({}, undefined, {
    outside: { allow: [{ host: '127.0.0.1', port: pushes.port }] },
  });
});
beforeEach(() => {
  pushes.pushed.length = 0;
  pushes.asked = 0;
  pushes.answers.clear();
});
afterAll(async () => {
  await t.close();
  await pushes.stop();
});

const someone = (options: object = {}): Promise<TestAgent> => newAgent(t, { handle: `pushed_${++people}`, ...options });
const subscribe = (token: string, subscription: unknown, name = 'Phone'): Promise<TestAnswer> =>
  t.call('POST', '/api/notifications/browsers', { token, body: { subscription, name } });
const list = async (token: string) => (await t.call('GET', '/api/notifications/browsers', { token })).body;
const prefer = (agent: TestAgent, body: object) =>
  t.call('PATCH', '/api/notifications/preferences', { token: agent.token, body });
const ping = async (agent: TestAgent): Promise<void> => {
  await t.call('POST', '/api/inbox/test', { key: agent.key, agent: agent.handle, body: {} });
  await t.rest();
};
const told = (): string[] => pushes.pushed.map(({ browser, told: { title } }) => `${browser}: ${title}`);

describe('a browser', () => {
  test('is subscribed, listed, subscribed again as the same, and removed', async () => {
    const { token } = await someone();
    const given = pushes.subscribe('listed');
    const made = await subscribe(token, given);
    expect([made.status, made.body.name, made.body.last_pushed_at]).toEqual([201, 'Phone', null]);
    expect((await subscribe(token, given, 'Old phone')).body.id).toBe(made.body.id);
    expect((await list(token)).map(({ name }: { name: string }) => name)).toEqual(['Old phone']);
    expect(JSON.stringify(await list(token))).not.toContain('/push/');
    const { token: other } = await someone();
    const path = `/api/notifications/browsers/${made.body.id}`;
    expect((await t.call('DELETE', path, { token: other })).status).toBe(404);
    expect((await t.call('DELETE', path, { token })).status).toBe(200);
    expect(await list(token)).toEqual([]);
  });

  test('has the key of the service to subscribe with: a point of P-256', async () => {
    const { token } = await someone();
    const { body } = await t.call('GET', '/api/notifications/browsers/key', { token });
    const point = Buffer.from(body.public_key, 'base64url');
    expect([point.length, point[0]]).toEqual([65, 4]);
  });

  test('of a person who left it to another is pushed to for that one alone', async () => {
    const [before, now] = [await someone(), await someone()];
    const given = pushes.subscribe('shared');
    await subscribe(before.token, given);
    await subscribe(now.token, given);
    expect(await list(before.token)).toEqual([]);
    for (const agent of [before, now]) {
      await prefer(agent, { push: 'all' });
      await ping(agent);
    }
    expect(told()).toEqual([`shared: A test event for ${now.handle}`]);
  });

  test('is one of ten', async () => {
    const { token } = await someone();
    for (let n = 0; n < 10; n++) expect((await subscribe(token, pushes.subscribe(`many-${n}`))).status).toBe(201);
    const full = await subscribe(token, pushes.subscribe('many-10'));
    expect([full.status, full.body.error]).toEqual([403, 'plan_limit']);
  });

  test.each([
    ['inside the house', 'https://127.0.0.1/push', 'subscription.endpoint'],
    ['of a metadata service', 'https://169.254.169.254/latest', 'subscription.endpoint'],
    ['without TLS', 'http://push.example.net/x', 'subscription.endpoint'],
    ['that is no address', 'push', 'subscription.endpoint'],
  ])('%s is not pushed to', async (_, endpoint, path) => {
    const { token } = await someone();
    const { keys } = pushes.subscribe('nowhere');
    const refused = await subscribe(token, { endpoint, keys });
    expect([refused.status, refused.body.fields?.[0].path]).toEqual([400, path]);
    const wrong = await subscribe(token, { ...pushes.subscribe('wrong'), keys: { ...keys, auth: 'AA' } });
    expect(wrong.body.fields?.[0].path).toBe('subscription.keys');
  });

  test('ends with all keys and sessions', async () => {
    const { token, email } = await someone();
    await subscribe(token, pushes.subscribe('revoked'));
    await t.call('POST', '/api/account/revoke-all', { token });
    expect(await list(await signIn(t, email))).toEqual([]);
  });
});

describe('a push', () => {
  test('tells of a match in the words of letters, with two answers and the page', async () => {
    const [seller, buyer] = [await someone({ verified: true }), await someone({ verified: true })];
    await subscribe(seller.token, pushes.subscribe('seller'));
    await publish(t, seller, LOGO_OFFER);
    await publish(t, buyer, LOGO_SEEK);
    await t.rest();
    const [{ told: match, ttl, urgency } = { told: null, ttl: 0, urgency: null }] = pushes.pushed;
    expect(match).toMatchObject({
      handle: seller.handle,
      title: `New match with ${buyer.handle}`,
      actions: [
        { action: 'interested', title: 'Approve' },
        { action: 'not_a_fit', title: 'Decline' },
      ],
    });
    expect(match.path).toStartWith('/app/matches/');
    expect([ttl, urgency]).toEqual([86_400, 'normal']);
    const { body } = await t.call('GET', '/api/notifications', { token: seller.token });
    expect(body.find(({ id }: { id: string }) => id === match.id)).toMatchObject({
      title: match.title,
      body: match.body,
    });
    // What the worker does when a button is pressed.
    const asked = { token: seller.token, agent: seller.handle, body: { action: 'interested' } };
    const answered = await t.call('POST', `/api/inbox/${match.id}/respond`, asked);
    expect(answered.status).toBe(200);
    expect((await list(seller.token))[0].last_pushed_at).not.toBeNull();
  });

  test('is made of what the preferences let through, and to nobody who reads already', async () => {
    const agent = await someone();
    await subscribe(agent.token, pushes.subscribe('picky'));
    await ping(agent);
    expect(told()).toEqual([]);
    for (const [set, count] of [
      [{ push: 'all' }, 1],
      [{ mute: ['test.ping'] }, 1],
      [{ mute: [], quiet_hours: { from: '11:00', to: '13:00', tz: 'UTC' } }, 1],
      [{ quiet_hours: null }, 2],
      [{ push: 'none' }, 2],
    ] as const) {
      await prefer(agent, set);
      await ping(agent);
      expect(pushes.pushed).toHaveLength(count);
    }
  });

  test('goes to all browsers; one that is gone is forgotten', async () => {
    const agent = await someone();
    await prefer(agent, { push: 'all' });
    for (const name of ['stays', 'leaves', 'lost']) await subscribe(agent.token, pushes.subscribe(name), name);
    pushes.answers.set('leaves', 410);
    pushes.answers.set('lost', 404);
    await ping(agent);
    expect(told()).toEqual([`stays: A test event for ${agent.handle}`]);
    expect((await list(agent.token)).map(({ name }: { name: string }) => name)).toEqual(['stays']);
    await ping(agent);
    expect(pushes.asked).toBe(4);
  });

  test('that a push service does not take is made again with growing pauses, to that browser alone, and given up in the end', async () => {
    const agent = await someone();
    await prefer(agent, { push: 'all' });
    for (const name of ['well', 'ill']) await subscribe(agent.token, pushes.subscribe(name), name);
    pushes.answers.set('ill', 503);
    await ping(agent);
    expect(pushes.asked).toBe(2);
    await t.advance(MINUTE_MS);
    await t.rest();
    expect(pushes.asked).toBe(3);
    pushes.answers.clear();
    await t.advance(5 * MINUTE_MS);
    await t.rest();
    expect(told()).toEqual(['well', 'ill'].map((name) => `${name}: A test event for ${agent.handle}`));
    pushes.answers.set('ill', 500);
    await ping(agent);
    for (let n = 0; n < 8; n++) {
      await t.advance(150 * MINUTE_MS);
      await t.rest();
    }
    // Both, the one again and again; then both, and four times the one that fails.
    expect(pushes.asked).toBe(4 + 2 + 4);
    expect(await list(await signIn(t, agent.email))).toHaveLength(2);
  });

  test('what its person has read by then is not pushed again', async () => {
    const agent = await someone();
    await prefer(agent, { push: 'all' });
    await subscribe(agent.token, pushes.subscribe('reader'));
    pushes.answers.set('reader', 503);
    await ping(agent);
    await t.call('POST', '/api/notifications/read-all', { token: agent.token });
    pushes.answers.clear();
    await t.advance(MINUTE_MS);
    await t.rest();
    expect(told()).toEqual([]);
  });
});
