// What goes after a time that the operator says, and what never does: readers whose place lies before the first event that is kept begin
// there and hear of it, seqs go on, and nothing goes that something still needs.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OldRows } from '../../actors/retention.ts';
import { apply, insert } from '../../db/effects.ts';
import { viewsBetween } from '../../db/queries/analytics.ts';
import { eventsAfter, headOf } from '../../db/queries/inbox.ts';
import { labelsFrom } from '../../db/queries/label.ts';
import { meetingById } from '../../db/queries/meeting.ts';
import { modelCallsBehind, turnById } from '../../db/queries/negotiation.ts';
import { inboxBeginnings } from '../../db/queries/retention.ts';
import { routerCallById } from '../../db/queries/router.ts';
import { holdById } from '../../db/queries/wallet.ts';
import type { NewRow } from '../../db/schema/tables.ts';
import type { Read, Store, Turn } from '../../db/store.ts';
import { RETRY, retryKey } from '../../src/delivery/settle.ts';
import { eventsToGo } from '../../src/domain/retention.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { STEP_BYTES } from '../../src/pipeline/runner.ts';
import { remind } from '../../src/steps/reminder.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { edit, feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { readStream, type SseReader } from '../support/sse.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { openThread, pendingMatch, type TestAgent as Side, tellMany } from '../support/threads.ts';

const KEPT_MS = 10 * DAY_MS;
const retention = { events: KEPT_MS, messages: KEPT_MS, receipts: KEPT_MS, prompts: KEPT_MS };
const t = sharedService({ retention });
let keeping: TestService;
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => t.fetch(request) });
let names = 0;
beforeAll(async () => {
  keeping = await openTestService();
});
afterAll(async () => {
  await server.stop(true);
  await keeping.close();
});

const someone = (at = t, more: { verified?: boolean; pro?: boolean } = {}): Promise<TestAgent> =>
  newAgent(at, { handle: `kept_${++names}`, ...more });
const side = ({ id, handle, key }: TestAgent): Side => ({ id, handle, key, account_id: handle });
const tell = (agent: TestAgent, count: number, at = t): Promise<string[]> => tellMany(at, side(agent), count);
const get = async ({ key }: TestAgent, path: string, at = t) => (await at.call('GET', path, { key })).body;
const pull = (agent: TestAgent, after: number, at = t) => get(agent, `/api/inbox?after=${after}`, at);
const open = (path: string, { key }: TestAgent, last: number | string): Promise<SseReader> =>
  readStream(`http://127.0.0.1:${server.port}${path}`, { 'X-API-Key': key, 'Last-Event-ID': `${last}` });
const seqs = (events: readonly { readonly seq: number }[]): number[] => events.map(({ seq }) => seq);
const problems = async (at = t) => (await at.service.world.store.checkRows(at.clock.now())).problems;

/** An agent with so many old events, and younger ones after them. */
async function aged(old: number, young: number): Promise<TestAgent> {
  const agent = await someone();
  await tell(agent, old);
  await t.advance(KEPT_MS / 2);
  await tell(agent, young);
  await t.advance(KEPT_MS / 2 + DAY_MS);
  return agent;
}

