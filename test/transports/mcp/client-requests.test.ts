// Requests from this service to a client: only whom one was for can answer it, none is waited for for ever, and nothing is
// left of one that ended.

import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '../../../src/domain/time.ts';
import { type ClientAnswer, ClientRequests } from '../../../src/transports/mcp/client-requests.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

/** A stream of a call, as far as requests use it. */
function callStream() {
  const closing: (() => void)[] = [];
  const ids: string[] = [];
  return {
    ids,
    send: (id: string) => {
      ids.push(id);
      return true;
    },
    onClose: (listener: () => void) => void closing.push(listener),
    close: () => {
      for (const listener of closing) listener();
    },
  };
}

function open() {
  const clock = virtualClock(0);
  return { clock, requests: new ClientRequests(clock, (bytes) => new Uint8Array(randomBytes(bytes))) };
}

const lastOf = (ids: readonly string[]): string => ids.at(-1) ?? '';

test('an answer comes to the call that asked, once', async () => {
  const { requests } = open();
  const stream = callStream();
  const asked = requests.ask('ada', stream.send, stream.onClose);
  expect(requests.answer('ada', lastOf(stream.ids), { result: 7 })).toBe(true);
  expect(requests.answer('ada', lastOf(stream.ids), { result: 8 })).toBe(false);
  expect(await asked).toEqual({ result: 7 });
  expect(requests.open).toBe(0);
});

test('nobody else answers, and no id is like another', async () => {
  const { requests } = open();
  const stream = callStream();
  const asked = requests.ask('ada', stream.send, stream.onClose);
  requests.ask('ada', stream.send, stream.onClose);
  const [first = '', second = ''] = stream.ids;
  expect(first).not.toBe(second);
  expect(Buffer.from(first, 'base64url')).toHaveLength(18);
  expect(requests.answer('bob', first, { result: 'mine' })).toBe(false);
  expect(requests.answer('ada', 1, { result: 'guessed' })).toBe(false);
  expect(requests.answer('ada', first, { error: { code: -1 } })).toBe(true);
  expect(await asked).toEqual({ error: { code: -1 } });
});

test('a request ends with its stream, and unanswered after ten minutes', async () => {
  const { requests, clock } = open();
  const stream = callStream();
  const cut = requests.ask('ada', stream.send, stream.onClose);
  stream.close();
  expect(await cut).toBeNull();
  const late = requests.ask('ada', callStream().send, () => {});
  clock.moveTo(10 * MINUTE_MS);
  expect(await late).toBeNull();
  expect(requests.open).toBe(0);
});

test('a stream that takes nothing more is not waited for', async () => {
  const { requests } = open();
  expect(
    await requests.ask(
      'ada',
      () => false,
      () => {},
    ),
  ).toBeNull();
  expect(requests.open).toBe(0);
});

test('a caller has 32 open at most, whatever others have', async () => {
  const { requests } = open();
  const stream = callStream();
  const asked: Promise<ClientAnswer | null>[] = [];
  for (let n = 0; n < 33; n++) asked.push(requests.ask('ada', stream.send, stream.onClose));
  expect(await asked.at(-1)).toBeNull();
  expect(stream.ids).toHaveLength(32);
  requests.ask('bob', stream.send, stream.onClose);
  expect(requests.open).toBe(33);
  stream.close();
  expect(requests.open).toBe(0);
});
