// How tasks end without an answer: the conversation is closed, a side leaves, nobody answers in time; and how they go.

import { expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows } from '../support/store.ts';
import { said, taskCalls } from '../support/tasks.ts';

const t = sharedService();
const c = taskCalls(t);
let names = 0;

const fresh = (email?: string): Promise<TestAgent> => newAgent(t, { handle: `end_${++names}`, email, pro: true });
const stateOf = async (who: TestAgent, task_id: string): Promise<string> => (await c.get(who, task_id)).body.state;
const stored = (what: string): Promise<Record<string, unknown>[]> =>
  readStoredRows(t.service.world.settings.data_dir, what);

test('closing a conversation cancels the tasks of whoever closes it, and fails those of the other side', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  const { task_id, conversation_id } = await c.sendTo(ada, bob);
  const elsewhere = await c.sendTo(ada, await fresh());
  const theirs = (await c.sendTo(bob, await fresh())).task_id;
  const asked = (await c.sendTo(ada, bob)).task_id;
  await t.call('POST', `/api/conversations/${conversation_id}/close`, { key: bob.key });
  const failed = (await c.get(ada, task_id)).body;
  expect([failed.state, failed.status_message.parts[0].text]).toEqual(['failed', 'The conversation was closed.']);
  expect([await stateOf(ada, asked), await stateOf(ada, elsewhere.task_id)]).toEqual(['failed', 'working']);
  expect(await stateOf(bob, theirs)).toBe('working');
  const again = await c.sendTo(ada, bob);
  await t.call('POST', `/api/conversations/${again.conversation_id}/close`, { key: ada.key });
  expect(await stateOf(ada, again.task_id)).toBe('canceled');
  expect(
    await stored(`select id from conversations where opener_tasks + other_tasks > 0 and status = 'closed'`),
  ).toEqual([]);
});

test('an agent that is deactivated cancels what it sent and fails what it was sent; no more can be sent to it', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  const sent: string[] = [];
  const taken: string[] = [];
  // Not in one conversation, where the one would answer the other.
  for (let i = 0; i < 4; i += 1) {
    sent.push((await c.sendTo(ada, await fresh())).task_id);
    taken.push((await c.sendTo(await fresh(), ada)).task_id);
  }
  const kept = (await c.sendTo(ada, bob)).task_id;
  const conversation_id = (await c.get(bob, kept)).body.conversation_id;
  await t.call('DELETE', `/api/agents/${ada.handle}`, { key: ada.key });
  const states = await stored('select id, state from tasks');
  const of = (ids: readonly string[]) => ids.map((id) => states.find((row) => row.id === id)?.state);
  expect([of(sent), of(taken)]).toEqual([Array(4).fill('canceled'), Array(4).fill('failed')]);
  expect(await stateOf(bob, kept)).toBe('canceled');
  expect(said(await c.send(bob, { conversation_id }))).toBe('404 not_found');
  expect(said(await c.send(bob, { target_handle: ada.handle }))).toBe('404 not_found');
});

test('a block leaves what is open to whoever blocks: it may answer, and is not written to', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  const { task_id, conversation_id } = await c.sendTo(ada, bob);
  await t.call('POST', `/api/agents/${ada.handle}/block`, { key: bob.key });
  expect([await stateOf(ada, task_id), said(await c.send(ada, { task_id }))]).toEqual(['working', '403 blocked']);
  await c.say(bob, conversation_id, 'No.');
  expect(await stateOf(ada, task_id)).toBe('completed');
});

test('what nobody answers for 30 days has failed; each word about a task puts that off', async () => {
  const [ada, bob] = [await newAgent(t, { handle: 'waiting' }), await fresh()];
  const { task_id, conversation_id } = await c.sendTo(ada, bob);
  const alone = (await c.sendTo(ada, await fresh())).task_id;
  await t.advance(20 * DAY_MS);
  await c.send(ada, { task_id });
  await t.advance(20 * DAY_MS);
  expect([await stateOf(ada, alone), await stateOf(ada, task_id)]).toEqual(['failed', 'working']);
  await t.advance(10 * DAY_MS);
  const { body } = await c.get(ada, task_id);
  expect([body.state, body.status_message.parts[0].text]).toEqual(['failed', 'There was no answer in time.']);
  await c.say(bob, conversation_id, 'Sorry, I was away.');
  expect(await stateOf(ada, task_id)).toBe('failed');
});

test('a word about one task puts off no other of its conversation', async () => {
  const [ada, bob] = [await newAgent(t, { handle: 'patient' }), await fresh()];
  const [spoken, silent] = [(await c.sendTo(ada, bob)).task_id, (await c.sendTo(ada, bob)).task_id];
  await t.advance(20 * DAY_MS);
  await c.send(ada, { task_id: spoken });
  await t.advance(11 * DAY_MS);
  expect([await stateOf(ada, spoken), await stateOf(ada, silent)]).toEqual(['working', 'failed']);
  await t.advance(20 * DAY_MS);
  expect(await stateOf(ada, spoken)).toBe('failed');
});

test('30 days after its end a task is gone, with its updates; its sender’s id is free again', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  const old = { task_id: 'mine', dialect: '0.2' };
  const { conversation_id } = await c.sendTo(ada, bob, old);
  const open = await c.sendTo(ada, await fresh());
  await t.advance(20 * DAY_MS);
  await c.send(ada, { task_id: open.task_id });
  await c.say(bob, conversation_id, 'Done.');
  await t.advance(29 * DAY_MS);
  expect(await stateOf(ada, 'mine')).toBe('completed');
  await c.send(ada, { task_id: open.task_id });
  await t.advance(DAY_MS - 1);
  // Rows are taken away once a minute: between two such times it is as absent.
  t.clock.moveTo(t.clock.now() + 1);
  expect(await stored(`select id from tasks where client_id = 'mine'`)).toHaveLength(1);
  expect(said(await c.get(ada, 'mine'))).toBe('404 not_found');
  expect((await c.list(ada)).body.tasks.map((each: { task_id: string }) => each.task_id)).toEqual([open.task_id]);
  await t.advance(0);
  expect(await stored(`select id from tasks where client_id = 'mine'`)).toEqual([]);
  const left = await stored(`select task_id from task_updates group by task_id`);
  const tasks = await stored('select id from tasks');
  expect(left.map(({ task_id }) => task_id).sort()).toEqual(tasks.map(({ id }) => id).sort());
  expect((await c.sendTo(ada, bob, old)).last_n).toBe(2);
});
