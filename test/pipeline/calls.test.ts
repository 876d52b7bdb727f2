// Operations called as any door calls them, without HTTP: what comes out is a value with its notes, or a fault, and a repeated
// key gives the same out again.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { type Call, type Ended, NO_CREDENTIALS, type Refused, Unreadable } from '../../src/pipeline/call.ts';
import { INPUT_MAX } from '../../src/pipeline/validate.ts';
import { routeCall, toolsOf } from '../../src/transports/tools.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows } from '../support/store.ts';

const t = sharedService();
let agent: TestAgent;
let token: string;
beforeAll(async () => {
  agent = await newAgent(t, { handle: 'caller', verified: true, pro: true });
  await newAgent(t, { handle: 'callee', verified: true });
  token = await signIn(t, agent.email);
});

function operationOf(name: string): AnyOperation {
  const found = t.service.operations.find((each) => each.name === name);
  if (!found) throw new Error(`no operation is named ${name}`);
  return found;
}

let calls = 0;

/** One call of an operation with the agent's key, unless `more` says otherwise. */
function call(name: string, input: Record<string, unknown>, more: Partial<Call> = {}): Promise<Ended> {
  calls += 1;
  return t.service.pipeline.run({
    operation: operationOf(name),
    input,
    bytes: 0,
    credential: { ...NO_CREDENTIALS, key: agent.key },
    acting: null,
    origin: { ip: '192.0.2.7', browser: false },
    idempotency_key: null,
    request_id: `call-${calls}`,
    ...more,
  });
}

function answered(ended: Ended) {
  if (!('reply' in ended)) throw new Error(`no answer: ${JSON.stringify(ended)}`);
  const { status, notes, replayed, reply } = ended;
  return { status, notes, replayed, text: reply.text, value: reply.value };
}

const session = (): Partial<Call> => ({ credential: { ...NO_CREDENTIALS, bearer: token } });
const keyed = (idempotency_key: string): Partial<Call> => ({ ...session(), idempotency_key });
const create = (handle: string, more: Partial<Call>) => call('agent.create', { handle, display_name: 'x' }, more);

test('a query answers a value, and how it ended', async () => {
  const ended = answered(await call('billing.limits', {}));
  expect(ended).toMatchObject({ status: 'ok', notes: {}, replayed: false, value: { plan: 'pro' } });
  expect(JSON.parse(ended.text)).toEqual(ended.value);
});

test('an answer names the agent that the call acted as', async () => {
  expect(await call('inbox.view', {})).toMatchObject({ agent_handle: 'caller' });
  expect(await call('billing.limits', {})).not.toHaveProperty('agent_handle');
});

test('a page answers its items, and notes where the next one begins', async () => {
  for (const name of ['one', 'two']) await call('key.create', { name }, session());
  const thread = answered(await call('conversation.start', { handle: 'callee', content: 'Hello' })).value;
  const { conversation_id } = thread as { conversation_id: string };
  await call('message.send', { conversation_id, content: 'More' });
  const page = answered(await call('message.list', { conversation_id, limit: 1 }));
  expect(page.value).toHaveLength(1);
  expect(page.notes).toEqual({ next_cursor: expect.any(String) });
});

test('what is made is told as created, and the same under a repeated key', async () => {
  const first = answered(await call('key.create', { name: 'ci' }, keyed('made')));
  const again = answered(await call('key.create', { name: 'ci' }, keyed('made')));
  expect(first).toMatchObject({ status: 'created', replayed: false, value: { name: 'ci' } });
  expect(again).toEqual({ ...first, replayed: true });
});

test('a fault is data, and a kept one names the request that got it first', async () => {
  const first = await create('callee', { ...keyed('taken'), request_id: 'first' });
  expect(first).toMatchObject({ refusal: { fault: 'handle_taken' } });
  expect(first).not.toHaveProperty('replayed');
  const again = await create('callee', { ...keyed('taken'), request_id: 'second' });
  const { refusal } = first as Refused;
  expect(again).toEqual({ refusal, replayed: { request_id: 'first' } });
});

test('what rests under a key is a value or a refusal, and nothing of a door', async () => {
  await create('callee', keyed('at-rest'));
  const rows = await readStoredRows(
    t.service.world.settings.data_dir,
    "SELECT status, notes, value FROM idempotency WHERE status = 'refused' LIMIT 1",
  );
  expect(rows[0]).toMatchObject({ status: 'refused' });
  expect(JSON.parse(String(rows[0]?.['value']))).toMatchObject({ error: 'handle_taken' });
  expect(String(rows[0]?.['notes'])).toBe('{}');
});