describe('events', () => {
  test('a pull whose place lies before the first that is kept begins there and says so', async () => {
    const agent = await someone();
    await tell(agent, 4);
    expect(seqs((await pull(agent, 0)).events)).toEqual([1, 2, 3, 4]);
    await t.advance(KEPT_MS / 2);
    await tell(agent, 3);
    await t.advance(KEPT_MS / 2 + DAY_MS);
    const told = { cursor: 7, has_more: false, oldest_seq: 5 };
    const first = await pull(agent, 0);
    expect(first).toMatchObject(told);
    expect(first).not.toHaveProperty('reset');
    expect(seqs(first.events)).toEqual([5, 6, 7]);
    expect(await pull(agent, 2)).toMatchObject(told);
    expect(await get(agent, `/api/agents/${agent.handle}/inbox?after=3`)).toMatchObject(told);
    // Nothing between its place and the first is gone.
    expect(await pull(agent, 4)).not.toHaveProperty('oldest_seq');
    expect(await pull(agent, 7)).not.toHaveProperty('oldest_seq');
    await tell(agent, 1);
    expect(seqs((await pull(agent, 6)).events)).toEqual([7, 8]);
    expect(await problems()).toEqual([]);
  });

  test('the newest stays however old it is, and seqs go on behind it', async () => {
    const agent = await aged(500, 1);
    await t.advance(3 * KEPT_MS);
    const { oldest_seq, cursor, events } = await pull(agent, 0);
    expect(oldest_seq).toBeGreaterThanOrEqual(501);
    expect(seqs(events)).toEqual([oldest_seq]);
    await tell(agent, 1);
    expect(seqs((await pull(agent, cursor)).events)).toEqual([cursor + 1]);
    expect(await problems()).toEqual([]);
  });

  test('streams begin there, say so and go on', async () => {
    const agent = await aged(3, 2);
    const reader = await open('/api/inbox/stream', agent, 1);
    const [oldest, ...since] = await reader.take(3);
    expect(oldest).toEqual({ id: 3, event: 'oldest', data: { oldest_seq: 4, epoch: 1 } });
    await tell(agent, 1);
    expect([...since, ...(await reader.take(1))].map(({ id }) => id)).toEqual([4, 5, 6]);
    reader.leave();
    const place = (seq: number): string => `${agent.id.slice(-12)}.${seq}`;
    const notices = await open('/api/notifications/stream', agent, place(2));
    const [gap, next] = await notices.take(2);
    expect(gap).toMatchObject({ event: 'oldest', place: place(3), data: { oldest_seq: 4, agent_id: agent.id } });
    expect(next).toMatchObject({ event: 'notification', place: place(4) });
    notices.leave();
  });

  test('what is gone counts as read, and lists end before it', async () => {
    const agent = await aged(60, 2);
    expect(await get(agent, '/api/notifications/unread')).toMatchObject({ unread: 2 });
    expect(await get(agent, '/api/notifications?limit=50')).toHaveLength(2);
    expect(seqs(await get(agent, '/api/inbox/recent'))).toEqual([62, 61]);
  });

  test('none goes that awaits an answer in time, nor what follows it', async () => {
    const [ada, bob] = [await someone(), await someone()];
    await tell(ada, 1);
    await pendingMatch(t, side(ada), side(bob), t.clock.now() + KEPT_MS + 10 * DAY_MS);
    await tell(ada, 2);
    await t.advance(KEPT_MS + DAY_MS);
    expect(seqs((await pull(ada, 0)).events)).toEqual([2, 3, 4]);
    await t.advance(10 * DAY_MS);
    expect(await pull(ada, 0)).toMatchObject({ oldest_seq: 4 });
  });

  test('none goes while a webhook is to be tried again with it', async () => {
    const ada = await someone();
    await tell(ada, 4);
    const { store, id } = t.service.world;
    const [, second] = await store.read(eventsAfter, { agent_id: ada.id, after: 0, limit: 2 });
    const [now_ms, event_id] = [t.clock.now(), second?.id ?? ''];
    // A delivery that was held, or whose receiver asks for long pauses, is tried that late.
    const hook: NewRow<'webhooks'> = {
      ...{ id: id(), agent_id: ada.id, kind: 'developer' as const, url: 'https://example.org', events: ['*'] },
      ...{ active: 0, secret: '', created_at: now_ms },
    };
    const at = now_ms + KEPT_MS + 3 * DAY_MS;
    const tried = { webhook_id: hook.id, event_id, number: 2 };
    const again = remind(RETRY, tried, { at, key: retryKey(hook.id, event_id), now_ms });
    await store.turn({ attempt: async () => ({ reply: null, effects: [insert('webhooks', hook), again] }) });
    await t.advance(KEPT_MS + DAY_MS);
    expect(seqs((await pull(ada, 0)).events)).toEqual([2, 3, 4]);
    await t.advance(3 * DAY_MS);
    expect(seqs((await pull(ada, 0)).events)).toEqual([4]);
  });
});

