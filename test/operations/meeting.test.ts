// Meetings of the two sides of a conversation: setting one, saying that it took place, who is told and who may; and that what happens at
// once leaves no more than may be.

import { beforeAll, describe, expect, test } from 'bun:test';
import { insert } from '../../db/effects.ts';
import { COMING_MAX } from '../../src/domain/conversation/meeting.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { eventWords } from '../../src/domain/words/events.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { eventsOf } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { openThread } from '../support/threads.ts';

const t = sharedService();
let ada: TestAgent;
let bob: TestAgent;
let eve: TestAgent;

beforeAll(async () => {
  [ada, bob, eve] = [
    await newAgent(t, { handle: 'ada_meets' }),
    await newAgent(t, { handle: 'bob_meets' }),
    await newAgent(t, { handle: 'eve_meets' }),
  ];
});

const URL_GIVEN = 'https://meet.example/ropes';

const ahead = (ms: number): string => new Date(t.clock.now() + ms).toISOString();
const thread = (a = ada, b = bob): Promise<string> =>
  openThread(t, { ...a, account_id: a.id }, { ...b, account_id: b.id });
const schedule = (who: TestAgent, id: string, body: object = {}): Promise<TestAnswer> =>
  t.call('POST', `/api/conversations/${id}/meetings`, {
    key: who.key,
    body: { starts_at: ahead(MINUTE_MS), duration_minutes: 30, ...body },
  });
const complete = (who: TestAgent, id: string, meeting_id: string): Promise<TestAnswer> =>
  t.call('POST', `/api/conversations/${id}/meetings/${meeting_id}/complete`, { key: who.key });
const list = (who: TestAgent, id: string, query = ''): Promise<TestAnswer> =>
  t.call('GET', `/api/conversations/${id}/meetings${query}`, { key: who.key });
const close = (who: TestAgent, id: string): Promise<TestAnswer> =>
  t.call('POST', `/api/conversations/${id}/close`, { key: who.key });
const block = (who: TestAgent, other: TestAgent, method = 'POST'): Promise<TestAnswer> =>
  t.call(method, `/api/agents/${other.handle}/block`, { key: who.key });
const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();
const told = async (who: TestAgent, id: string): Promise<[string, Record<string, unknown>][]> => {
  const kinds = ['meeting.scheduled', 'meeting.completed'];
  const events = (await Promise.all(kinds.map((kind) => eventsOf(t, who, kind)))).flat();
  return events.filter(({ data }) => data.conversation_id === id).map(({ kind, data }) => [kind, data]);
};

test('a meeting is set by one side, told to both, and completed by the other', async () => {
  const id = await thread();
  const starts_at = ahead(MINUTE_MS);
  const set = await schedule(ada, id, { starts_at, url: URL_GIVEN });
  const { meeting_id } = set.body;
  const meeting = {
    meeting_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    conversation_id: id,
    by: ada.handle,
    starts_at,
    duration_minutes: 30,
    url: URL_GIVEN,
    status: 'scheduled',
    completed_at: null,
    created_at: new Date(t.clock.now()).toISOString(),
  };
  expect([set.status, set.body]).toEqual([201, meeting]);
  const facts = { conversation_id: id, meeting_id, starts_at, duration_minutes: 30 };
  const news = (counterparty_handle: string, rest: object = {}) => ({ ...facts, counterparty_handle, ...rest });
  expect(await told(ada, id)).toEqual([['meeting.scheduled', news(bob.handle, { url: URL_GIVEN })]]);
  expect(await told(bob, id)).toEqual([['meeting.scheduled', news(ada.handle, { url: URL_GIVEN })]]);
  for (const side of [ada, bob]) expect((await list(side, id)).body).toEqual([set.body]);

  const early = await complete(bob, id, meeting_id);
  expect([said(early), early.body.message, early.body.starts_at]).toEqual([
    '409 conflict',
    `The meeting has not begun; it starts at ${starts_at}.`,
    starts_at,
  ]);
  await t.advance(MINUTE_MS);
  const done = await complete(bob, id, meeting_id);
  const completed_at = new Date(t.clock.now()).toISOString();
  expect([done.status, done.body]).toEqual([200, { ...set.body, status: 'completed', completed_at }]);
  for (const [side, other] of [
    [ada, bob],
    [bob, ada],
  ] as const) {
    expect((await told(side, id)).at(-1)).toEqual(['meeting.completed', news(other.handle)]);
    const again = await complete(side, id, meeting_id);
    expect([said(again), again.body.completed_at]).toEqual(['409 meeting_completed', completed_at]);
  }
  expect((await told(ada, id)).length).toBe(2);
});

