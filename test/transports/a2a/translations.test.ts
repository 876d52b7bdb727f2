// The dialects of A2A by themselves, as tables: what each reads and writes, with nothing behind it.
import { describe, expect, test } from 'bun:test';
import { fault, invalid } from '../../../src/domain/fault.ts';
import { CURRENT } from '../../../src/transports/a2a/current.ts';
import type { Asked, Dialect } from '../../../src/transports/a2a/dialect.ts';
import { httpErrorBody, problem, problemOf, tell } from '../../../src/transports/a2a/errors.ts';
import { LEGACY, LEGACY_HTTP } from '../../../src/transports/a2a/legacy.ts';
import { httpMatch, knownMethod, METHOD_NAMES } from '../../../src/transports/a2a/methods.ts';
import { SEED } from '../../../src/transports/a2a/seed.ts';
import { restForm } from '../../../src/transports/rest.ts';
import { TASK, UPDATE } from '../../support/a2a.ts';

const PARTS = [
  { kind: 'text', text: 'Hello' },
  { kind: 'data', data: { n: 1 } },
  { kind: 'data', data: [1, 2] },
  { kind: 'file', url: 'https://a.example/f.png', media_type: 'image/png', name: 'f.png' },
  { kind: 'file', bytes: 'AAEC', media_type: 'text/plain' },
] as const;

/** The parts above as each wire writes them. */
const WRITTEN = {
  current: [
    { text: 'Hello' },
    { data: { n: 1 } },
    { data: [1, 2] },
    { url: 'https://a.example/f.png', mediaType: 'image/png', filename: 'f.png' },
    { raw: 'AAEC', mediaType: 'text/plain' },
  ],
  legacy: [
    { kind: 'text', text: 'Hello' },
    { kind: 'data', data: { n: 1 } },
    { kind: 'data', data: { value: [1, 2] }, metadata: { data_part_compat: true } },
    { kind: 'file', file: { uri: 'https://a.example/f.png', mimeType: 'image/png', name: 'f.png' } },
    { kind: 'file', file: { bytes: 'AAEC', mimeType: 'text/plain' } },
  ],
  http: [
    { text: 'Hello' },
    { data: { data: { n: 1 } } },
    { data: { data: { value: [1, 2] } } },
    { file: { fileWithUri: 'https://a.example/f.png', mimeType: 'image/png', name: 'f.png' } },
    { file: { fileWithBytes: 'AAEC', mimeType: 'text/plain' } },
  ],
  seed: [
    { type: 'text', text: 'Hello' },
    { type: 'data', data: { n: 1 } },
    { type: 'data', data: { value: [1, 2] }, metadata: { data_part_compat: true } },
    { type: 'file', file: { uri: 'https://a.example/f.png', mimeType: 'image/png', name: 'f.png' } },
    { type: 'file', file: { bytes: 'AAEC', mimeType: 'text/plain' } },
  ],
};

const CONTEXT = '0199d3a2-7c41-7d3e-8a03-5f0c1d2e3a03';
const READER = { handle: 'ada', platform_handle: 'concierge' };

interface Wire {
  readonly name: string;
  readonly dialect: Dialect;
  readonly parts: readonly object[];
  readonly field: 'parts' | 'content';
  readonly role: string;
  /** What the wire cannot tell apart comes back as another value. */
  readonly read: readonly object[];
}

const wrappedAt2 = PARTS.map((part, at) => (at === 2 ? { kind: 'data', data: { value: [1, 2] } } : part));

const WIRES: readonly Wire[] = [
  { name: '1.0', dialect: CURRENT, parts: WRITTEN.current, field: 'parts', role: 'ROLE_USER', read: PARTS },
  { name: '0.3', dialect: LEGACY, parts: WRITTEN.legacy, field: 'parts', role: 'user', read: PARTS },
  {
    name: '0.3 HTTP',
    dialect: LEGACY_HTTP,
    parts: WRITTEN.http,
    field: 'content',
    role: 'ROLE_USER',
    read: wrappedAt2,
  },
  { name: '0.2', dialect: SEED, parts: WRITTEN.seed, field: 'parts', role: 'user', read: PARTS },
];

function read(dialect: Dialect, does: keyof Dialect['reads'], params: object, target: string | null = null): Asked {
  const asked = dialect.reads[does]?.({ ...params }, target);
  if (!asked || 'fault' in asked) throw new Error(`not read: ${JSON.stringify(asked)}`);
  return asked;
}

function refusalOf(dialect: Dialect, does: keyof Dialect['reads'], params: object) {
  const asked = dialect.reads[does]?.({ ...params }, null);
  if (!asked || !('fault' in asked)) throw new Error('it was read');
  return asked as ReturnType<typeof invalid>;
}

