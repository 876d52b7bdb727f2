// Tasks: what sending one writes, what completes it, how it goes on, and who may see it.
import { describe, expect, test } from 'bun:test';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { eml, handIn, letterOf } from '../support/mail.ts';
import { eventsOf } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { said, taskCalls, text } from '../support/tasks.ts';

const t = sharedService();
const c = taskCalls(t);
let names = 0;

const fresh = (body?: Record<string, unknown>): Promise<TestAgent> =>
  newAgent(t, { handle: `task_${++names}`, pro: true, body });
const pair = async (): Promise<[TestAgent, TestAgent]> => [await fresh(), await fresh()];
const contents = async (who: TestAgent, conversation_id: string): Promise<string[]> => {
  const { body } = await t.call('GET', `/api/conversations/${conversation_id}`, { key: who.key });
  return body.messages.map(({ content }: { content: string }) => content).reverse();
};

describe('sending', () => {
  test('writes a message in the conversation of the two, and names the task to the other side', async () => {
    const [ada, bob] = await pair();
    const parts = [...text('Draw a logo.'), { kind: 'data', data: { size: 3 } }, ...text('In blue.')];
    const task = await c.sendTo(ada, bob, { parts, message_id: 'm1', metadata: { mine: 1 }, dialect: '1.0' });
    expect(task).toMatchObject({
      sender_handle: ada.handle,
      target_handle: bob.handle,
      state: 'working',
      status_message: null,
      history: [{ message_id: 'm1', role: 'user', sender: ada.handle, parts }],
      artifacts: [],
      metadata: { mine: 1 },
      last_n: 2,
      dialect: '1.0',
    });
    const { task_id, conversation_id } = task;
    const [started] = await eventsOf(t, bob, 'conversation.started');
    const [event] = await eventsOf(t, bob, 'conversation.updated');
    expect([started.data.conversation_id, event.data.conversation_id]).toEqual([conversation_id, conversation_id]);
    expect(event.data).toMatchObject({ task_id, sender: ada.handle, preview: 'Draw a logo. In blue.' });
    expect(await contents(bob, conversation_id)).toEqual(['Draw a logo.\nIn blue.']);
    expect((await c.sendTo(ada, bob)).conversation_id).toBe(conversation_id);
    expect((await c.get(bob, task_id)).body).toMatchObject({ task_id, state: 'working', history: [{ parts }] });
  });

  test('of no text shows a plain rendering in the conversation', async () => {
    const [ada, bob] = await pair();
    const file = { kind: 'file', url: 'https://files.example/a.png', media_type: 'image/png', name: 'a.png' };
    const { conversation_id } = await c.sendTo(ada, bob, { parts: [{ kind: 'data', data: { size: 3 } }, file] });
    expect(await contents(bob, conversation_id)).toEqual([
      '{"size":3}\n[a.png (image/png)] https://files.example/a.png',
    ]);
  });

  test('twice under one Idempotency-Key is one task; its largest message can be told again', async () => {
    const [ada, bob] = await pair();
    const data = 'ä'.repeat(23 * 1024);
    const body = { target_handle: bob.handle, parts: [...text('x'), { kind: 'data', data }], message_id: 'large' };
    const first = await c.send(ada, body, { 'Idempotency-Key': 'large' });
    const again = await c.send(ada, body, { 'Idempotency-Key': 'large' });
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect(first.body.history[0].parts[1].data).toBe(data);
    expect((await c.list(ada)).body.total).toBe(1);
  });

  test('answers as many of the newest messages as are asked for', async () => {
    const [ada, bob] = await pair();
    const { task_id } = await c.sendTo(ada, bob);
    await c.send(ada, { task_id, parts: text('two') });
    const shown = async (history_length?: number) => {
      const { body } = await c.send(ada, { task_id, parts: text(`asked for ${history_length}`), history_length });
      return body.history.map(({ parts }: { parts: { text: string }[] }) => parts[0]?.text);
    };
    expect(await shown(0)).toEqual([]);
    expect(await shown(1)).toEqual(['asked for 1']);
    expect(await shown(2)).toEqual(['asked for 1', 'asked for 2']);
    expect(await shown()).toHaveLength(6);
  });

  test('keeps the rules of a first word: who hides, who blocks, oneself, strangers by the day', async () => {
    const [ada, bob] = await pair();
    const [hidden, stealth] = [await fresh({ visibility: 'hidden' }), await fresh({ visibility: 'stealth' })];
    const to = async (target_handle: string, from = ada) => said(await c.send(from, { target_handle }));
    expect([await to(hidden.handle), await to(stealth.handle), await to('nobody_there')]).toEqual(
      Array(3).fill('404 not_found'),
    );
    expect(await to(ada.handle)).toBe('400 invalid_request');
    await t.call('POST', `/api/agents/${ada.handle}/block`, { key: bob.key });
    expect(await to(bob.handle)).toBe('403 blocked');
    const { key } = await newProvisional(t, `provisional_${++names}`);
    const others = await Promise.all(Array.from({ length: 6 }, () => fresh()));
    const answers = [];
    for (const { handle } of others) answers.push(await to(handle, { ...ada, key }));
    expect(answers).toEqual([...Array(5).fill('200'), '403 first_contact_limit']);
    expect((await c.list(ada)).body).toEqual({ tasks: [], next_cursor: null, total: 0 });
  });

  test('into a conversation that is named goes there and nowhere else', async () => {
    const [ada, bob] = await pair();
    const other = await fresh();
    const { conversation_id } = await c.sendTo(ada, bob);
    expect((await c.send(ada, { conversation_id })).body).toMatchObject({ conversation_id, target_handle: bob.handle });
    expect(said(await c.send(ada, { conversation_id, target_handle: other.handle }))).toBe('400 invalid_request');
    expect(said(await c.send(other, { conversation_id }))).toBe('404 not_found');
    await t.call('POST', `/api/conversations/${conversation_id}/close`, { key: bob.key });
    expect(said(await c.send(ada, { conversation_id }))).toBe('409 conversation_closed');
    expect((await c.sendTo(ada, bob)).conversation_id).not.toBe(conversation_id);
  });

  test.each([
    ['no part', { parts: [] }, 'parts'],
    ['no word', { parts: text(' ') }, 'parts'],
    ['too long a text', { parts: text('x'.repeat(16 * 1024 + 1)) }, 'parts'],
    ['too much data', { parts: [{ kind: 'data', data: 'x'.repeat(48 * 1024) }] }, 'parts'],
    ['a file that is nowhere', { parts: [...text('x'), { kind: 'file', name: 'a' }] }, 'parts.1'],
    ['a file that is twice', { parts: [{ kind: 'file', url: 'x:', bytes: 'AA==' }] }, 'parts.0'],
    ['metadata like a document', { metadata: { a: 'x'.repeat(4_096) } }, 'metadata'],
    ['nobody', { target_handle: undefined }, 'target_handle'],
  ])('of %s is refused by name, and writes nothing', async (_, body, path) => {
    const [ada, bob] = await pair();
    const answer = await c.send(ada, { target_handle: bob.handle, ...body });
    expect([said(answer), answer.body.fields?.[0].path]).toEqual(['400 invalid_request', path]);
    expect(await eventsOf(t, bob, 'conversation.started')).toEqual([]);
  });

  test('ends at 20 open ones in a conversation and 200 in all, until some have ended', async () => {
    const ada = await fresh();
    const others = await Promise.all(Array.from({ length: 11 }, () => fresh()));
    const conversations: string[] = [];
    for (const other of others.slice(0, 10)) {
      const sent = await Promise.all(Array.from({ length: 20 }, () => c.sendTo(ada, other)));
      conversations.push(sent[0].conversation_id);
    }
    const [first, last] = [others[0], others[10]];
    if (!first || !last) throw new Error('there are others');
    const full = await c.send(ada, { target_handle: first.handle });
    expect([said(full), full.body.limit]).toEqual(['403 plan_limit', 20]);
    const over = await c.send(ada, { target_handle: last.handle });
    expect([said(over), over.body.limit]).toEqual(['403 plan_limit', 200]);
    expect(await eventsOf(t, last, 'conversation.started')).toEqual([]);
    await c.say(first, conversations[0] ?? '', 'All done.');
    await c.sendTo(ada, last);
    await c.sendTo(ada, first);
    expect((await c.list(ada, 'state=completed')).body.total).toBe(20);
  }, 600_000);

  test('to the agent of the service is answered in the same commit', async () => {
    const ada = await fresh();
    const task = await c.sendTo(ada, { handle: 'concierge' });
    const answer = task.status_message.parts[0].text;
    expect(answer).toContain('http://localhost/llms.txt');
    expect(task).toMatchObject({ state: 'completed', artifacts: [{ parts: text(answer) }], last_n: 4 });
    expect(await contents(ada, task.conversation_id)).toEqual(['Draw a logo.', answer]);
    expect((await eventsOf(t, ada, 'conversation.updated')).map(({ data }) => data.sender)).toEqual(['concierge']);
    const again = await c.sendTo(ada, { handle: 'concierge' });
    expect([again.state, again.conversation_id]).toEqual(['completed', task.conversation_id]);
    expect(said(await c.send(ada, { task_id: task.task_id }))).toBe('409 task_ended');
  });
});

