// The newest message of a conversation waits for its reader's reply, and says so at every way to read it, until one replies, leaves
// it, or the conversation goes on without.

import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { openThread } from '../support/threads.ts';

interface Event {
  readonly id: string;
  readonly seq: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly actions: readonly Readonly<Record<string, unknown>>[];
  readonly respond_by: string | null;
  readonly answered: unknown;
}

const t = sharedService();
let names = 0;

const fresh = (): Promise<TestAgent> => newAgent(t, { handle: `waits_${++names}`, verified: true, pro: true });
const call = (who: TestAgent, method: string, path: string, body?: object): Promise<TestAnswer> =>
  t.call(method, path, { key: who.key, ...(body && { body }) });
const send = (who: TestAgent, id: string, content: string): Promise<TestAnswer> =>
  call(who, 'POST', `/api/messages/${id}`, { content });
const pull = async (who: TestAgent) => (await call(who, 'GET', '/api/inbox?after=0&limit=100&peek=true')).body;
const recent = async (who: TestAgent): Promise<Event[]> => (await call(who, 'GET', '/api/inbox/recent')).body;
const respond = (who: TestAgent, { id }: Event, body: object): Promise<TestAnswer> =>
  call(who, 'POST', `/api/inbox/${id}/respond`, body);

async function pair(): Promise<{ ada: TestAgent; bob: TestAgent; id: string }> {
  const [ada, bob] = [await fresh(), await fresh()];
  const id = await openThread(t, { ...ada, account_id: ada.id }, { ...bob, account_id: bob.id });
  return { ada, bob, id };
}

/** The messages of an inbox, oldest first. */
async function messagesOf(who: TestAgent): Promise<Event[]> {
  return (await pull(who)).events.filter(({ kind }: Event) => kind === 'conversation.updated');
}

/** The texts that wait for an agent: the same by every way to read, and as many as are pending. */
async function waiting(who: TestAgent): Promise<string[]> {
  const { pending } = await pull(who);
  const asks = (events: readonly Event[]): string[] =>
    events.filter(({ kind, actions }) => kind === 'conversation.updated' && actions.length > 0).map(previewOf);
  const found = asks(await messagesOf(who));
  expect(asks((await recent(who)).toReversed())).toEqual(found);
  const older = (await call(who, 'GET', `/api/agents/${who.handle}/inbox`)).body as Event[];
  expect(asks(older.toReversed())).toEqual(found);
  expect(pending.count).toBe(found.length);
  expect(pending.earliest_respond_by === null).toBe(found.length === 0);
  return found;
}

const previewOf = ({ data }: Event): string => String(data['preview']);

async function newest(who: TestAgent): Promise<Event> {
  const event = (await messagesOf(who)).at(-1);
  if (!event) throw new Error(`@${who.handle} has no message`);
  return event;
}

