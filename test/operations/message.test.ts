// Messages: both addresses, what is refused, the event in the other's inbox, paging, search, and read marks.
import { beforeAll, describe, expect, test } from 'bun:test';
import { eventsAfter } from '../../db/queries/inbox.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { agentNamed, openThread, type TestAgent } from '../support/threads.ts';

const t = sharedService();
let ada: TestAgent;
let bob: TestAgent;
let eve: TestAgent;
beforeAll(async () => {
  ada = await agentNamed(t, 'ada_msg');
  bob = await agentNamed(t, 'bob_msg');
  eve = await agentNamed(t, 'eve_msg');
});

const send = (who: TestAgent, id: string, content: unknown): Promise<TestAnswer> =>
  t.call('POST', `/api/messages/${id}`, { key: who.key, body: { content } });
const inboxOf = (who: TestAgent): Promise<{ kind: string; seq: number; data: Record<string, unknown> }[]> =>
  t.service.world.store.read(eventsAfter, { agent_id: who.id, after: 0, limit: 1_000 });

describe('sending', () => {
  test('both addresses store the same message, kept to the byte', async () => {
    const id = await openThread(t, ada, bob);
    const content = '  Grüße 👋🏽\r\n\tzwei  ';
    const first = await send(ada, id, content);
    const second = await t.call('POST', `/api/conversations/${id}/messages`, {
      key: bob.key,
      body: { content: 'hello' },
    });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body).toMatchObject({ conversation_id: id, sender: 'ada_msg', role: 'self', kind: 'text', content });
    const { body } = await t.call('GET', `/api/messages/${id}`, { key: bob.key });
    expect(body.map((m: { content: string; role: string }) => [m.content, m.role])).toEqual([
      ['hello', 'self'],
      [content, 'other'],
    ]);
  });

  test('the other side, and nobody else, gets conversation.updated with the next seq', async () => {
    const id = await openThread(t, ada, bob);
    const [mine, theirs] = [await inboxOf(ada), await inboxOf(bob)];
    const { body } = await send(ada, id, 'one\ntwo');
    const after = await inboxOf(bob);
    expect(await inboxOf(ada)).toEqual(mine);
    expect(after.length).toBe(theirs.length + 1);
    expect(after.at(-1)).toMatchObject({
      kind: 'conversation.updated',
      seq: (theirs.at(-1)?.seq ?? 0) + 1,
      data: {
        conversation_id: id,
        message_id: body.message_id,
        sender: 'ada_msg',
        preview: 'one two',
        counterparty_handle: 'ada_msg',
      },
    });
  });

  const sixteen = 16 * 1024;
  test.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['a byte more than 16 KiB', 'a'.repeat(sixteen + 1)],
    ['more than 16 KiB of UTF-8 in fewer letters', '€'.repeat(sixteen / 3 + 1)],
    ['a number', 7],
    ['null', null],
  ])('content of %s is refused by name and leaves nothing', async (_what, content) => {
    const id = await openThread(t, ada, bob);
    const before = await inboxOf(bob);
    const answer = await send(ada, id, content);
    expect(answer.status).toBe(400);
    expect(answer.body.fields[0].path).toBe('content');
    expect(await inboxOf(bob)).toEqual(before);
  });

  test('exactly 16 KiB is taken', async () => {
    expect((await send(ada, await openThread(t, ada, bob), 'a'.repeat(sixteen))).status).toBe(200);
  });

  test('to outsiders a thread is as absent as one that never was', async () => {
    const id = await openThread(t, ada, bob);
    for (const other of [id, t.service.world.id(), 'no-uuid']) {
      const answer = await send(eve, other, 'hi');
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    }
    expect((await t.call('GET', `/api/messages/${id}`, { key: eve.key })).status).toBe(404);
  });

  test('a closed thread takes no more messages', async () => {
    const id = await openThread(t, ada, bob);
    await t.call('POST', `/api/conversations/${id}/close`, { key: ada.key });
    const answer = await send(bob, id, 'still there?');
    expect([answer.status, answer.body.error, answer.body.status]).toEqual([409, 'conversation_closed', 'closed']);
  });

  test('of a burst around a close, what was taken stands before the closing and nothing after it', async () => {
    const id = await openThread(t, ada, bob);
    const burst = Array.from({ length: 20 }, (_, i) => send(bob, id, `m${i}`));
    const close = t.call('POST', `/api/conversations/${id}/close`, { key: ada.key });
    const late = Array.from({ length: 20 }, (_, i) => send(bob, id, `n${i}`));
    const answers = await Promise.all([...burst, ...late]);
    expect((await close).status).toBe(200);
    const taken = answers.filter((a) => a.status === 200).map((a) => a.body.message_id);
    expect(answers.filter((a) => a.status !== 200).every((a) => a.body.error === 'conversation_closed')).toBe(true);
    const { body } = await t.call('GET', `/api/messages/${id}?limit=100`, { key: ada.key });
    expect(body.map((m: { message_id: string }) => m.message_id).toSorted()).toEqual(taken.toSorted());
    const told = (await inboxOf(ada)).filter((e) => e.data['conversation_id'] === id).map((e) => e.kind);
    expect(told.indexOf('conversation.completed')).toBe(told.length - 1);
  });

  test('200 at once into one inbox give 200 seqs without a gap, and the thread counts each', async () => {
    const id = await openThread(t, ada, bob);
    const from = (await inboxOf(bob)).length;
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => send(ada, id, `burst ${i}`)));
    expect(answers.every((a) => a.status === 200)).toBe(true);
    const events = (await inboxOf(bob)).slice(from);
    expect(events.map((e) => e.seq)).toEqual(Array.from({ length: 200 }, (_, i) => from + 1 + i));
    const { body } = await t.call('GET', `/api/conversations/${id}`, { key: bob.key });
    expect(body.unread).toBe(200);
    expect(body.last_message.message_id).toBe(events.at(-1)?.data['message_id'] as string);
  });

  test('the same Idempotency-Key sends once', async () => {
    const id = await openThread(t, ada, bob);
    const request = { key: ada.key, body: { content: 'once' }, headers: { 'Idempotency-Key': 'k1' } };
    const first = await t.call('POST', `/api/messages/${id}`, request);
    const again = await t.call('POST', `/api/messages/${id}`, request);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await t.call('GET', `/api/messages/${id}`, { key: ada.key })).body.length).toBe(1);
  });
});