describe('an answer', () => {
  test('of the other side completes all that it was sent in that conversation, and nothing else', async () => {
    const [ada, bob] = await pair();
    const tasks = [await c.sendTo(ada, bob), await c.sendTo(ada, bob)];
    const [{ conversation_id }] = tasks;
    const own = await c.sendTo(bob, ada);
    const elsewhere = await c.sendTo(ada, await fresh());
    await c.say(ada, conversation_id, 'Are you there?');
    expect((await c.get(ada, own.task_id)).body).toMatchObject({ state: 'completed' });
    // Sending one was bob's answer to ada's two.
    const first = (await c.get(ada, tasks[0].task_id)).body;
    expect(first).toMatchObject({ state: 'completed', status_message: { parts: text('Draw a logo.') } });
    const third = await c.sendTo(ada, bob);
    const answer = (await c.say(bob, conversation_id, 'Done.')).body;
    expect((await c.get(ada, third.task_id)).body).toMatchObject({
      state: 'completed',
      status_message: { message_id: answer.message_id, role: 'agent', sender: bob.handle, parts: text('Done.') },
      artifacts: [{ parts: text('Done.') }],
      last_n: 4,
      history: [{ role: 'user' }, { role: 'agent' }],
    });
    expect((await c.get(ada, tasks[1].task_id)).body.status_message).toEqual(first.status_message);
    expect((await c.get(ada, elsewhere.task_id)).body.state).toBe('working');
  });

  test('of its endpoint moves one task alone, and its words stand in the conversation', async () => {
    const [ada, bob] = await pair();
    const [task, other] = [await c.sendTo(ada, bob), await c.sendTo(ada, bob)];
    await c.tell(bob, task.task_id, { state: 'input_required', parts: text('Which colour?') });
    expect((await c.get(ada, task.task_id)).body).toMatchObject({
      state: 'input_required',
      status_message: { parts: text('Which colour?') },
    });
    const next = await c.send(ada, { task_id: task.task_id, parts: text('Blue.'), message_id: 'm2' });
    expect(next.body).toMatchObject({ state: 'working', last_n: 4, status_message: null });
    expect(next.body.history.map((each: { message_id: string }) => each.message_id)[2]).toBe('m2');
    const artifacts = [
      { artifact_id: 'a', name: 'logo', parts: [{ kind: 'data' as const, data: [1] }] },
      { artifact_id: 'b', parts: text('and its text') },
    ];
    await c.tell(bob, task.task_id, { state: 'completed', artifacts });
    const done = (await c.get(bob, task.task_id)).body;
    expect(done).toMatchObject({ state: 'completed', artifacts, last_n: 7 });
    expect((await c.get(ada, other.task_id)).body.state).toBe('working');
    expect(await contents(ada, task.conversation_id)).toEqual([
      'Draw a logo.',
      'Draw a logo.',
      'Which colour?',
      'Blue.',
      'and its text',
    ]);
    await expect(c.tell(bob, task.task_id, { state: 'failed' })).rejects.toThrow();
  });

  test('in a mail completes it too', async () => {
    const [ada, bob] = await pair();
    const task = await c.sendTo(ada, bob);
    const { address } = await letterOf(t, bob, task.conversation_id);
    expect((await handIn(t, eml({ from: bob.email, to: address }))).body.outcome).toBe('posted');
    expect((await c.get(ada, task.task_id)).body.state).toBe('completed');
  });
});