describe('a message', () => {
  test('waits for its reader with the exact calls, a time and a count', async () => {
    const { ada, bob, id } = await pair();
    await send(ada, id, 'When could you start?');
    expect(await waiting(bob)).toEqual(['When could you start?']);
    expect(await waiting(ada)).toEqual([]);
    const event = await newest(bob);
    const until = new Date(t.clock.now() + 7 * DAY_MS).toISOString();
    expect(event.respond_by).toBe(until);
    expect(event.actions).toEqual([
      {
        ...{ action: 'reply', label: 'Reply; the note is the message', method: 'POST' },
        ...{ path: `/api/inbox/${event.id}/respond`, body: { action: 'reply' } },
      },
      {
        ...{ action: 'no_reply', label: 'Leave it without a reply', method: 'POST' },
        ...{ path: `/api/inbox/${event.id}/respond`, body: { action: 'no_reply' } },
      },
    ]);
    const { pending, next_poll_seconds } = await pull(bob);
    expect([pending, next_poll_seconds]).toEqual([{ count: 1, earliest_respond_by: until }, 60]);
  });

  test('gives its place to a newer one, and the turn to the other side by a reply', async () => {
    const { ada, bob, id } = await pair();
    await send(ada, id, 'one');
    await send(ada, id, 'two');
    expect(await waiting(bob)).toEqual(['two']);
    const [first] = await messagesOf(bob);
    expect([first?.actions, first?.respond_by]).toEqual([[], null]);
    await send(bob, id, 'three');
    expect([await waiting(ada), await waiting(bob)]).toEqual([['three'], []]);
  });

  test('is answered by its action, once', async () => {
    const { ada, bob, id } = await pair();
    await send(ada, id, 'When?');
    const event = await newest(bob);
    expect((await respond(bob, event, { action: 'reply' })).status).toBe(400);
    const answers = await Promise.all([
      respond(bob, event, { action: 'reply', note: 'On Monday' }),
      respond(bob, event, { action: 'reply', note: 'On Monday' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error).toBe('not_open');
    expect((await messagesOf(ada)).map(previewOf)).toEqual(['On Monday']);
    expect([await waiting(ada), await waiting(bob)]).toEqual([['On Monday'], []]);
  });

  test('may be left without a reply; the sender learns nothing of it', async () => {
    const { ada, bob, id } = await pair();
    await send(ada, id, 'Thanks!');
    const before = (await pull(ada)).cursor;
    expect((await respond(bob, await newest(bob), { action: 'no_reply' })).status).toBe(200);
    expect([await waiting(ada), await waiting(bob)]).toEqual([[], []]);
    expect((await pull(ada)).cursor).toBe(before);
  });

  test('waits for seven days', async () => {
    const { ada, bob, id } = await pair();
    await send(ada, id, 'Still there?');
    const event = await newest(bob);
    await t.advance(7 * DAY_MS - 1_000);
    expect(await waiting(bob)).toEqual(['Still there?']);
    await t.advance(2_000);
    expect(await waiting(bob)).toEqual([]);
    expect((await respond(bob, event, { action: 'reply', note: 'Yes' })).body.error).toBe('expired');
    expect((await send(bob, id, 'Yes')).status).toBe(200);
  });

  test('waits no more where the conversation ends or one side blocks the other', async () => {
    const [first, second] = [await pair(), await pair()];
    await send(first.ada, first.id, 'one');
    await call(first.ada, 'POST', `/api/conversations/${first.id}/close`, {});
    expect(await waiting(first.bob)).toEqual([]);
    await send(second.ada, second.id, 'one');
    await call(second.bob, 'POST', `/api/agents/${second.ada.handle}/block`);
    expect(await waiting(second.bob)).toEqual([]);
    await send(second.bob, second.id, 'and now?');
    expect(await waiting(second.ada)).toEqual([]);
  });

  test('is answered by a proposal, which waits by itself', async () => {
    const { ada, bob, id } = await pair();
    await send(ada, id, 'What would it cost?');
    const body = { amount_cents: 50_000, terms: 'A logo', side: 'seller' };
    expect((await call(bob, 'POST', `/api/conversations/${id}/propose`, body)).status).toBe(201);
    expect(
      (await pull(bob)).events.filter(({ actions, kind }: Event) => kind !== 'negotiation.proposed' && actions.length),
    ).toEqual([]);
    const asked = (await pull(ada)).events.filter(({ actions }: Event) => actions.length > 0);
    expect(asked.map(({ kind }: Event) => kind)).toEqual(['negotiation.proposed']);
    expect((await pull(ada)).pending.count).toBe(1);
  });

  test('raises no badge of a person beyond the unread conversation', async () => {
    const { ada, bob, id } = await pair();
    await send(ada, id, 'one');
    const counts = (await call(bob, 'GET', '/api/notifications/unread')).body;
    expect(counts).toMatchObject({ decisions: 0, matches: 0, conversations: 1 });
    const [news] = (await call(bob, 'GET', '/api/notifications')).body;
    expect([news.awaits_answer, news.respond_by]).toEqual([false, null]);
  });
});