describe('messages', () => {
  const say = async (agent: TestAgent, conversation_id: string, content: string): Promise<void> => {
    const path = `/api/conversations/${conversation_id}/messages`;
    expect((await t.call('POST', path, { key: agent.key, body: { content } })).status).toBe(200);
  };
  const read = (agent: TestAgent, conversation_id: string, more = '') =>
    get(agent, `/api/conversations/${conversation_id}/messages${more}`);
  const contents = (messages: readonly { readonly content: string }[]): string[] =>
    messages.map(({ content }) => content);

  test('go with the exception of the newest, unless something is open between the two', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const [talk, dealt] = [await openThread(t, side(ada), side(bob)), await openThread(t, side(bob), side(ada))];
    for (const id of [talk, dealt]) for (const text of ['one', 'two', 'three']) await say(ada, id, text);
    const deal: NewRow<'deals'> = {
      ...{
        id: t.service.world.id(),
        kind: 'agreement' as const,
        buyer_id: ada.id,
        seller_id: bob.id,
        amount_cents: 100,
      },
      ...{ title: 'A rope', status: 'open' as const, conversation_id: dealt, created_at: t.clock.now() },
    };
    await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [insert('deals', deal)] }) });
    const before = await read(ada, talk);
    await t.advance(KEPT_MS + DAY_MS);
    expect(contents(await read(ada, talk))).toEqual(['three']);
    expect(contents(await read(ada, dealt))).toHaveLength(before.length);
    // What is gone is not unread.
    expect(await get(bob, `/api/conversations/${talk}`)).toMatchObject({ unread: 1 });
    // A place that is gone is the beginning of what is kept.
    await say(bob, talk, 'four');
    expect(contents(await read(ada, talk, `?after=${before.at(-1).message_id}`))).toHaveLength(2);
    expect(await problems()).toEqual([]);
  });
});

test('no message goes that is still to be sent on to an endpoint', async () => {
  const [ada, bob] = [await someone(), await someone()];
  const { store } = t.service.world;
  const id = await openThread(t, side(ada), side(bob));
  for (const content of ['one', 'two', 'three'])
    await t.call('POST', `/api/conversations/${id}/messages`, { key: ada.key, body: { content } });
  await t.service.delivery.idle();
  const delivered = (seq: number) =>
    store.turn({
      attempt: async () => ({ reply: null, effects: [apply('inboxes', bob.id, () => ({ delivered_seq: seq }))] }),
    });
  const left = async (): Promise<number> => (await get(ada, `/api/conversations/${id}/messages`)).length;
  const head = (await store.read(headOf, { id: bob.id }))?.last_seq ?? 0;
  // As after a restore, until somebody says that deliveries go on.
  await delivered(head - 2);
  await t.advance(KEPT_MS + DAY_MS);
  expect(await left()).toBe(3);
  await delivered(head);
  await t.advance(HOUR_MS);
  expect(await left()).toBe(1);
});

test('the storage of those who wrote what is gone is given back', async () => {
  const [ada, bob] = [await someone(), await someone()];
  const stored = async ({ key }: TestAgent): Promise<number> => {
    const { limits } = (await t.call('GET', '/api/billing/limits', { key })).body;
    return limits.find(({ name }: { name: string }) => name === 'storage_bytes').used;
  };
  const id = await openThread(t, side(ada), side(bob));
  const body = { content: 'é'.repeat(4_000) };
  for (let n = 0; n < 20; n++)
    expect((await t.call('POST', `/api/conversations/${id}/messages`, { key: ada.key, body })).status).toBe(200);
  const before = await stored(ada);
  await t.advance(KEPT_MS + DAY_MS);
  expect(before).toBeGreaterThan(20 * 8_000 - STEP_BYTES);
  // Events go by themselves: they take no storage.
  expect(before).toBeLessThanOrEqual(20 * 8_300);
  expect(await stored(ada)).toBe(0);
  expect(await stored(bob)).toBe(0);
});