test('a call through REST and one without it are repetitions of each other', async () => {
  const body = { name: 'shared' };
  const first = await t.call('POST', '/api/developer/keys', { token, body, headers: { 'Idempotency-Key': 'shared' } });
  const again = answered(await call('key.create', body, keyed('shared')));
  expect(again).toMatchObject({ status: 'created', replayed: true, value: first.body });
});

test('a value above 64 KiB is replayed as its receipt', async () => {
  const large = { name: 'large', text: 'x'.repeat(70_000) };
  const planted = { ...operationOf('key.create'), decide: () => ({ reply: large }), output: {}, secret: false };
  const operation = planted as unknown as AnyOperation;
  const make = () => call('key.create', { name: 'large' }, { ...keyed('large'), operation });
  expect(answered(await make())).toMatchObject({ value: large, notes: {} });
  expect(answered(await make())).toMatchObject({ status: 'created', value: null, notes: { receipt: true } });
  const rest = await t.call('POST', '/api/developer/keys', {
    token,
    body: { name: 'large' },
    headers: { 'Idempotency-Key': 'large' },
  });
  expect(rest.body).toEqual({ receipt: true, status: 201, message: 'The answer was too large to keep.' });
});

test('what is kept and what leaves are one text, made once', async () => {
  let made = 0;
  const counted = { toJSON: () => ({ made: ++made }) };
  const planted = { ...operationOf('key.create'), decide: () => ({ reply: counted }), output: {}, secret: false };
  const operation = planted as unknown as AnyOperation;
  const make = () => call('key.create', { name: 'once' }, { ...keyed('once'), operation });
  expect([answered(await make()).text, answered(await make()).text, made]).toEqual(['{"made":1}', '{"made":1}', 1]);
});

describe('the door for mail', () => {
  const input = { raw: 'From: a@b.test\r\n\r\n\0', to: 'nobody@agents.localhost' };

  test('takes mail as itself, with no token', async () => {
    const refusal = { fault: 'not_found', message: 'There is no such mailbox, or its reply address has expired.' };
    expect(await call('mail.receive', input, { credential: 'mail' })).toMatchObject({ refusal });
    const platform = { credential: { ...NO_CREDENTIALS, platform: t.internal_token } };
    expect(await call('mail.receive', input, platform)).toMatchObject({ refusal });
  });

  test('reaches nothing else that the platform does, and nobody else reaches it', async () => {
    const unauthorized = { refusal: { fault: 'unauthorized' } };
    expect(await call('platform.outbox', {}, { credential: 'mail' })).toMatchObject(unauthorized);
    expect(await call('billing.limits', {}, { credential: 'mail' })).toMatchObject(unauthorized);
    expect(await call('mail.receive', input)).toMatchObject(unauthorized);
  });
});

describe('an input', () => {
  const blurb = (headline: unknown): Promise<Ended> => call('agent.update', { handle: 'caller', headline });

  test.each([
    ['NUL', 'a\0b', 'headline'],
    ['half a surrogate pair', 'a\ud800', 'headline'],
    ['either of them in the name of a field', { 'a\udc00': 1 }, 'headline.a\ufffd'],
    ['either of them deep inside', [['ok', { deep: '\0' }]], 'headline.0.1.deep'],
  ])('with %s is refused by the name of its field', async (_what, value, path) => {
    expect(await blurb(value)).toMatchObject({
      refusal: { fault: 'invalid_request', data: { fields: [{ path, message: expect.stringContaining('NUL') }] } },
    });
  });

  test('of whole surrogate pairs is text', async () => {
    expect(answered(await blurb('fine \u{1f600}')).value).toMatchObject({ headline: 'fine \u{1f600}' });
  });

  test('of more bytes than the operation takes is refused, whatever it holds', async () => {
    const sent = (bytes: number) => call('billing.limits', {}, { bytes });
    expect(await sent(INPUT_MAX + 1)).toMatchObject({
      refusal: { fault: 'payload_too_large', data: { limit_bytes: INPUT_MAX } },
    });
    expect(answered(await sent(INPUT_MAX)).status).toBe('ok');
  });

  test('that cannot be read is told to nobody who would not have been let in', async () => {
    const unreadable = new Unreadable({ fault: 'invalid_json', message: 'm', data: {} });
    const sent = (more: Partial<Call>) =>
      t.service.pipeline.run({
        operation: operationOf('billing.limits'),
        input: unreadable,
        bytes: 9,
        credential: { ...NO_CREDENTIALS, key: agent.key },
        acting: null,
        origin: { ip: '192.0.2.7', browser: false },
        idempotency_key: null,
        request_id: 'unreadable',
        ...more,
      });
    expect(await sent({})).toMatchObject({ refusal: { fault: 'invalid_json' } });
    expect(await sent({ credential: NO_CREDENTIALS })).toMatchObject({ refusal: { fault: 'unauthorized' } });
  });

  test('that names in an address what nobody can be called finds nothing', async () => {
    const named = ['handle'];
    expect(await call('agent.public', { handle: 'a\0b' }, { named })).toMatchObject({
      refusal: { fault: 'not_found' },
    });
    expect(await call('agent.public', { handle: 'a\0b' })).toMatchObject({ refusal: { fault: 'invalid_request' } });
  });

  test('whose acting agent is no text acts as nobody', async () => {
    for (const acting of ['a\0b', 'a\ud800', '']) {
      expect(await call('inbox.pull', {}, { acting })).toMatchObject({ refusal: { fault: 'not_found' } });
    }
  });
});