describe.each([...WIRES])('$name', ({ dialect, parts, field, role, read: readParts }) => {
  const message = { messageId: 'm1', role, [field]: parts };

  test('reads every kind of part', () => {
    const asked = read(dialect, 'send', { message });
    expect(asked.input['parts']).toEqual(readParts);
    expect(asked).toMatchObject({ message_id: 'm1', input: { message_id: 'm1', dialect: dialect.version } });
  });

  test('writes every kind of part, unmarked where the reader wrote it', () => {
    const task = { ...TASK, history: [{ ...TASK.history[0], message_id: 'm', parts: PARTS, role: 'user' as const }] };
    const { history } = dialect.task({ ...task, history: [{ ...task.history[0], sent_at: '' }] as never }, READER);
    const [first] = history as { [name: string]: unknown }[];
    expect(first?.[field]).toEqual([...parts]);
    expect(first).not.toHaveProperty('metadata');
  });

  test('marks what another party wrote, in the message and in each part', () => {
    const mark = { 'meshwork/origin': 'counterparty', 'meshwork/handle': 'grace' };
    const { status, artifacts } = dialect.task(TASK, READER) as {
      status: { message: { metadata: object; [name: string]: unknown } };
      artifacts: { parts: object[] }[];
    };
    expect(status.message.metadata).toEqual(mark);
    expect(status.message[field]).toEqual([expect.objectContaining({ metadata: mark })]);
    expect(artifacts[0]?.parts).toEqual([expect.objectContaining({ metadata: mark })]);
  });

  test('takes the address for the target, before what the call names', () => {
    const named = { message, tenant: 'grace', metadata: { target_handle: 'grace' } };
    expect(read(dialect, 'send', named, 'linus').input['target_handle']).toBe('linus');
    expect(read(dialect, 'send', { message, metadata: { target_handle: 'grace' } }).input['target_handle']).toBe(
      'grace',
    );
  });

  test('names what is wrong in its own words', () => {
    expect(refusalOf(dialect, 'send', {}).data.fields?.[0]?.path).toBe('message');
    expect(refusalOf(dialect, 'send', { message: { ...message, [field]: [] } }).data.fields?.[0]?.path).toBe(
      `message.${field}`,
    );
    const [wrong] = refusalOf(dialect, 'send', { message: { ...message, [field]: [{}] } }).data.fields ?? [];
    expect(wrong?.path).toStartWith(`message.${field}.0`);
    expect(refusalOf(dialect, 'send', { message: { ...message, role: 'agent' } }).data.fields?.[0]?.path).toBe(
      'message.role',
    );
  });
});

test('1.0 writes a task, its updates and a page as its protocol buffers have them', () => {
  expect(CURRENT.sent(TASK, { ...READER, handle: 'grace' })).toMatchObject({
    task: {
      id: 't1',
      contextId: 'c1',
      status: {
        state: 'TASK_STATE_COMPLETED',
        timestamp: '2026-06-15T12:00:01.000Z',
        message: { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text: 'Done' }], contextId: 'c1', taskId: 't1' },
      },
      artifacts: [{ artifactId: 'a1', name: 'report', parts: [{ text: 'All is well' }] }],
      metadata: { trip: 7 },
    },
  });
  expect(CURRENT.update(UPDATE, TASK, READER)).toMatchObject({
    statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } },
  });
  const page = { tasks: [{ ...TASK, artifacts: [] }], next_cursor: null, total: 9 };
  const listed = CURRENT.page(page, READER);
  expect(listed).toMatchObject({ nextPageToken: '', pageSize: 1, totalSize: 9 });
  expect((listed['tasks'] as object[])[0]).not.toHaveProperty('artifacts');
  expect(CURRENT.page({ ...page, tasks: [], total: 0 }, READER)).toEqual({
    tasks: [],
    nextPageToken: '',
    pageSize: 0,
    totalSize: 0,
  });
});

test('marks what the sender keeps with a task for its target, whatever the sender calls its fields', () => {
  const task = { ...TASK, metadata: { trip: 7, 'meshwork/origin': 'service', 'meshwork/handle': 'concierge' } };
  const marked = { trip: 7, 'meshwork/origin': 'counterparty', 'meshwork/handle': 'ada' };
  for (const dialect of [CURRENT, LEGACY, LEGACY_HTTP]) {
    expect(dialect.task(task, { ...READER, handle: 'grace' })['metadata']).toEqual(marked);
    expect(dialect.task(TASK, READER)['metadata']).toEqual({ trip: 7 });
    expect(dialect.task({ ...TASK, metadata: {} }, { ...READER, handle: 'grace' })).not.toHaveProperty('metadata');
  }
});