describe('receipts and prompts', () => {
  test('go when they are over', async () => {
    const ada = await someone();
    const { store, id } = t.service.world;
    const account_id = ada.handle;
    const now_ms = t.clock.now();
    const call = (status: 'open' | 'served'): NewRow<'router_calls'> => ({
      ...{ id: id(), agent_id: ada.id, account_id, capability: 'image.describe', status, candidates: [], attempts: [] },
      ...{ deadline_at: now_ms, created_at: now_ms, ended_at: status === 'open' ? null : now_ms, price_cents: 5 },
    });
    const [served, under_way] = [call('served'), call('open')];
    const asked: NewRow<'model_calls'> = {
      ...{ id: id(), agent_id: ada.id, purpose: 'turn' as const, model: 'm', prompt: 'p', answer: 'a', tokens: 1 },
      ...{ created_at: now_ms, expires_at: now_ms + 900 * DAY_MS },
    };
    const effects = [served, under_way].map((row) => insert('router_calls', row));
    const of_model = insert('model_calls', asked);
    const reasons = {
      action: 'wait',
      rule: 'concede',
      phase: 'exploration',
      inputs: {},
      bound_distance_cents: null,
    } as const;
    const conversation_id = await openThread(t, side(ada), side(await someone()));
    const turn = { id: id(), conversation_id, agent_id: ada.id, reasons: { ...reasons, model: null } };
    const why = insert('turns', { ...turn, created_at: now_ms });
    await store.turn({ attempt: async () => ({ reply: null, effects: [...effects, of_model, why] }) });
    await t.advance(KEPT_MS - DAY_MS);
    expect(await store.read(routerCallById, { id: served.id })).not.toBeNull();
    expect(await store.read(turnById, turn)).not.toBeNull();
    await t.advance(2 * DAY_MS);
    expect(await store.read(routerCallById, { id: served.id })).toBeNull();
    expect(await store.read(routerCallById, { id: under_way.id })).not.toBeNull();
    expect(await store.read(modelCallsBehind, { agent_id: ada.id, after: '', limit: 9 })).toEqual([]);
    // It tells the agent how far it has bargained, as long as somebody may write there.
    expect(await store.read(turnById, turn)).not.toBeNull();
    const ends = apply('conversations', conversation_id, () => ({ status: 'declined' as const }));
    await store.turn({ attempt: async () => ({ reply: null, effects: [ends] }) });
    await t.advance(DAY_MS);
    expect(await store.read(turnById, turn)).toBeNull();
  });
});

describe('matches, whatever is set', () => {
  test('go thirty days after they were over, where no listing would find them anew for that', async () => {
    const [ada, bob] = [
      await someone(keeping, { verified: true, pro: true }),
      await someone(keeping, { verified: true }),
    ];
    const offer = await publish(keeping, ada, LOGO_OFFER);
    await publish(keeping, bob, LOGO_SEEK);
    const [known] = await matchesOf(keeping, ada);
    const cut_off = await pendingMatch(keeping, side(ada), side(bob));
    const decided = await pendingMatch(keeping, side(ada), side(bob));
    expect((await feedback(keeping, bob, decided, 'not_a_fit')).status).toBe(200);
    const ids = async () => (await matchesOf(keeping, ada)).map((match: { match_id: string }) => match.match_id);
    await keeping.advance(59 * DAY_MS);
    expect(await ids()).toContain(cut_off);
    await keeping.advance(2 * DAY_MS);
    expect((await ids()).sort()).toEqual([known.match_id, decided].sort());
    // As long as it stands, the two are not matched once more.
    await keeping.call('POST', '/api/matching/run', { key: bob.key, body: {} });
    expect(await matchesOf(keeping, ada)).toMatchObject([{ status: 'declined' }, { status: 'expired' }]);
    const token = await signIn(keeping, ada.email);
    expect((await keeping.call('GET', '/api/analytics?from=2026-06-01', { token, agent: ada.handle })).status).toBe(
      200,
    );
    expect((await feedback(keeping, ada, cut_off, 'interested')).status).toBe(404);
    // Edited, they are matched anew; that one in turn goes with the listing.
    await edit(keeping, ada, offer, { headline: 'Logo design in three days' });
    expect(await ids()).toContain(known.match_id);
  });
});

