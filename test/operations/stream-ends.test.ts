// A stream ends with what it was opened with: its key, its session or access token, its agent; on whichever node that ended,
// by an act or by time alone, and though nothing is written to it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { apply } from '../../db/effects.ts';
import type { StreamSink } from '../../src/contract/operation.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { OpenStreams } from '../../src/pipeline/open-streams.ts';
import { NOBODY } from '../../src/pipeline/principals.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { connectProgram, signedInReader } from '../support/programs.ts';
import { readStream, type SseReader } from '../support/sse.ts';
import { openTestNodes } from '../support/test-nodes.ts';
import type { TestService } from '../support/testbed.ts';

const t = sharedService();
let names = 0;
const serve = (service: TestService): ReturnType<typeof Bun.serve> =>
  Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: (request) => service.fetch(request) });
const server = serve(t);
afterAll(() => server.stop(true));

const someone = (at = t): Promise<TestAgent> => newAgent(at, { handle: `ending_${++names}` });
const byKey = (key: string): Record<string, string> => ({ 'X-API-Key': key });
const byToken = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
const inbox = (headers: Record<string, string>, on = server): Promise<SseReader> =>
  readStream(`http://127.0.0.1:${on.port}/api/inbox/stream`, headers);
const bell = (headers: Record<string, string>): Promise<SseReader> =>
  readStream(`http://127.0.0.1:${server.port}/api/notifications/stream`, headers);
const ping = async (key: string): Promise<void> => {
  expect((await t.call('POST', '/api/inbox/test', { key })).status).toBe(201);
};
const mint = async (token: string, body: Record<string, unknown> = {}): Promise<{ id: string; api_key: string }> =>
  (await t.call('POST', '/api/developer/keys', { token, body: { name: 'ci', scopes: ['agents:read'], ...body } })).body;
/** When an access token says that it ends. */
const endOf = (token: string): number =>
  1000 * JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).exp;

test('with a key that is revoked, while another key’s stream goes on', async () => {
  const { token, key } = await someone();
  const made = await mint(token);
  const [ended, other] = [await inbox(byKey(made.api_key)), await inbox(byKey(key))];
  expect((await t.call('DELETE', `/api/developer/keys/${made.id}`, { token })).status).toBe(200);
  await ended.ended();
  await ping(key);
  expect(await other.take(1)).toHaveLength(1);
  other.leave();
});

test('with the grant of a program that is thrown out, and with all that its person ends at once', async () => {
  for (const end of ['program', 'all'] as const) {
    const { email, token } = await someone();
    const { id, access_token } = await connectProgram(t, await signedInReader(t, email));
    const streams = [await inbox(byToken(access_token)), await bell(byToken(access_token))];
    const ended =
      end === 'program'
        ? await t.call('DELETE', `/api/account/programs/${id}`, { token })
        : await t.call('POST', '/api/account/revoke-all', { token });
    expect(ended.status).toBe(200);
    await Promise.all(streams.map((stream) => stream.ended()));
    expect((await t.call('GET', '/api/auth/key', { token: access_token })).status).toBe(401);
  }
});

test('with a key that was renewed, when its last day is over, and not before', async () => {
  const { key } = await someone();
  const [stream, notices] = [await inbox(byKey(key)), await bell(byKey(key))];
  const renewed = (await t.call('POST', '/api/auth/key/renew', { key })).body;
  await t.advance(DAY_MS - 1);
  await ping(renewed.api_key);
  expect(await stream.take(1)).toHaveLength(1);
  expect(await notices.take(1)).toHaveLength(1);
  await t.advance(1);
  await Promise.all([stream.ended(), notices.ended()]);
});

test('with a key whose days are over', async () => {
  const { token } = await someone();
  const { api_key } = await mint(token, { expires_in_days: 1 });
  const stream = await inbox(byKey(api_key));
  await t.advance(DAY_MS);
  await stream.ended();
});

test('with the access token that opened it, though its session goes on, and not before', async () => {
  const { token, key, email } = await someone();
  const [stream, notices] = [await inbox(byToken(token)), await bell(byToken(token))];
  await t.advance(endOf(token) - 1 - t.clock.now());
  const fresh = await signIn(t, email);
  const later = await inbox(byToken(fresh));
  await ping(key);
  for (const reader of [stream, notices, later]) expect(await reader.take(1)).toHaveLength(1);
  await t.advance(1);
  await Promise.all([stream.ended(), notices.ended()]);
  await ping(key);
  expect(await later.take(1)).toHaveLength(1);
  later.leave();
});