test('tools do the same', async () => {
  const id = await thread();
  const call = async (name: string, args: object) =>
    (await rpc(t, 'tools/call', { name, arguments: args }, { key: bob.key, revision: '2025-11-25' })).body.result
      .structuredContent;
  const asked = { conversation_id: id, starts_at: ahead(MINUTE_MS), duration_minutes: 45, url: URL_GIVEN };
  const { meeting_id } = await call('mesh_schedule_meeting', asked);
  await t.advance(MINUTE_MS);
  expect(await call('mesh_complete_meeting', { conversation_id: id, meeting_id })).toMatchObject({
    status: 'completed',
  });
  expect(JSON.stringify(await call('mesh_list_meetings', { conversation_id: id }))).toContain(meeting_id);
});

test('pages of the list go from the one that was set last to the first', async () => {
  const id = await thread();
  const set = [];
  for (const minutes of [30, 10, 20]) {
    set.push((await schedule(bob, id, { starts_at: ahead(minutes * MINUTE_MS) })).body.meeting_id);
  }
  const seen: string[] = [];
  for (let query = '?limit=2'; ; ) {
    const { body, headers } = await list(ada, id, query);
    seen.push(...body.map(({ meeting_id }: { meeting_id: string }) => meeting_id));
    const cursor = headers.get('x-next-cursor');
    if (cursor === null) break;
    query = `?limit=2&cursor=${cursor}`;
  }
  expect(seen).toEqual(set.toReversed());
});

describe('who may', () => {
  test('is a party alone: whoever is none learns nothing, whether it is there or not', async () => {
    const id = await thread();
    const { meeting_id } = (await schedule(ada, id)).body;
    await t.advance(MINUTE_MS);
    const nobody = Bun.randomUUIDv7();
    for (const answer of [
      await schedule(eve, id),
      await schedule(eve, nobody),
      await schedule(ada, 'no such thing'),
      await list(eve, id),
      await list(ada, nobody),
      await complete(eve, id, meeting_id),
      await complete(ada, id, nobody),
      await complete(ada, nobody, meeting_id),
    ]) {
      expect([said(answer), answer.body.message]).toEqual([
        '404 not_found',
        'There is no such thing, or it is not yours.',
      ]);
    }
    // One of another conversation of the same side.
    expect(said(await complete(ada, await thread(ada, eve), meeting_id))).toBe('404 not_found');
    expect((await complete(ada, id, meeting_id)).status).toBe(200);
  });

  test('is nobody whom the other side blocks, until the block is taken back; the blocker may', async () => {
    const [carl, dora] = [await newAgent(t, { handle: 'carl_meets' }), await newAgent(t, { handle: 'dora_meets' })];
    for (const id of [await thread(carl, dora), await thread(dora, carl)]) {
      const { meeting_id } = (await schedule(carl, id)).body;
      await t.advance(MINUTE_MS);
      await block(carl, dora);
      expect([said(await schedule(dora, id)), said(await complete(dora, id, meeting_id))]).toEqual([
        '403 blocked',
        '403 blocked',
      ]);
      expect([(await list(dora, id)).status, (await schedule(carl, id)).status]).toEqual([200, 201]);
      expect((await told(carl, id)).length).toBe(2);
      await block(carl, dora, 'DELETE');
      expect([(await schedule(dora, id)).status, (await complete(dora, id, meeting_id)).status]).toEqual([201, 200]);
    }
  });

  test('sets none in a conversation that is over, and says all the same that one took place', async () => {
    const id = await thread();
    const { meeting_id } = (await schedule(ada, id)).body;
    await close(bob, id);
    const refused = await schedule(ada, id);
    expect([said(refused), refused.body.status]).toEqual(['409 conversation_closed', 'closed']);
    await t.advance(MINUTE_MS);
    expect((await complete(ada, id, meeting_id)).status).toBe(200);
    expect((await list(bob, id)).body.length).toBe(1);
  });
});