test('daily counts of views go after two years, whatever is set', async () => {
  const { id: agent_id } = await someone(keeping);
  const { store } = keeping.service.world;
  const today = keeping.clock.now();
  const dayAgo = (days: number): string => new Date(today - days * DAY_MS).toISOString().slice(0, 10);
  const effects = [730, 732].map((days) => {
    const day = dayAgo(days);
    return insert('views', { id: `${day}:${agent_id}`, agent_id, listing_id: null, day, n: 1 });
  });
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
  await new OldRows(store, {}).goOn(today, () => false, true);
  const kept = await store.read(viewsBetween, { agent_id, from: '', until: 'z' });
  expect(kept.map(({ day }) => day)).toEqual([dayAgo(730)]);
});

test('without the setting nothing goes', async () => {
  const agent = await someone(keeping);
  await tell(agent, 3, keeping);
  await keeping.advance(80 * DAY_MS);
  const page = await pull(agent, 0, keeping);
  expect(seqs(page.events ?? page).slice(0, 3)).toEqual([1, 2, 3]);
  expect(page).not.toHaveProperty('oldest_seq');
  expect(await problems(keeping)).toEqual([]);
});

test('a minute goes on where the last one ended, and a walk that is through rests', async () => {
  const [one, other] = [await someone(), await someone()];
  await tell(one, 2);
  await t.clock.moveTo(t.clock.now() + KEPT_MS + DAY_MS);
  const rows = new OldRows(t.service.world.store, retention);
  const goOn = async (): Promise<void> => {
    await t.service.delivery.idle();
    await rows.goOn(t.clock.now(), () => false);
  };
  await goOn();
  expect(await pull(one, 0)).toMatchObject({ oldest_seq: 2 });
  await tell(other, 2);
  await t.clock.moveTo(t.clock.now() + KEPT_MS + DAY_MS);
  await goOn();
  expect(await pull(other, 0)).toMatchObject({ oldest_seq: 2 });
  await tell(one, 2);
  await goOn();
  // Its second is too old by now, but the walk has just been through.
  expect(await pull(one, 0)).toMatchObject({ oldest_seq: 2 });
  await t.clock.moveTo(t.clock.now() + HOUR_MS);
  await goOn();
  expect(await pull(one, 0)).toMatchObject({ oldest_seq: 3 });
});

test('of the nodes of a database one goes on with the walks, where the last one ended, after a start too', async () => {
  const { store } = t.service.world;
  let turns = 0;
  const counted = {
    turn: ((turn) => {
      turns += 1;
      return store.turn(turn);
    }) as Store['turn'],
  };
  const cutAt = (most: number) => () => turns > most;
  await t.clock.moveTo(t.clock.now() + 2 * HOUR_MS);
  const [one, other] = [new OldRows(counted, retention), new OldRows(counted, retention)];
  // One that is stopped before its first page keeps its place, and the others come after a minute.
  await one.goOn(t.clock.now(), cutAt(0));
  expect(turns).toBe(2);
  await other.goOn(t.clock.now() + 1_000, () => false);
  expect(turns).toBe(3);
  await other.goOn(t.clock.now() + MINUTE_MS, () => false);
  expect(turns).toBeGreaterThan(3 + 10);
  turns = 0;
  // All walks rest: for a node that has just started, too.
  await new OldRows(counted, retention).goOn(t.clock.now() + 2 * MINUTE_MS, () => false);
  expect(turns).toBe(1);
});