describe('reading', () => {
  test('pages are newest first and stay what they are while messages arrive', async () => {
    const id = await openThread(t, ada, bob);
    for (let i = 0; i < 7; i++) await send(ada, id, `p${i}`);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page: TestAnswer = await t.call('GET', `/api/messages/${id}?limit=3${query}`, { key: bob.key });
      seen.push(...page.body.map((m: { content: string }) => m.content));
      cursor = page.headers.get('x-next-cursor');
      await send(ada, id, 'meanwhile');
    } while (cursor !== null);
    expect(seen).toEqual(['p6', 'p5', 'p4', 'p3', 'p2', 'p1', 'p0']);
  });

  test('after answers only what is newer', async () => {
    const id = await openThread(t, ada, bob);
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push((await send(ada, id, `a${i}`)).body.message_id);
    const { body } = await t.call('GET', `/api/messages/${id}?after=${ids[1]}`, { key: bob.key });
    expect(body.map((m: { content: string }) => m.content)).toEqual(['a3', 'a2']);
  });

  test.each([
    ['100%', ['at 100% now']],
    ['_', ['snake_case']],
    ['\\', ['back\\slash']],
    ['👋🏽', ['wave 👋🏽']],
    ['SNAKE', ['snake_case']],
    ["'", ["it's"]],
    ['nowhere', []],
  ])('searching for %s takes it as it stands', async (q, expected) => {
    const id = await openThread(t, ada, bob);
    for (const content of ['at 100% now', 'at 1000 now', 'snake_case', 'wave 👋🏽', 'back\\slash', "it's"]) {
      await send(ada, id, content);
    }
    const { body } = await t.call('GET', `/api/messages/${id}?q=${encodeURIComponent(q)}`, { key: bob.key });
    expect(body.map((m: { content: string }) => m.content)).toEqual(expected);
  });

  test('one search reads a mebibyte at most, and its cursor leads to the rest', async () => {
    const id = await openThread(t, ada, bob);
    const oldest = await send(ada, id, 'the needle');
    for (let n = 0; n < 130; n++) expect((await send(ada, id, 'ab'.repeat(8_192))).status).toBe(200);
    const pages = async (q: string): Promise<string[][]> => {
      const found: string[][] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const next = cursor === '' ? '' : `&cursor=${cursor}`;
        const page: TestAnswer = await t.call('GET', `/api/messages/${id}?q=${q}${next}`, { key: bob.key });
        expect(page.status).toBe(200);
        found.push(page.body.map((m: { message_id: string }) => m.message_id));
        cursor = page.headers.get('x-next-cursor');
      }
      return found;
    };
    expect(await pages('needle')).toEqual([[], [], [oldest.body.message_id]]);
    // What costs an engine that compares anew at each place two hundred times the text.
    expect(await pages(`${'ab'.repeat(99)}zz`)).toEqual([[], [], []]);
    expect((await pages('ABAB')).map((page) => page.length)).toEqual([50, 50, 30]);
  });

  test("a key's reading marks the thread as read; the sender's own reading and a search do not", async () => {
    const id = await openThread(t, ada, bob);
    for (let i = 0; i < 3; i++) await send(ada, id, `u${i}`);
    const unread = async (who: TestAgent): Promise<number> => {
      const { body } = await t.call('GET', '/api/conversations', { key: who.key });
      return body.find((c: { conversation_id: string }) => c.conversation_id === id).unread;
    };
    await t.call('GET', `/api/messages/${id}`, { key: ada.key });
    await t.call('GET', `/api/messages/${id}?q=u1`, { key: bob.key });
    expect([await unread(ada), await unread(bob)]).toEqual([0, 3]);
    await t.call('GET', `/api/messages/${id}?limit=1`, { key: bob.key });
    expect(await unread(bob)).toBe(0);
    await send(ada, id, 'one more');
    expect(await unread(bob)).toBe(1);
  });
});
