// One body is one message of JSON-RPC, or a problem with its code and the id of whoever asked, as far as that can be told.
import { expect, test } from 'bun:test';
import { unreadBodies } from '../../src/transports/body.ts';
import {
  errorText,
  messageOf,
  type Received,
  RPC_CODES,
  readMessage,
  resultText,
} from '../../src/transports/json-rpc.ts';

const BYTES_MAX = 1_000;

function read(body: BodyInit, type = 'application/json'): Promise<Received> {
  const request = new Request('http://localhost/', { method: 'POST', headers: { 'Content-Type': type }, body });
  return readMessage(request, BYTES_MAX);
}

/** The code of what a body is refused with, the fault's own name, and the id that it is told to. */
async function refused(body: BodyInit, type?: string): Promise<unknown> {
  const { message } = await read(body, type);
  return message.kind === 'problem' ? [message.code, message.refusal.fault, message.id] : message;
}

const call = (parts: object): string => JSON.stringify({ jsonrpc: '2.0', ...parts });

test('a body is a request, a notification, or an answer to a request of ours', async () => {
  const asked = call({ id: 'a', method: 'tools/call', params: { name: 'x' } });
  expect(await read(asked)).toEqual({
    bytes: asked.length,
    message: { kind: 'request', id: 'a', method: 'tools/call', params: { name: 'x' } },
  });
  expect(messageOf({ jsonrpc: '2.0', id: 0, method: 'ping' })).toEqual({
    ...{ kind: 'request', id: 0, method: 'ping', params: {} },
  });
  expect(messageOf({ jsonrpc: '2.0', method: 'seen' })).toEqual({ kind: 'notification', method: 'seen', params: {} });
  expect(messageOf({ jsonrpc: '2.0', id: 'q', result: { ok: true } })).toEqual({
    ...{ kind: 'answer', id: 'q', result: { ok: true } },
  });
  expect(messageOf({ jsonrpc: '2.0', id: 'q', error: { code: 1 } })).toEqual({
    ...{ kind: 'answer', id: 'q', error: { code: 1 } },
  });
});

test('what is no JSON is a parse error, and told to nobody by name', async () => {
  for (const body of ['', '{"jsonrpc":"2.0","id":1', 'hello', '\xff']) {
    expect(await refused(body)).toEqual([-32700, 'invalid_json', null]);
  }
  expect(await refused(new Uint8Array([0x22, 0xff, 0x22]))).toEqual([-32700, 'invalid_json', null]);
});

test('a bad envelope is an invalid request, told to the id that it names', async () => {
  const wrong: readonly [unknown, string | number | null][] = [
    [{ id: 7, method: 'ping' }, 7],
    [{ jsonrpc: '1.0', id: 'x', method: 'ping' }, 'x'],
    [{ jsonrpc: '2.0', id: 7 }, 7],
    [{ jsonrpc: '2.0', id: 7, method: 8 }, 7],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, null],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, null],
    [{ jsonrpc: '2.0', id: 2 ** 60, method: 'ping' }, null],
    [{ jsonrpc: '2.0', result: {} }, null],
    [{ jsonrpc: '2.0' }, null],
    [[], null],
    [[{ jsonrpc: '2.0', id: 1, method: 'ping' }], null],
    ['ping', null],
    [null, null],
  ];
  for (const [body, id] of wrong) {
    expect([body, await refused(JSON.stringify(body))]).toEqual([body, [-32600, 'invalid_request', id]]);
  }
  expect(await refused('{"jsonrpc":"2.0","id":1e999,"method":"ping"}')).toEqual([-32600, 'invalid_request', null]);
});

test('params that are no object are invalid params; null stands for none', async () => {
  for (const params of [[], 'x', 1]) {
    expect(await refused(call({ id: 3, method: 'ping', params }))).toEqual([-32602, 'invalid_request', 3]);
  }
});

test('a body of another type, or that nests without end, is refused before it is parsed', async () => {
  expect(await refused(call({ id: 1, method: 'ping' }), 'text/plain')).toEqual([-32600, 'invalid_content_type', null]);
  const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${'['.repeat(100)}${']'.repeat(100)}}}`;
  expect(await refused(deep)).toEqual([-32600, 'invalid_request', null]);
});

test('a body that is too long is refused by its size, and not read to its end', async () => {
  let given = 0;
  const endless = new ReadableStream({
    pull: (controller) => {
      given += 1;
      controller.enqueue(new Uint8Array(BYTES_MAX).fill(0x20));
    },
  });
  expect(await refused(endless)).toEqual([-32600, 'payload_too_large', null]);
  expect(given).toBeLessThan(10);
  const long = await read(call({ id: 1, method: 'ping', params: { x: 'x'.repeat(BYTES_MAX) } }));
  expect(long.bytes).toBeGreaterThan(BYTES_MAX);
  expect(long.message).toMatchObject({ kind: 'problem', refusal: { data: { limit_bytes: BYTES_MAX } } });
  expect(unreadBodies()).toBe(0);
});

test('an answer is written around the JSON of its result', () => {
  expect(JSON.parse(resultText('a"b', '{"tools":[]}'))).toEqual({ jsonrpc: '2.0', id: 'a"b', result: { tools: [] } });
  expect(JSON.parse(errorText(null, RPC_CODES.parse_error, 'No.'))).toEqual({
    ...{ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'No.' } },
  });
  expect(JSON.parse(errorText(4, -32602, 'No.', { field: 'x' }))).toMatchObject({
    id: 4,
    error: { data: { field: 'x' } },
  });
});