describe('an id', () => {
  test('that its sender chose is its own: two agents may call theirs alike', async () => {
    const [ada, bob] = await pair();
    const other = await fresh();
    const old = { task_id: '1', dialect: '0.2' };
    const [mine, theirs] = [await c.sendTo(ada, bob, old), await c.sendTo(other, bob, old)];
    expect([mine.task_id, theirs.task_id]).toEqual(['1', '1']);
    expect((await c.sendTo(ada, bob, { ...old, parts: text('In blue.') })).last_n).toBe(3);
    const told = (await c.list(bob)).body.tasks.map((each: { task_id: string }) => each.task_id);
    expect(new Set(told).size).toBe(2);
    expect((await c.get(bob, told[1])).body).toMatchObject({ sender_handle: ada.handle, last_n: 3 });
    for (const who of [ada, other]) {
      expect((await c.get(who, '1')).body).toMatchObject({ task_id: '1', sender_handle: who.handle });
    }
    expect(said(await c.get(bob, '1'))).toBe('404 not_found');
  });

  test('sent at once by many makes one task, which gets all their messages', async () => {
    const [ada, bob] = await pair();
    const old = { task_id: 'at once', dialect: '0.2' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => c.send(ada, { target_handle: bob.handle, ...old })),
    );
    expect(answers.map(said)).toEqual(Array(5).fill('200'));
    const { body } = await c.get(ada, 'at once');
    expect([body.last_n, body.history.length, (await c.list(ada)).body.total]).toEqual([6, 5, 1]);
  });

  test('of no task is refused in the newer dialects', async () => {
    const [ada, bob] = await pair();
    for (const dialect of ['0.3', '1.0', undefined]) {
      const answer = await c.send(ada, { target_handle: bob.handle, task_id: 'unknown', dialect });
      expect(said(answer)).toBe('404 task_not_found');
    }
  });
});