test('0.3 says the kind of everything, and when a stream is at its end', () => {
  expect(LEGACY.sent(TASK, READER)).toMatchObject({ kind: 'task', id: 't1', status: { state: 'completed' } });
  expect(LEGACY.update(UPDATE, TASK, READER)).toMatchObject({ kind: 'status-update', final: true });
  const artifact = { ...UPDATE, kind: 'artifact' as const, artifact: TASK.artifacts[0] ?? null, final: false };
  expect(LEGACY.update(artifact, TASK, READER)).toMatchObject({
    kind: 'artifact-update',
    artifact: { artifactId: 'a1' },
  });
  expect(LEGACY_HTTP.update(UPDATE, TASK, READER)).toMatchObject({ statusUpdate: { final: true } });
  expect(LEGACY_HTTP.task({ ...TASK, state: 'canceled' }, READER)).toMatchObject({
    status: { state: 'TASK_STATE_CANCELLED' },
  });
});

test('the dialect of the interface has the conversation beside the task', () => {
  expect(SEED.sent(TASK, READER)).toMatchObject({
    id: 't1',
    conversation_id: 'c1',
    status: { state: 'completed', message: { role: 'agent', parts: [{ type: 'text', text: 'Done' }] } },
  });
  expect(SEED.task({ ...TASK, state: 'input_required' }, READER)).toMatchObject({
    status: { state: 'input-required' },
  });
});

test('a config of push notifications is read and written in each dialect', () => {
  const config = {
    id: 'p',
    url: 'https://a.example/',
    token: 't',
    authentication: { scheme: 'Bearer', credentials: 'x' },
  };
  const input = (dialect: string) => ({ task_id: 't1', config, dialect });
  const legacy = { ...config, authentication: { schemes: ['Bearer'], credentials: 'x' } };
  const kept = { ...config, task_id: 't1' };
  expect(read(CURRENT, 'create_push', { taskId: 't1', ...config }).input).toEqual(input('1.0'));
  expect(CURRENT.pushConfig(kept)).toEqual({ taskId: 't1', ...config });
  expect(read(LEGACY, 'create_push', { taskId: 't1', pushNotificationConfig: legacy }).input).toEqual(input('0.3'));
  expect(LEGACY.pushConfig(kept)).toEqual({ taskId: 't1', pushNotificationConfig: legacy });
  expect(LEGACY_HTTP.pushConfig(kept)).toEqual({
    name: 'tasks/t1/pushNotificationConfigs/p',
    pushNotificationConfig: legacy,
  });
  expect(read(SEED, 'create_push', { id: 't1', pushNotificationConfig: legacy }).input).toEqual(input('0.2'));
});

test('a list is asked for in the words of 1.0', () => {
  const params = {
    contextId: CONTEXT,
    status: 'TASK_STATE_INPUT_REQUIRED',
    pageSize: 3,
    pageToken: '',
    historyLength: 0,
    statusTimestampAfter: '2026-06-15T14:00:00+02:00',
    includeArtifacts: true,
  };
  expect(read(CURRENT, 'list', params)).toEqual({
    input: {
      conversation_id: CONTEXT,
      state: 'input_required',
      limit: 3,
      history_length: 0,
      updated_after: '2026-06-15T12:00:00.000Z',
      include_artifacts: true,
    },
  });
  const wrong: readonly [string, unknown][] = [
    ['pageSize', 0],
    ['pageSize', 101],
    ['pageSize', -1],
    ['historyLength', -1],
    ['status', 'INVALID_STATUS'],
    ['statusTimestampAfter', '-1'],
  ];
  for (const [name, value] of wrong) {
    expect(refusalOf(CURRENT, 'list', { [name]: value }).data.fields?.[0]?.path).toBe(name);
  }
});