test('times that are past or too far, lengths that are none and addresses that are no web address are refused by name', async () => {
  const id = await thread();
  for (const [given, path] of [
    [{ starts_at: ahead(0) }, 'starts_at'],
    [{ starts_at: ahead(-1) }, 'starts_at'],
    [{ starts_at: ahead(366 * DAY_MS + 1) }, 'starts_at'],
    [{ starts_at: 'tomorrow' }, 'starts_at'],
    [{ starts_at: 1_800_000_000_000 }, 'starts_at'],
    [{ starts_at: '2026-12-31T23:59:60Z' }, 'starts_at'],
    [{ duration_minutes: 4 }, 'duration_minutes'],
    [{ duration_minutes: 1_441 }, 'duration_minutes'],
    [{ duration_minutes: 7.5 }, 'duration_minutes'],
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ url: 'https://ada:secret@meet.example/' }, 'url'],
    [{ url: `https://meet.example/${'x'.repeat(2_000)}` }, 'url'],
  ] as const) {
    const answer = await schedule(ada, id, given);
    expect([given, said(answer), answer.body.fields?.[0]?.path]).toEqual([given, '400 invalid_request', path]);
  }
  expect((await list(ada, id)).body).toEqual([]);
  expect(await told(bob, id)).toEqual([]);
  const edges = [
    { starts_at: ahead(1), duration_minutes: 5 },
    { starts_at: ahead(366 * DAY_MS), duration_minutes: 1_440 },
  ];
  for (const given of edges) expect((await schedule(ada, id, given)).status).toBe(201);
  const elsewhere = await schedule(ada, id, { starts_at: ahead(DAY_MS).replace('Z', '+02:00') });
  expect(elsewhere.body.starts_at).toBe(ahead(DAY_MS - 120 * MINUTE_MS));
});

describe('at once', () => {
  test('no more than twenty are to come, whoever sets them, and each that begins makes room', async () => {
    const id = await thread();
    for (let n = 0; n < COMING_MAX - 3; n += 1) {
      expect((await schedule(ada, id, { starts_at: ahead((n + 1) * MINUTE_MS) })).status).toBe(201);
    }
    const sides = [ada, bob, ada, bob, ada, bob];
    const answers = await Promise.all(sides.map((side) => schedule(side, id, { starts_at: ahead(DAY_MS) })));
    expect(answers.map(said).sort()).toEqual(['201', '201', '201', '409 conflict', '409 conflict', '409 conflict']);
    const [refused] = answers.filter(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ limit: COMING_MAX, used: COMING_MAX });
    expect(refused?.body.message).toContain(String(COMING_MAX));
    expect([(await list(ada, id)).body.length, (await told(bob, id)).length]).toEqual([COMING_MAX, COMING_MAX]);
    await t.advance(MINUTE_MS);
    expect([said(await schedule(bob, id)), said(await schedule(bob, id))]).toEqual(['201', '409 conflict']);
    expect((await schedule(ada, await thread())).status).toBe(201);
  });

  test('a conversation has a thousand in all', async () => {
    const id = await thread();
    const { store } = t.service.world;
    const effects = [insert('counters', { id: `meetings:${id}`, n: 999, expires_at: null })];
    await store.turn({ attempt: async () => ({ reply: null, effects }) });
    expect([said(await schedule(bob, id)), said(await schedule(bob, id))]).toEqual(['201', '409 conflict']);
  });

  test('one of the two says that it took place, and both are told once', async () => {
    const id = await thread();
    const { meeting_id } = (await schedule(ada, id)).body;
    await t.advance(MINUTE_MS);
    const answers = await Promise.all([ada, bob, ada, bob].map((side) => complete(side, id, meeting_id)));
    const refused = '409 meeting_completed';
    expect(answers.map(said).sort()).toEqual(['200', refused, refused, refused]);
    for (const side of [ada, bob]) {
      expect((await told(side, id)).filter(([kind]) => kind === 'meeting.completed').length).toBe(1);
    }
  });

  test('it is set before the conversation closes, or not at all', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await thread();
      const [set, closed] = await Promise.all([schedule(ada, id), close(bob, id)]);
      expect(closed.status).toBe(200);
      expect(['201', '409 conversation_closed']).toContain(said(set));
      expect((await list(ada, id)).body.length).toBe(set.status === 201 ? 1 : 0);
    }
  });
});

test('a repeated request with its key sets one meeting', async () => {
  const id = await thread();
  const headers = { 'Idempotency-Key': 'meet-once' };
  const body = { starts_at: ahead(DAY_MS), duration_minutes: 30 };
  const ask = () => t.call('POST', `/api/conversations/${id}/meetings`, { key: ada.key, body, headers });
  const [first, second] = [await ask(), await ask()];
  expect([second.status, second.body]).toEqual([201, first.body]);
  expect((await list(ada, id)).body.length).toBe(1);
});

test('the person behind an agent reads with whom, when and how long', async () => {
  const id = await thread();
  const starts_at = ahead(DAY_MS);
  await schedule(ada, id, { starts_at });
  const [notice] = (await t.call('GET', '/api/notifications?limit=1', { key: bob.key })).body;
  expect(notice).toMatchObject({
    kind: 'meeting.scheduled',
    title: 'A meeting with ada_meets is set',
    body: `${eventWords().figures.time(Date.parse(starts_at))}, 30 minutes`,
  });
  expect(notice.url).toEndWith(`/conversations/${id}`);
});
