// Who follows a thread misses nothing and meets nothing twice, whatever ids its messages were given: an id is made before
// its commit, on a clock that may stand behind another node's; the place in the thread is the commit's own.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Clock } from '../../actors/clock.ts';
import { isFault } from '../../src/domain/fault.ts';
import { post } from '../../src/steps/message/post.ts';
import { threadToPost } from '../../src/steps/message/thread.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { openTestService, START_MS, type TestAnswer, type TestService } from '../support/testbed.ts';
import { agentNamed, ctxOf, openThread, type TestAgent } from '../support/threads.ts';
import { virtualClock } from '../support/virtual-clock.ts';

interface Told {
  readonly message_id: string;
  readonly content: string;
}

/** A service whose ids are made by a clock that can be set back, as a node's may be. */
function lagging(clock: Clock): { readonly id: () => string; lag_ms: number } {
  const source = { lag_ms: 0, id: () => Bun.randomUUIDv7('hex', clock.now() - source.lag_ms) };
  return source;
}

const send = async (t: TestService, who: TestAgent, thread: string, content: string): Promise<string> => {
  const { status, body } = await t.call('POST', `/api/messages/${thread}`, { key: who.key, body: { content } });
  expect(status).toBe(200);
  return body.message_id;
};
const read = (t: TestService, who: TestAgent, thread: string, query = ''): Promise<TestAnswer> =>
  t.call('GET', `/api/messages/${thread}${query}`, { key: who.key });
const contents = ({ body }: TestAnswer): string[] => body.map(({ content }: Told) => content);

describe('a message that commits later with an earlier id', () => {
  const clock = virtualClock(START_MS);
  const ids = lagging(clock);
  let t: TestService;
  let ada: TestAgent;
  let bob: TestAgent;
  let thread: string;
  let first: string;
  let second: string;
  let late: string;

  beforeAll(async () => {
    t = await openTestService({}, 'memory', { clock, id: ids.id });
    ada = await agentNamed(t, 'ada_places');
    bob = await agentNamed(t, 'bob_places');
    thread = await openThread(t, ada, bob);
    first = await send(t, ada, thread, 'one');
    second = await send(t, ada, thread, 'two');
    ids.lag_ms = 60_000;
    late = await send(t, bob, thread, 'three');
    ids.lag_ms = 0;
  });
  afterAll(() => t.close());

  test('comes to whoever reads after the message that was there before it', async () => {
    expect(late < first).toBe(true);
    expect(contents(await read(t, ada, thread, `?after=${second}`))).toEqual(['three']);
    expect(contents(await read(t, ada, thread, `?after=${second.toUpperCase()}`))).toEqual(['three']);
    expect(contents(await read(t, ada, thread, `?after=${first}`))).toEqual(['three', 'two']);
    expect(contents(await read(t, ada, thread, `?after=${late}`))).toEqual([]);
  });

  test('is the newest of the thread, in its pages and as its last message', async () => {
    expect(contents(await read(t, ada, thread))).toEqual(['three', 'two', 'one']);
    const { body } = await t.call('GET', `/api/conversations/${thread}`, { key: ada.key });
    expect(body.last_message.message_id).toBe(late);
    expect(body.messages.map(({ message_id }: Told) => message_id)).toEqual([late, second, first]);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: TestAnswer = await read(t, ada, thread, `?limit=1${cursor && `&cursor=${cursor}`}`);
      paged.push(...contents(page));
      cursor = page.headers.get('x-next-cursor');
    }
    expect(paged).toEqual(['three', 'two', 'one']);
    expect(contents(await read(t, ada, thread, `?cursor=${late}&after=${first}`))).toEqual(['two']);
  });

  test('is met too by whoever read between its id and its commit', async () => {
    const { store } = t.service.world;
    const held_up = await openThread(t, ada, bob);
    const mark = await send(t, ada, held_up, 'begin');
    await t.advance(1_000);
    const gate = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<string>();
    const held = store.turn<null>({
      attempt: async (from) => {
        const posted = post(ctxOf(t, ada.account_id), ada, await threadToPost(from, held_up, ada.id), 'held');
        if (isFault(posted)) throw new Error(posted.fault);
        taken.resolve(posted.row.id);
        await gate.promise;
        return { reply: null, effects: posted.effects };
      },
    });
    const early = await taken.promise;
    await t.advance(1_000);
    const overtaking = await send(t, bob, held_up, 'overtakes');
    expect(early < overtaking).toBe(true);
    expect(contents(await read(t, bob, held_up, `?after=${mark}`))).toEqual(['overtakes']);
    gate.resolve();
    await held;
    expect(contents(await read(t, bob, held_up, `?after=${overtaking}`))).toEqual(['held']);
  });

  test('an id of no message of the thread stands where its time would be', async () => {
    const other = await openThread(t, ada, bob);
    const ids_there: string[] = [];
    for (let n = 0; n < 9; n += 1) {
      await t.advance(1_000);
      ids_there.push(await send(t, ada, other, `${n}`));
    }
    const between = (n: number): string => Bun.randomUUIDv7('hex', t.clock.now() - (8 - n) * 1_000 + 500);
    for (const n of [-1, 0, 3, 7, 8]) {
      const unknown = between(n);
      const rising = Array.from({ length: 9 }, (_, each) => `${each}`);
      const after = await read(t, ada, other, `?after=${unknown}`);
      expect(contents(after)).toEqual(rising.slice(n + 1).toReversed());
      expect(contents(await read(t, ada, other, `?cursor=${unknown}`))).toEqual(rising.slice(0, n + 1).toReversed());
    }
    // The mark of a reader that keeps one for all of its threads.
    expect(contents(await read(t, ada, other, `?after=${second}`))).toHaveLength(9);
    expect(contents(await read(t, ada, thread, `?after=${ids_there[8]}`))).toEqual([]);
    for (const unknown of ['00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff']) {
      const [after, cursor] = await Promise.all(
        ['after', 'cursor'].map((n) => read(t, ada, other, `?${n}=${unknown}`)),
      );
      expect(contents(after as TestAnswer).length + contents(cursor as TestAnswer).length).toBe(9);
    }
    const empty = await openThread(t, ada, bob);
    expect(contents(await read(t, ada, empty, `?after=${first}`))).toEqual([]);
  });

  test('a message that is refused leaves no hole', async () => {
    const closed = await openThread(t, ada, bob);
    await send(t, ada, closed, 'x');
    await t.call('POST', `/api/conversations/${closed}/close`, { key: bob.key, body: {} });
    expect((await t.call('POST', `/api/messages/${closed}`, { key: ada.key, body: { content: 'y' } })).status).toBe(
      409,
    );
    expect(contents(await read(t, ada, closed))).toEqual(['x']);
  });
});

