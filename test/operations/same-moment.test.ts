// What another call commits in the moment between a turn's look and its own commit: the turn must not stand on what it saw.
import { expect, test } from 'bun:test';
import type { Effect } from '../../db/effects.ts';
import { wholeThread } from '../../db/queries/conversation.ts';
import type { Read } from '../../db/store.ts';
import { isFault } from '../../src/domain/fault.ts';
import { markSeen, openConversation } from '../../src/steps/message/post.ts';
import { readBlocking } from '../../src/steps/message/thread.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { ctxOf, openThread } from '../support/threads.ts';

const t = sharedService();
let names = 0;

const fresh = (): Promise<TestAgent> => newAgent(t, { handle: `moment_${++names}`, verified: true, pro: true });
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Looks with `look`, lets `meanwhile` commit, and only then commits what `look` led to. */
function turnAround<S>(
  look: (read: Read) => Promise<S>,
  meanwhile: () => Promise<unknown>,
  effects: (seen: S) => readonly Effect<'blocked' | 'plan_limit'>[],
) {
  let over = false;
  return t.service.world.store.turn<null>({
    attempt: async (read) => {
      const seen = await look(read);
      if (!over) await meanwhile();
      over = true;
      return { reply: null, effects: effects(seen) };
    },
  });
}

test('a key that is revoked while its call waits for its turn writes nothing', async () => {
  const ada = await fresh();
  const { token } = ada;
  const { id, api_key } = (await t.call('POST', '/api/developer/keys', { token, body: { name: 'ci' } })).body;
  const ping = () => t.call('POST', '/api/inbox/test', { key: api_key });
  expect((await ping()).status).toBe(201);
  const told = async () => (await t.call('GET', '/api/inbox', { key: ada.key })).body.cursor;
  const before = await told();
  const actor = t.service.directory.actor(ada.id);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const holding = actor.mailbox.run(() => held);
  t.clock.moveTo(t.clock.now() + 1_000);
  const late = ping();
  // It was let in, and is in the mailbox.
  while (actor.last_seen_at !== t.clock.now()) await tick();
  expect((await t.call('DELETE', `/api/developer/keys/${id}`, { token })).status).toBe(200);
  letGo();
  await holding;
  expect((await late).status).toBe(401);
  expect(await told()).toBe(before);
});

test('a thread is not opened past a block that came after the look for one', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  const opened = await turnAround(
    (read) => readBlocking(read, bob.id, ada.id),
    () => t.call('POST', `/api/agents/${bob.handle}/block`, { key: ada.key }),
    (blocks) =>
      openConversation(ctxOf(t, bob.id), { opener: bob, other: ada, match_id: null, subject: 'A rope', blocks })
        .effects,
  );
  expect(isFault(opened) && opened.fault).toBe('blocked');
  expect((await t.call('GET', '/api/conversations', { key: bob.key })).body).toEqual([]);
});

test('a message that comes in while the thread is being read stays unread, on either side', async () => {
  for (const opens of [true, false]) {
    const [ada, bob] = [await fresh(), await fresh()];
    const [opener, other] = opens ? [ada, bob] : [bob, ada];
    const id = await openThread(t, { ...opener, account_id: opener.id }, { ...other, account_id: other.id });
    const say = () => t.call('POST', `/api/messages/${id}`, { key: ada.key, body: { content: 'hello' } });
    await say();
    const ctx = ctxOf(t, bob.id);
    await turnAround(
      (read) => read.peek(wholeThread, { id, limit: 1 }),
      say,
      (thread) => (thread ? markSeen(thread, bob.id, { ...ctx, principal: { ...ctx.principal, kind: 'key' } }) : []),
    );
    expect((await t.call('GET', '/api/conversations', { key: bob.key })).body).toMatchObject([{ unread: 1 }]);
  }
});
