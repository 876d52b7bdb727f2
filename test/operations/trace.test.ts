// The trace of a request goes on in all that the request causes: its events keep it, and what pushes them, now or at a later
// attempt, by webhook or to an A2A endpoint, is a span of its own in it. Who names none gets none.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { createLog } from '../../src/log.ts';
import type { Span } from '../../src/outbound/traces.ts';
import { newAgent } from '../support/agents.ts';
import { AUTHORITY } from '../support/authority.ts';
import { rpc } from '../support/mcp.ts';
import { type Received, type Receiver, startReceiver } from '../support/receivers.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { agentNamed, openThread, type TestAgent } from '../support/threads.ts';

const HOST = 'receivers.example';
const ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const TRACE = { traceparent: `00-${ID}-${SPAN}-01`, tracestate: 'a=1,b=two words' };

let receiver: Receiver;
let t: TestService;
let [ada, bo]: TestAgent[] = [];
let conversation_id = '';
let broken = false;
const lines: string[] = [];
const spans: Span[] = [];
const tracer = { sent: 0, dropped: 0, note: (span: Span) => void spans.push(span), stop: async () => {} };

beforeAll(async () => {
  receiver = await startReceiver();
  t = await openTestService({}, 'memory', {
    outside: { allow: [{ host: HOST, port: receiver.port }], ca: AUTHORITY },
    tracer,
    log: createLog('info', 'json', { write: (line) => void lines.push(line) }),
    random: (bytes) => {
      if (broken) throw new Error('no randomness');
      return crypto.getRandomValues(new Uint8Array(bytes));
    },
  });
  t.zone.setAddresses(HOST, ['127.0.0.1']);
  [ada, bo] = [await agentNamed(t, 'ada'), await agentNamed(t, 'bob')];
  conversation_id = await openThread(t, ada, bo);
});
afterAll(async () => {
  await t.close();
  await receiver.close();
});
beforeEach(() => t.service.delivery.idle());

const url = (path: string): string => `https://${HOST}:${receiver.port}/${path}`;
const sends = async (content: string, headers: Record<string, string>): Promise<void> => {
  const sent = await t.call('POST', `/api/messages/${conversation_id}`, { key: ada?.key, headers, body: { content } });
  expect(sent.status).toBe(200);
  await t.service.delivery.idle();
};
const cameTo = (path: string, content: string): Received[] =>
  receiver.received.filter(({ path: to, body }) => to === `/${path}` && body.includes(content));
const spanOf = ({ headers }: Received): string => {
  const [, span = ''] = new RegExp(`^00-${ID}-([0-9a-f]{16})-01$`).exec(String(headers.traceparent)) ?? [];
  expect(headers.tracestate).toBe(TRACE.tracestate);
  expect(span).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
  return span;
};

test('of a message reaches the webhook of its reader, at each attempt as another span', async () => {
  await t.call('POST', '/api/developer/webhooks', {
    key: bo?.key,
    body: { url: url('500/bo'), events: ['*'], retry: true },
  });
  await sends('traced', TRACE);
  await t.advance(600_000);
  await t.rest();
  const attempts = cameTo('500/bo', 'traced');
  expect(attempts.length).toBeGreaterThan(1);
  const ids = attempts.map(spanOf);
  expect(new Set([...ids, SPAN]).size).toBe(attempts.length + 1);
  for (const id of ids) {
    const attributes = { 'meshwork.event': 'conversation.updated', 'http.response.status_code': 500 };
    const noted = { name: 'push webhook', failed: true, trace: `${TRACE.traceparent} ${TRACE.tracestate}` };
    expect(spans.find((span) => span.id === id)).toMatchObject({ ...noted, attributes });
  }
});

test.each([
  ['no trace', {}],
  ['a tracestate alone', { tracestate: TRACE.tracestate }],
  ['a trace that is none', { traceparent: `00-${ID}-${SPAN}-01-more`, tracestate: TRACE.tracestate }],
])('of a message with %s is none', async (what, headers) => {
  await sends(what, headers);
  const [attempt] = cameTo('500/bo', what);
  expect(attempt?.headers['webhook-id']).toBeString();
  expect([attempt?.headers.traceparent, attempt?.headers.tracestate]).toEqual([undefined, undefined]);
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['the header', TRACE, {}],
  ['_meta', {}, TRACE],
  ['_meta, whatever the header', { traceparent: `00-${'a'.repeat(32)}-${SPAN}-01` }, TRACE],
  ['the header, where _meta names none', TRACE, { traceparent: 'none' }],
])('of a tool call is taken from %s', async (where, headers, _meta) => {
  const said = { name: 'mesh_send_message', arguments: { conversation_id, content: `by ${where}` }, _meta };
  const answer = await rpc(t, 'tools/call', said, { key: ada?.key, headers });
  expect(answer.body.result.isError).toBeUndefined();
  await t.service.delivery.idle();
  spanOf(cameTo('500/bo', `by ${where}`)[0] ?? fail('nothing came'));
});

test('reaches an A2A endpoint, and a delivery that is asked for by hand', async () => {
  const { key } = await newAgent(t, { handle: 'cyd' });
  await t.call('PATCH', '/api/agents/cyd', { key, body: { a2a_url: url('a2a/cy') } });
  await t.call('POST', '/api/inbox/test', { key, headers: TRACE });
  await t.service.delivery.idle();
  const pushed = spanOf(cameTo('a2a/cy', 'test.ping').at(-1) ?? fail('nothing came'));
  expect(spans.find(({ id }) => id === pushed)).toMatchObject({ name: 'push a2a' });
  const { body } = await t.call('POST', '/api/developer/webhooks', {
    key,
    body: { url: url('200/cy'), events: ['*'] },
  });
  await t.call('POST', `/api/developer/webhooks/${body.id}/test`, { key, headers: TRACE });
  const tested = spanOf(cameTo('200/cy', 'test.ping').at(-1) ?? fail('nothing came'));
  expect(spans.find(({ id }) => id === tested)).toMatchObject({ name: 'push webhook', failed: false });
});

test('stands in the log line of a request that failed, and nowhere in what a reader is shown', async () => {
  broken = true;
  const body = { email: 'dee@example.org' };
  const failed = await t.call('POST', '/api/auth/signup/start', { headers: TRACE, body });
  broken = false;
  expect(failed.status).toBe(500);
  expect(lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({ operation: 'signup.start', trace_id: ID });
  const shown = await t.call('GET', '/api/inbox?limit=100', { key: bo?.key });
  expect(JSON.stringify(shown.body)).not.toContain(ID);
});

function fail(why: string): never {
  throw new Error(why);
}