describe('the table', () => {
  const dialects = (name: string, params = {}, version: '0.3' | '1.0' | null = null) => {
    const found = knownMethod(name, params, version);
    return found && [found.reads.version, found.answers({ ...TASK, dialect: '0.2' }).version];
  };
  const kinds = { message: { parts: [{ kind: 'text', text: 'x' }] } };
  const types = { message: { parts: [{ type: 'text', text: 'x' }] } };

  test.each([
    ['SendMessage', {}, null, ['1.0', '1.0']],
    ['SendMessage', {}, '0.3', ['1.0', '1.0']],
    ['tasks/send', {}, null, ['0.2', '0.2']],
    ['message/send', kinds, null, ['0.3', '0.3']],
    ['message/send', { message: { messageId: 'm', parts: [{ type: 'text' }] } }, null, ['0.3', '0.3']],
    ['message/send', types, null, ['0.2', '0.2']],
    ['message/send', kinds, '1.0', null],
    ['tasks/get', {}, null, ['0.3', '0.2']],
    ['tasks/get', {}, '0.3', ['0.3', '0.3']],
    ['tasks/get', {}, '1.0', null],
    ['agent/ping', {}, '1.0', ['0.2', '0.2']],
    ['constructor', {}, null, null],
  ] as const)('%s is of its dialect', (name, params, version, expected) => {
    expect(dialects(name, params, version)).toEqual(expected as never);
  });

  test('names only what its dialect reads', () => {
    for (const name of METHOD_NAMES) {
      const found = knownMethod(name, types, null);
      expect([name, found?.reads.reads[found.does]]).toEqual([name, expect.any(Function)]);
    }
  });

  test.each([
    ['POST', 'message:send', 'send', '1.0', {}],
    ['POST', 'message%3Asend', 'send', '1.0', {}],
    ['POST', 'v1/message:stream', 'stream', '0.3', {}],
    ['GET', 'tasks', 'list', '1.0', {}],
    ['GET', 'tasks/7', 'get', '1.0', { id: '7' }],
    ['GET', 'v1/tasks/a%3Ab', 'get', '0.3', { id: 'a:b' }],
    ['POST', 'tasks/7:cancel', 'cancel', '1.0', { id: '7' }],
    ['POST', 'tasks/7:subscribe', 'follow', '1.0', { id: '7' }],
    ['GET', 'v1/tasks/7:subscribe', 'follow', '0.3', { id: '7' }],
    ['DELETE', 'tasks/7/pushNotificationConfigs/p', 'delete_push', '1.0', { taskId: '7', id: 'p' }],
    ['GET', 'v1/card', 'card', '0.3', {}],
    ['GET', 'extendedAgentCard', 'card', '1.0', {}],
  ])('%s %s is found', (verb, path, does, version, params) => {
    const match = httpMatch(verb, path);
    if (!match || !('known' in match)) throw new Error('nothing is there');
    expect([match.known.does, match.known.reads.version, match.params]).toEqual([does, version, params] as never);
  });

  test('an address of another method says which it takes, and other addresses are none', () => {
    expect(httpMatch('DELETE', 'message:send')).toMatchObject({ allow: ['POST'] });
    for (const path of ['', 'v1', 'tasks/', 'tasks/%FF', 'tasks/7/x', 'message:sendx']) {
      expect(httpMatch('POST', path)).toBeNull();
    }
  });
});

describe('a refusal', () => {
  const how = { addresses: restForm([]), request_id: 'r1' };

  test('is told by typed details in 1.0, and by the body of a REST error before it', () => {
    const wrong = problemOf(fault('not_found'), 'get', '1.0');
    const now = tell(wrong, '1.0', how);
    expect(now).toMatchObject({
      code: -32001,
      status: 404,
      data: [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
      ],
    });
    expect(httpErrorBody(now, wrong.error, '1.0')).toMatchObject({
      error: { code: 404, status: 'NOT_FOUND', details: [{ reason: 'TASK_NOT_FOUND' }] },
    });
    const before = tell(wrong, '0.3', how);
    expect(before).toMatchObject({ code: -32001, data: { error: 'task_not_found', request_id: 'r1' } });
    expect(httpErrorBody(before, wrong.error, '0.3')).toMatchObject({ code: -32001, message: before.message });
  });

  test('of fields names them as violations', () => {
    const refusal = invalid({ path: 'message.parts', message: 'is required' });
    expect(tell({ refusal, error: null }, '1.0', how)).toMatchObject({
      code: -32602,
      data: [
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: [{ field: 'message.parts', description: 'is required' }],
        },
        { reason: 'INVALID_REQUEST', domain: 'meshwork' },
      ],
    });
  });

  test('of the service has a code outside of what JSON-RPC and A2A reserve', () => {
    for (const [code, rpc] of [
      ['unauthorized', -31401],
      ['insufficient_scope', -31403],
      ['not_found', -31404],
      ['idempotency_conflict', -31409],
      ['rate_limited', -31429],
    ] as const) {
      expect(tell(problemOf(fault(code), 'send', '0.2'), '0.2', how).code).toBe(rpc);
    }
  });

  test('has texts alone in its metadata', () => {
    const told = tell(problem('VERSION_NOT_SUPPORTED', 'x', { supported: ['0.3', '1.0'] }), '1.0', how);
    expect(told).toMatchObject({ code: -32009, data: [{ metadata: { supported: '0.3,1.0', requestId: 'r1' } }] });
  });
});