test('with its session, when that is ended', async () => {
  const { token } = await someone();
  const [stream, notices] = [await inbox(byToken(token)), await bell(byToken(token))];
  expect((await t.call('POST', '/api/auth/session/end', { token })).body).toEqual({ ended: true });
  await Promise.all([stream.ended(), notices.ended()]);
});

test('with its agent, when that is put away or another’s', async () => {
  const { token, handle, key } = await someone();
  const stream = await inbox(byKey(key));
  expect((await t.call('DELETE', `/api/agents/${handle}`, { token })).status).toBe(200);
  await stream.ended();
  const [sold, buyer] = [await someone(), await someone()];
  const watching = await inbox(byKey(sold.key));
  const { store } = t.service.world;
  const moved = apply('agents', sold.id, () => ({ account_id: buyer.id }));
  await store.turn({ attempt: async () => ({ reply: null, effects: [moved] }) });
  await watching.ended();
});

/** What starts a stream that is not refused. */
async function opened(opening: ReturnType<OpenStreams['open']>): Promise<(sink: StreamSink) => void> {
  const start = await opening;
  if (typeof start !== 'function') throw new Error(start.fault);
  return start;
}

test('also when its credential ends between its check and its beginning', async () => {
  const { token } = await someone();
  const made = await mint(token);
  const streams = new OpenStreams(t.service.world);
  const guard = { table: 'api_keys', id: made.id, version: 1 } as const;
  const caller = { principal: { ...NOBODY, guard }, agent: null, token_ends_at: Number.POSITIVE_INFINITY };
  const start = await opened(streams.open(caller, async () => () => {}));
  expect((await t.call('DELETE', `/api/developer/keys/${made.id}`, { token })).status).toBe(200);
  await new Promise<void>((close) => {
    const sink: StreamSink = { write: () => true, waitForDrain: () => Promise.resolve(), close, onClose: () => {} };
    start(sink);
  });
});

test('and takes nothing from the instant of its end on, though the timer that closes it comes late', async () => {
  let now_ms = t.clock.now();
  // As the wall clock is while the event loop is busy: time has passed, and no timer was called.
  const clock = { now: () => now_ms, onMove: () => {} };
  const streams = new OpenStreams({ ...t.service.world, clock });
  const caller = { principal: NOBODY, agent: null, token_ends_at: now_ms + HOUR_MS };
  const written: string[] = [];
  let closed = 0;
  let inner: StreamSink | null = null;
  const close = (): void => {
    closed += 1;
  };
  const sink: StreamSink = {
    write: (chunk) => written.push(String(chunk)) > 0,
    waitForDrain: () => Promise.resolve(),
    close,
    onClose: () => {},
  };
  const starting = (given: StreamSink): void => {
    inner = given;
  };
  const start = await opened(streams.open(caller, async () => starting));
  start(sink);
  const write = (text: string): boolean | undefined => (inner as StreamSink | null)?.write(text);
  now_ms += HOUR_MS - 1;
  expect([write('before'), closed]).toEqual([true, 0]);
  now_ms += 1;
  expect([write('after'), closed]).toEqual([false, 1]);
  expect(written).toEqual(['before']);
});

const postgres = await sharedPostgres();

describe.skipIf(postgres === null)('on another node', () => {
  let one: TestService;
  let other: TestService;
  let port: ReturnType<typeof Bun.serve>;
  beforeAll(async () => {
    if (!postgres) return;
    [one, other] = await openTestNodes(postgres);
    port = serve(one);
  });
  afterAll(async () => {
    await port.stop(true);
    await Promise.all([one.close(), other.close()]);
  });

  test('a session that is ended, a key that is renewed and whose last day is over', async () => {
    const { token, key } = await newAgent(other, { handle: 'ending_elsewhere' });
    const [session, renewed] = [await inbox(byToken(token), port), await inbox(byKey(key), port)];
    await other.call('POST', '/api/auth/session/end', { token });
    await session.ended();
    expect((await other.call('POST', '/api/auth/key/renew', { key })).status).toBe(200);
    await one.advance(DAY_MS);
    await renewed.ended();
  });
});