describe('a task', () => {
  test('of others is as absent as one that never was', async () => {
    const [ada, bob] = await pair();
    const stranger = await fresh();
    const { task_id } = await c.sendTo(ada, bob);
    const never = Bun.randomUUIDv7();
    for (const call of [c.get, c.cancel]) {
      const [foreign, absent] = [await call(stranger, task_id), await call(stranger, never)];
      expect([said(foreign), foreign.body.message]).toEqual(['404 not_found', absent.body.message]);
    }
    expect(said(await c.cancel(bob, task_id))).toBe('404 not_found');
    expect(said(await c.send(bob, { task_id }))).toBe('404 task_not_found');
    expect((await c.get(ada, task_id)).body.state).toBe('working');
  });

  test('can be canceled by its sender while it is open, and takes no answer afterwards', async () => {
    const [ada, bob] = await pair();
    const { task_id, conversation_id } = await c.sendTo(ada, bob);
    expect((await c.cancel(ada, task_id)).body).toMatchObject({ state: 'canceled', last_n: 3, status_message: null });
    await c.say(bob, conversation_id, 'Done.');
    expect((await c.get(bob, task_id)).body).toMatchObject({ state: 'canceled', last_n: 3, artifacts: [] });
    expect(said(await c.cancel(ada, task_id))).toBe('409 task_not_cancelable');
    expect(said(await c.send(ada, { task_id }))).toBe('409 task_ended');
  });

  test('stands in the list of both sides, the last moved first, by pages and filters', async () => {
    const [ada, bob] = await pair();
    const tasks = [];
    for (let i = 0; i < 5; i += 1) {
      await t.advance(1_000);
      tasks.push((await c.sendTo(ada, i === 1 ? await fresh() : bob)).task_id);
    }
    const [a, b, d, e, f] = tasks;
    const since = new Date(t.clock.now()).toISOString();
    await t.advance(1_000);
    await c.cancel(ada, a);
    const ids = async (who: TestAgent, query = ''): Promise<string[]> =>
      (await c.list(who, query)).body.tasks.map((each: { task_id: string }) => each.task_id);
    expect(await ids(ada)).toEqual([a, f, e, d, b]);
    expect(await ids(bob)).toEqual([a, f, e, d]);
    expect(await ids(ada, `counterparty_handle=${bob.handle}&state=working`)).toEqual([f, e, d]);
    expect(await ids(bob, 'role=sender')).toEqual([]);
    expect(await ids(ada, `updated_after=${since}`)).toEqual([a, f]);
    const page = (await c.list(ada, 'limit=2&history_length=1&include_artifacts=true')).body;
    expect([page.total, page.tasks[1].history.length, page.tasks.length]).toEqual([5, 1, 2]);
    const walked = [...page.tasks];
    for (let cursor = page.next_cursor; cursor !== null; ) {
      const next = (await c.list(ada, `limit=2&cursor=${cursor}`)).body;
      walked.push(...next.tasks);
      cursor = next.next_cursor;
    }
    expect(walked.map((each) => each.task_id)).toEqual([a, f, e, d, b]);
    expect((await c.list(ada)).body.tasks[0].history).toEqual([]);
  });
});
