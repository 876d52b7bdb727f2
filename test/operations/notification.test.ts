// Notifications end to end: the list over all of an account's agents, what was read, the settings and the daily digest.

import { describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import { tell as tellEffect } from '../../src/steps/event.ts';
import { newAgent, newProvisional, signIn, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { ctxOf, openThread, tellMany } from '../support/threads.ts';

const t = sharedService();
let names = 0;

type Teller = Parameters<typeof tellMany>[1];
const teller = ({ id, handle, key }: TestAgent): Teller => ({ id, handle, key, account_id: handle });
const someone = (email?: string): Promise<TestAgent> => newAgent(t, { handle: `note_${++names}`, email });
const tell = (who: TestAgent, count: number): Promise<string[]> => tellMany(t, teller(who), count);
const get = (who: { key: string }, path = ''): Promise<TestAnswer> =>
  t.call('GET', `/api/notifications${path}`, { key: who.key });
const post = (who: { key: string }, path: string): Promise<TestAnswer> =>
  t.call('POST', `/api/notifications/${path}`, { key: who.key });
const unread = async (who: { key: string }): Promise<number> => (await get(who, '/unread')).body.unread;
const prefer = (who: TestAgent, body: object): Promise<TestAnswer> =>
  t.call('PATCH', '/api/notifications/preferences', { key: who.key, body });
const idsOf = (answer: TestAnswer): string[] => answer.body.map(({ id }: { id: string }) => id);
const mailsTo = (email: string): string[] => t.mails.filter(({ to }) => to === email).map(({ subject }) => subject);

describe('the list', () => {
  test('tells of each event in words, with the page where to act on it', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const thread = await openThread(t, teller(ada), teller(bob));
    await t.call('POST', `/api/messages/${thread}`, { key: ada.key, body: { content: 'Shall we begin?' } });
    const { body } = await get(bob, '/');
    const { events } = (await t.call('GET', '/api/inbox', { key: bob.key })).body;
    expect(body.map((n: { kind: string }) => n.kind)).toEqual(['conversation.updated', 'conversation.started']);
    expect(body[0]).toEqual({
      id: events[1].id,
      kind: 'conversation.updated',
      handle: bob.handle,
      data: events[1].data,
      title: `New message from ${ada.handle}`,
      body: 'Shall we begin?',
      url: `http://localhost/app/conversations/${thread}`,
      created_at: events[1].created_at,
      respond_by: null,
      awaits_answer: false,
      answered: null,
      read: false,
    });
  });

  test('can be of one agent, and of what is unread alone', async () => {
    const ada = await someone();
    const second = await someone(ada.email);
    const [first = '', ...rest] = await tell(ada, 3);
    const others = await tell(second, 2);
    await post(ada, `${first}/read`);
    expect(idsOf(await get(ada, `?agent=${ada.handle}`))).toEqual([...rest.toReversed(), first]);
    expect(new Set(idsOf(await get(ada, '?unread=true')))).toEqual(new Set([...rest, ...others]));
    const page = await get(ada, `?unread=true&agent=${ada.handle}&limit=1`);
    const cursor = page.headers.get('X-Next-Cursor');
    const after = await get(ada, `?unread=true&agent=${ada.handle}&limit=5&cursor=${cursor}`);
    expect([...idsOf(page), ...idsOf(after)]).toEqual(rest.toReversed());
    expect(idsOf(await get(ada, '?agent=somebody_else'))).toEqual([]);
  });

  test('holds the events of all agents of the account, newest first, once each, whatever comes meanwhile', async () => {
    const first = await someone();
    const agents = [first];
    for (let n = 0; n < 5; n++) agents.push(await someone(first.email));
    const told: string[] = [];
    for (let n = 0; n < 30; n++) {
      const who = agents[(n * 7) % 6] ?? first;
      told.unshift(...(await tell(who, 1)));
      await t.advance(10);
    }
    for (const limit of [1, 7, 30, 100]) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: TestAnswer = await get(first, `?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        expect(page.body.length).toBeLessThanOrEqual(limit);
        seen.push(...idsOf(page));
        cursor = page.headers.get('X-Next-Cursor');
        if (limit === 7) await tell(agents[seen.length % 6] ?? first, 1);
      }
      const old = seen.filter((id) => told.includes(id));
      expect(old).toEqual(told);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  test('of a key that is bound to an agent is that agent’s', async () => {
    const ada = await someone();
    const second = await someone(ada.email);
    await t.call('POST', '/api/agents', { key: ada.key, body: { handle: 'not_used', display_name: 'x' } });
    await tell(ada, 2);
    const [one = ''] = await tell(second, 1);
    const token = await signIn(t, ada.email);
    const body = { name: 'bound', agent_handle: second.handle, scopes: ['agents:read', 'agents:write'] };
    const key = (await t.call('POST', '/api/developer/keys', { token, body })).body.api_key as string;
    expect([idsOf(await get({ key })), await unread({ key })]).toEqual([[one], 1]);
    const { id } = (await get(ada)).body.find((n: { handle: string }) => n.handle === ada.handle);
    expect((await post({ key }, `${id}/read`)).status).toBe(404);
    expect([(await post({ key }, 'read-all')).body.marked, await unread(ada)]).toEqual([1, 2]);
  });

  test('is empty for who has nothing, and refuses a cursor that no page gave', async () => {
    const ada = await someone();
    const empty = await get(ada);
    expect([empty.status, empty.body, empty.headers.get('X-Next-Cursor')]).toEqual([200, [], null]);
    for (const cursor of ['x', '1', '0123456789ab.', 'G123456789ab.4']) {
      expect((await get(ada, `?cursor=${cursor}`)).body.error).toBe('invalid_request');
    }
    const { key } = await newProvisional(t, 'note_provisional');
    expect((await get({ key })).body).toEqual([]);
  });
});

describe('what was read', () => {
  test('is the person’s mark: an agent that pulls its inbox takes nothing from its person', async () => {
    const ada = await someone();
    await tell(ada, 3);
    await t.call('GET', '/api/inbox', { key: ada.key });
    expect(await unread(ada)).toBe(3);
    const [newest = ''] = idsOf(await get(ada));
    const marked = await post(ada, `${newest}/read`);
    expect([marked.status, marked.body.id, marked.body.read]).toEqual([200, newest, true]);
    expect((await get(ada)).body.map((n: { read: boolean }) => n.read)).toEqual([true, false, false]);
    const { events } = (await t.call('GET', '/api/inbox', { key: ada.key })).body;
    expect(events.map((e: { read: boolean }) => e.read)).toEqual([true, true, true]);
    expect((await post(ada, `${newest}/read`)).status).toBe(200);
    expect(await unread(ada)).toBe(2);
  });

  test('can be all that came so far; what comes after, in the same millisecond too, is unread', async () => {
    const ada = await someone();
    const second = await someone(ada.email);
    await tell(ada, 3);
    await tell(second, 2);
    expect((await post(ada, 'read-all')).body).toEqual({ marked: 5 });
    await tell(second, 1);
    expect([await unread(ada), (await get(ada)).body.filter((n: { read: boolean }) => !n.read).length]).toEqual([1, 1]);
    expect((await post(ada, 'read-all')).body).toEqual({ marked: 1 });
    expect((await post(ada, 'read-all')).body).toEqual({ marked: 0 });
  });

  test('merges from several devices at once', async () => {
    const ada = await someone();
    const ids = await tell(ada, 20);
    const answers = await Promise.all([...ids.map((id) => post(ada, `${id}/read`)), post(ada, 'read-all')]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await unread(ada)).toBe(0);
  });

  test('is nobody else’s to mark', async () => {
    const [ada, eve] = [await someone(), await someone()];
    const [id = ''] = await tell(ada, 1);
    expect((await post(eve, `${id}/read`)).status).toBe(404);
    expect((await post(eve, 'nothing/read')).status).toBe(404);
    expect(await unread(ada)).toBe(1);
  });
});

describe('preferences', () => {
  test('are all mail, no digest and no quiet until somebody says otherwise', async () => {
    const ada = await someone();
    const defaults = { email: 'all', digest: 'off', push: 'important', quiet_hours: null, mute: [] };
    expect((await get(ada, '/preferences')).body).toEqual(defaults);
    expect((await prefer(ada, {})).body).toEqual(defaults);
    const quiet_hours = { from: '22:00', to: '07:00', tz: 'Europe/Berlin' };
    const set = { ...defaults, email: 'important', quiet_hours, mute: ['match.created'] };
    expect((await prefer(ada, { email: 'important', quiet_hours, mute: ['match.created'], other: 1 })).body).toEqual(
      set,
    );
    const token = await signIn(t, ada.email);
    expect((await t.call('GET', '/api/notifications/preferences', { token })).body).toEqual(set);
    expect((await prefer(ada, { quiet_hours: null })).body).toEqual({ ...set, quiet_hours: null });
  });

  test('refuse what they cannot hold, naming it', async () => {
    const ada = await someone();
    for (const [body, path] of [
      [{ email: 'some' }, 'email'],
      [{ digest: 'weekly' }, 'digest'],
      [{ mute: ['nothing.happened'] }, 'mute.0'],
      [{ quiet_hours: { from: '25:00', to: '07:00' } }, 'quiet_hours.from'],
      [{ quiet_hours: { from: '22:00', to: '07:00', tz: 'Mars' } }, 'quiet_hours.tz'],
    ] as const) {
      const { status, body: answer } = await prefer(ada, body);
      expect([status, answer.error, answer.fields[0].path]).toEqual([400, 'invalid_request', path]);
    }
    expect((await get(ada, '/preferences')).body.email).toBe('all');
  });

  test('muted kinds stay in the list', async () => {
    const ada = await someone();
    await prefer(ada, { mute: ['test.ping'] });
    await tell(ada, 1);
    expect([(await get(ada)).body.length, await unread(ada)]).toEqual([1, 1]);
  });
});

describe('the digest', () => {
  const subject = (count: number | string): string =>
    `${count} unread notification${count === 1 ? '' : 's'} on Meshwork`;
  const digests = (who: TestAgent): string[] => mailsTo(who.email).filter((line) => line.includes('unread'));

  test('comes at eight with what is unread since the last, and not on a day without', async () => {
    const ada = await someone();
    await tell(ada, 1);
    await t.advance(1_000);
    await prefer(ada, { digest: 'daily', quiet_hours: { from: '23:00', to: '06:00', tz: 'UTC' } });
    const [read = ''] = await tell(ada, 3);
    await post(ada, `${read}/read`);
    const until = (hour: number): number => ((hour - new Date(t.clock.now()).getUTCHours() + 24) % 24 || 24) * HOUR_MS;
    await t.advance(until(7));
    expect(digests(ada)).toEqual([]);
    await t.advance(2 * HOUR_MS);
    expect(digests(ada)).toEqual([subject(2)]);
    expect(t.mails.at(-1)?.text).toContain(`A test event for ${ada.handle}`);
    await t.advance(24 * HOUR_MS);
    expect(digests(ada)).toHaveLength(1);
    await tell(ada, 30);
    await t.advance(24 * HOUR_MS);
    expect(digests(ada)).toEqual([subject(2), subject('More than 20')]);
  });

  test('misses no event that was made before it and committed after, and tells none twice', async () => {
    const ada = await someone();
    await prefer(ada, { digest: 'daily' });
    const eight_ms = 8 * HOUR_MS;
    const wait = (24 * HOUR_MS + eight_ms - (t.clock.now() % (24 * HOUR_MS))) % (24 * HOUR_MS);
    await t.advance(wait - 30_000);
    await tell(ada, 1);
    const ctx = ctxOf(t, ada.handle);
    await t.advance(30_000);
    expect(digests(ada)).toEqual([]);
    // On a slow node: its request came half a minute ago.
    const effects = [tellEffect(ctx, ada, 'test.ping', { message: '' })];
    await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
    await t.advance(24 * HOUR_MS);
    expect(digests(ada)).toEqual([subject(2)]);
    await t.advance(24 * HOUR_MS);
    expect(digests(ada)).toEqual([subject(2)]);
  });

  test('leaves muted kinds out, and ends when it is turned off', async () => {
    const ada = await someone();
    await prefer(ada, { digest: 'daily', mute: ['test.ping'] });
    await tell(ada, 2);
    await t.advance(24 * HOUR_MS);
    expect(digests(ada)).toEqual([]);
    await prefer(ada, { mute: [], digest: 'off' });
    await tell(ada, 2);
    await t.advance(48 * HOUR_MS);
    expect(digests(ada)).toEqual([]);
    await prefer(ada, { digest: 'daily' });
    await tell(ada, 1);
    await t.advance(24 * HOUR_MS);
    expect(digests(ada)).toEqual([subject(1)]);
  });
});