test('a token of the platform is not taken from a page in a browser', async () => {
  const credential = { ...NO_CREDENTIALS, platform: t.internal_token };
  const page = { ip: '192.0.2.7', browser: true };
  expect(await call('platform.outbox', { to: 'a@b.test' }, { credential, origin: page })).toMatchObject({
    refusal: { fault: 'unauthorized' },
  });
  expect(answered(await call('platform.outbox', { to: 'a@b.test' }, { credential })).status).toBe('ok');
});

test('a key reaches by a tool what by its address a session alone does, with the scope that the tool names', async () => {
  const tool = toolsOf(t.service.operations).find(({ name }) => name === 'mesh_get_trust_score');
  const routed = tool && routeCall(tool, {});
  if (!routed || 'fault' in routed) throw new Error('nothing tells of trust');
  const { route, input } = routed;
  expect(route.operation.name).toBe('trust.signals');
  expect(await call('trust.signals', input)).toMatchObject({ refusal: { fault: 'session_required' } });
  expect(answered(await call('trust.signals', input, { admits: route })).value).toHaveProperty('breakdown');
  const narrow = { access: 'key', scope: 'payments:write' } as const;
  expect(await call('trust.signals', {}, { admits: narrow })).toMatchObject({
    refusal: { fault: 'insufficient_scope', data: { required_scope: 'payments:write' } },
  });
  expect(await call('trust.signals', {}, { admits: route, credential: NO_CREDENTIALS })).toMatchObject({
    refusal: { fault: 'unauthorized' },
  });
});

test('a session keeps its refresh token by a note beside the value, and goes on with what was sent', async () => {
  await call('session.start', { email: 'noted@example.org' }, { credential: NO_CREDENTIALS });
  const code = t.mails.at(-1)?.text.match(/^(\d{6})$/m)?.[1];
  const begun = answered(
    await call('session.verify', { email: 'noted@example.org', code }, { credential: NO_CREDENTIALS }),
  );
  const refresh = begun.notes.refresh?.token ?? '';
  expect(begun.notes.refresh).toEqual({
    token: expect.any(String),
    page_token: expect.any(String),
    life_seconds: 30 * 86_400,
  });
  expect(begun.text).not.toContain(refresh);
  const next = answered(await call('session.refresh', {}, { credential: { ...NO_CREDENTIALS, refresh } }));
  expect(next.notes.refresh?.token).not.toBe(refresh);
  expect(await call('session.refresh', {}, { credential: NO_CREDENTIALS })).toMatchObject({
    refusal: { fault: 'unauthorized' },
  });
  expect(answered(await call('session.end', {}, { credential: NO_CREDENTIALS })).notes).toEqual({ refresh: null });
});

test('what is told of a refresh token is not kept', async () => {
  const end = () => call('session.end', {}, { credential: NO_CREDENTIALS, idempotency_key: 'end' });
  expect(answered(await end())).toMatchObject({ notes: { refresh: null }, replayed: false });
  expect(answered(await end())).toMatchObject({ notes: {}, replayed: true });
  expect(answered(await end()).notes).not.toHaveProperty('refresh');
});

test('a full mailbox says when to come back', async () => {
  const { mailbox } = t.service.directory.actor(agent.id);
  const blocked = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 1_001 }, () => mailbox.run(() => blocked.promise));
  const answer = await t.call('POST', '/api/inbox/test', { key: agent.key });
  blocked.resolve();
  await Promise.all(waiting);
  expect(answer).toMatchObject({ status: 503, body: { error: 'overloaded', retry_after_seconds: 1 } });
  expect(answer.headers.get('retry-after')).toBe('1');
});