test('meetings, money that was set aside and went back, and labels in no use go', async () => {
  const { store, id } = t.service.world;
  const [ada, bob] = [await someone(), await someone()];
  const conversation_id = await openThread(t, side(ada), side(bob));
  const at = t.clock.now();
  const meeting = (days: number) => ({
    ...{
      id: id(),
      conversation_id,
      by_id: ada.id,
      starts_at: at + days * DAY_MS,
      duration_minutes: 30,
      created_at: at,
    },
  });
  const hold = (status: 'settled' | 'voided') => ({
    ...{ id: id(), agent_id: ada.id, kind: 'call', amount_cents: 5, status, counted: [], expires_at: at },
    ...{ created_at: at, ended_at: at },
  });
  const [past, coming] = [meeting(1), meeting(40)];
  const [voided, settled] = [hold('voided'), hold('settled')];
  const effects = [
    ...[past, coming].map((row) => insert('meetings', row)),
    ...[voided, settled].map((row) => insert('holds', row)),
    insert('labels', { id: 'never used', uses: 0, created_at: at }),
    insert('labels', { id: 'in use', uses: 1, created_at: at }),
  ];
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
  const old = new OldRows(store, retention);
  await old.goOn(at + 31 * DAY_MS, () => false, true);
  expect(await store.read(meetingById, { id: past.id })).toBeNull();
  expect(await store.read(meetingById, { id: coming.id })).not.toBeNull();
  expect(await store.read(holdById, { id: voided.id })).toBeNull();
  expect(await store.read(holdById, { id: settled.id })).not.toBeNull();
  const named = { looked_at: 9, limit: 9 };
  const begun = async (from: string) => store.read(labelsFrom, { ...named, from, until: `${from}z` });
  expect([await begun('never us'), (await begun('in us')).length]).toEqual([[], 1]);
});

test.each<[what: string, inbox: { last_seq: number; delivered_seq: number }, awaiting: number, went: number]>([
  ['goes but for its newest', { last_seq: 3, delivered_seq: 3 }, 0, 2],
  ['stays from what was not delivered on', { last_seq: 9, delivered_seq: 1 }, 0, 1],
  ['stays from what awaits an answer without an end on', { last_seq: 9, delivered_seq: 9 }, 1, 1],
])('the beginning of an inbox %s', (_what, inbox, awaiting, went) => {
  const plain = { respond_by: null, retries: 0 };
  const event = (seq: number) => ({ ...plain, seq, awaiting: seq === 2 ? awaiting : 0, created_at: seq });
  expect(eventsToGo([1, 2, 3].map(event), inbox, 100, 200)).toHaveLength(went);
});

test('a turn looks at no more than a slice, though nothing of it goes', async () => {
  const of = { last_seq: 200, delivered_seq: 200, begins_at: 1 };
  const inboxes = Array.from({ length: 200 }, (_, n) => ({ ...of, id: String(n).padStart(3, '0') }));
  const awaited = { agent_id: '', awaiting: 1, respond_by: null, created_at: 1, version: 1, retries: 0 };
  const first = Array.from({ length: 100 }, (_, n) => ({ ...awaited, id: `${n}`, seq: n + 1 }));
  let inboxes_read = 0;
  const read = async (query: unknown) => {
    if (query === inboxBeginnings) return inboxes;
    inboxes_read += 1;
    return first;
  };
  const reads = Object.assign(read, { peek: async () => [] }) as unknown as Read;
  const turn = (async <O>({ attempt }: Turn<O>) => attempt(reads)) as Store['turn'];
  await new OldRows({ turn }, { events: KEPT_MS }).goOn(3 * KEPT_MS, () => inboxes_read > 0, true);
  expect(inboxes_read).toBe(1);
});