const server = await sharedPostgres();

describe.skipIf(server === null)('two nodes that write into one thread', () => {
  test('never let a follower pass a message, though one clock stands behind the other', async () => {
    if (!server) return;
    const clock = virtualClock(START_MS);
    const parts = { database_url: await server.migrated(), clock };
    const behind = lagging(clock);
    const one = await openTestService({}, 'memory', parts);
    const other = await openTestService({}, 'memory', { ...parts, id: behind.id });
    const ada = await agentNamed(one, 'ada_nodes');
    const bob = await agentNamed(one, 'bob_nodes');
    const thread = await openThread(one, ada, bob);
    await send(one, ada, thread, 'begin');
    behind.lag_ms = 5_000;

    const sent: string[] = [];
    const write = async (t: TestService, who: TestAgent): Promise<void> => {
      for (let n = 0; n < 40; n += 1) sent.push(await send(t, who, thread, `${who.handle} ${n}`));
    };
    const met: string[] = [];
    let mark = (await read(one, ada, thread)).body[0].message_id;
    let done = false;
    const follow = async (): Promise<void> => {
      for (let last = false; !last; ) {
        last = done;
        const { body } = await read(one, ada, thread, `?after=${mark}&limit=100`);
        met.push(...body.map(({ message_id }: Told) => message_id).toReversed());
        mark = met.at(-1) ?? mark;
      }
    };
    const following = follow();
    await Promise.all([write(one, ada), write(other, bob), write(one, ada), write(other, bob)]);
    done = true;
    await following;
    expect(met.toSorted()).toEqual(sent.toSorted());
    expect(new Set(met).size).toBe(160);
    await Promise.all([one.close(), other.close()]);
  }, 600_000);
});
