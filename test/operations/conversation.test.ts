// Conversations: the list with its filters, one thread, closing, and what opening one tells and counts.
import { beforeAll, describe, expect, test } from 'bun:test';
import { eventsAfter } from '../../db/queries/inbox.ts';
import { openConversation } from '../../src/steps/message/post.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { agentNamed, ctxOf, openThread, type TestAgent } from '../support/threads.ts';

const t = sharedService();
let ada: TestAgent;
let bob: TestAgent;
let eve: TestAgent;
beforeAll(async () => {
  ada = await agentNamed(t, 'ada_conv');
  bob = await agentNamed(t, 'bob_conv');
  eve = await agentNamed(t, 'eve_conv');
});

const get = (who: TestAgent, path: string): Promise<TestAnswer> => t.call('GET', path, { key: who.key });
const close = (who: TestAgent, id: string, body?: object): Promise<TestAnswer> =>
  t.call('POST', `/api/conversations/${id}/close`, { key: who.key, body });
const eventsOf = async (who: TestAgent, id: string): Promise<[string, Record<string, unknown>][]> => {
  const events = await t.service.world.store.read(eventsAfter, { agent_id: who.id, after: 0, limit: 1_000 });
  return events.filter((e) => e.data['conversation_id'] === id).map((e) => [e.kind, e.data]);
};

describe('opening', () => {
  test('tells the other side alone, with the phase and the name of the opener', async () => {
    const id = await openThread(t, ada, bob);
    const data = { conversation_id: id, counterparty_handle: 'ada_conv', phase: 'qualification' };
    expect(await eventsOf(bob, id)).toEqual([['conversation.started', data]]);
    expect(await eventsOf(ada, id)).toEqual([]);
  });

  test('a free plan opens 25 a month, and the 26th refusal opens nothing', async () => {
    const base = ctxOf(t, 'account-of-the-test');
    const open = async (now_ms: number) => {
      const ctx = { ...base, now_ms, principal: { ...base.principal, plan: 'free' as const } };
      const { conversation_id, effects } = openConversation(ctx, {
        opener: ada,
        other: eve,
        match_id: null,
        subject: '',
        blocks: { opener: false, other: false },
      });
      const outcome = await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
      return { conversation_id, outcome };
    };
    for (let i = 0; i < 25; i++) expect('fault' in (await open(t.clock.now())).outcome).toBe(false);
    const over = await open(t.clock.now());
    const resets_at = '2026-07-01T00:00:00.000Z';
    expect(over.outcome).toMatchObject({ fault: 'plan_limit', data: { limit: 25, used: 25, resets_at } });
    expect(await eventsOf(eve, over.conversation_id)).toEqual([]);
    expect('fault' in (await open(Date.parse(resets_at))).outcome).toBe(false);
  });
});

describe('reading', () => {
  test('one thread shows both sides, and its latest messages newest first', async () => {
    const id = await openThread(t, ada, bob, 'Ropes and knots');
    for (let i = 0; i < 52; i++)
      await t.call('POST', `/api/messages/${id}`, { key: ada.key, body: { content: `m${i}` } });
    const { status, body } = await get(bob, `/api/conversations/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      conversation_id: id,
      counterparty_handle: 'ada_conv',
      phase: 'qualification',
      status: 'open',
      subject: 'Ropes and knots',
      match_id: null,
      deal_id: null,
      proposal: null,
      unread: 52,
      participants: [
        { handle: 'bob_conv', role: 'self' },
        { handle: 'ada_conv', role: 'other' },
      ],
      last_message: { content: 'm51', role: 'other' },
    });
    expect(body.messages.map((m: { content: string }) => m.content)).toEqual(
      Array.from({ length: 50 }, (_, i) => `m${51 - i}`),
    );
    expect((await get(bob, `/api/v1/conversations/${id}`)).body.unread).toBe(0);
    expect((await get(eve, `/api/conversations/${id}`)).status).toBe(404);
  });

  test('the list holds threads of both kinds, newest first, and pages without repeating or losing one', async () => {
    const dan = await agentNamed(t, 'dan_conv');
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.unshift(i % 2 ? await openThread(t, dan, ada) : await openThread(t, bob, dan));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page: TestAnswer = await get(dan, `/api/conversations?limit=2${query}`);
      seen.push(...page.body.map((c: { conversation_id: string }) => c.conversation_id));
      cursor = page.headers.get('x-next-cursor');
      if (seen.length === 4) await openThread(t, eve, dan);
    } while (cursor !== null);
    expect(seen).toEqual(ids);
    expect((await get(dan, '/api/v1/conversations?limit=100')).body.length).toBe(8);
  });

  test.each([
    ['?q=100%25', ['Rope 100% hemp']],
    ['?q=100_', []],
    ['?q=ROPE', ['Rope 100% hemp', 'Rope 1000']],
    ['?q=%F0%9F%AA%A2', ['Knot 🪢']],
    ['?q=bob_FIL', ['Knot 🪢', 'Rope 1000']],
    ['?status=closed', ['Rope 1000']],
    ['?status=open&q=rope', ['Rope 100% hemp']],
  ])('GET /api/conversations%s finds what it says', async (query, expected) => {
    const fay = await filtered();
    const { body } = await get(fay, `/api/conversations${query}`);
    expect(body.map((c: { subject: string }) => c.subject).toSorted()).toEqual(expected.toSorted());
  });

  let made: Promise<TestAgent> | null = null;
  /** One agent with three threads, made once for the table above. */
  function filtered(): Promise<TestAgent> {
    made ??= (async () => {
      const fay = await agentNamed(t, 'fay_conv');
      const ben = await agentNamed(t, 'bob_filter');
      await openThread(t, fay, ada, 'Rope 100% hemp');
      await openThread(t, ben, fay, 'Knot 🪢');
      await close(fay, await openThread(t, fay, ben, 'Rope 1000'));
      return fay;
    })();
    return made;
  }

  test('an unknown status is refused by name', async () => {
    const answer = await get(ada, '/api/conversations?status=expired');
    expect([answer.status, answer.body.fields[0].path]).toEqual([400, 'status']);
  });
});

describe('closing', () => {
  test('tells both sides, once, and leaves the phase', async () => {
    const id = await openThread(t, ada, bob);
    const { status, body } = await close(bob, id, { reason: 'found one' });
    expect([status, body.status, body.phase, body.counterparty_handle]).toEqual([
      200,
      'closed',
      'qualification',
      'ada_conv',
    ]);
    const again = await close(ada, id);
    expect([again.status, again.body.error]).toEqual([409, 'conversation_closed']);
    const told = { conversation_id: id, reason: 'found one' };
    expect((await eventsOf(ada, id)).at(-1)).toEqual([
      'conversation.completed',
      { ...told, counterparty_handle: 'bob_conv' },
    ]);
    expect((await eventsOf(bob, id)).at(-1)).toEqual([
      'conversation.completed',
      { ...told, counterparty_handle: 'ada_conv' },
    ]);
    expect((await eventsOf(ada, id)).length).toBe(1);
  });

  test('of two who close at once, one does', async () => {
    const id = await openThread(t, ada, bob);
    const answers = await Promise.all([close(ada, id), close(bob, id), close(ada, id)]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409, 409]);
  });

  test('a stranger cannot', async () => {
    const id = await openThread(t, ada, bob);
    expect((await close(eve, id)).status).toBe(404);
    expect((await get(ada, `/api/conversations/${id}`)).body.status).toBe('open');
  });
});
