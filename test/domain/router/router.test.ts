// The rules of the router: whom a call goes to, what an answer is worth, when a provider is out, and what a repeat is told.
import { describe, expect, test } from 'bun:test';
import { CALL_MS, givenUpAt, receiptStatus, repeatOf } from '../../../src/domain/router/call.ts';
import { CATALOGUE, payloadSchema } from '../../../src/domain/router/catalogue.ts';
import {
  afterFailure,
  afterOutage,
  afterSuccess,
  CAPABILITY_PATTERN,
  inRotation,
  isOutage,
  REGISTERED,
  STREAK_MAX,
} from '../../../src/domain/router/provider.ts';
import { type Ranked, rank } from '../../../src/domain/router/ranking.ts';
import { chance, percentServed, weigh } from '../../../src/domain/router/reliability.ts';
import { chargedCents, judge } from '../../../src/domain/router/verdict.ts';

describe('a provider', () => {
  const standing = (streak: number, suspended_at: number | null = null) => ({ streak, suspended_at });

  test.each([0, 1, 2, 3])('with %i failures in a row stays in rotation after another', (streak) => {
    expect(afterFailure(standing(streak), 9)).toEqual({ streak: streak + 1, suspended_at: null, suspends: false });
  });

  test('leaves it at the fifth, once, and nothing but registering anew brings it back', () => {
    const out = afterFailure(standing(STREAK_MAX - 1), 9);
    expect(out).toEqual({ streak: STREAK_MAX, suspended_at: 9, suspends: true });
    expect(afterFailure(out, 10)).toEqual({ streak: STREAK_MAX + 1, suspended_at: 9, suspends: false });
    expect(afterSuccess(out)).toBeNull();
    expect([inRotation({ active: 1, ...out }), inRotation({ active: 1, ...REGISTERED })]).toEqual([false, true]);
    expect(inRotation({ active: 0, ...REGISTERED })).toBe(false);
  });

  test('that serves is written to only where it had failed', () => {
    expect([afterSuccess(standing(0)), afterSuccess(standing(3))]).toEqual([null, { streak: 0 }]);
  });

  test('is given back what an outage of ours took, and no more', () => {
    expect(afterOutage(standing(3), 2, 5)).toEqual(standing(1));
    expect(afterOutage(standing(5, 9), 2, 5)).toEqual(standing(3));
    // It was out before, or is so by failures of its own.
    expect(afterOutage(standing(7, 3), 2, 5)).toEqual(standing(5, 3));
    expect(afterOutage(standing(7, 9), 2, 5)).toEqual(standing(5, 9));
  });
});

test('an outage is ours where three hosts of three accounts give no answer', () => {
  const at = (host: string, provider_account_id: string) => ({ host, provider_account_id });
  expect(isOutage([at('a', '1'), at('b', '2'), at('c', '3')])).toBe(true);
  expect(isOutage([at('a', '1'), at('b', '2'), at('c', '2')])).toBe(false);
  expect(isOutage([at('a', '1'), at('b', '2'), at('b', '3')])).toBe(false);
});

describe('ranking', () => {
  const provider = (id: string, price_cents: number, served: number, attempts: number, p50_ms = 100): Ranked => ({
    ...{ id, price_cents, p50_ms },
    weighed_attempts: attempts * 1_000,
    weighed_served: served * 1_000,
  });
  const ids = (providers: readonly Ranked[], sort: Parameters<typeof rank>[1] = 'cost', luck = 0.5) =>
    rank(providers, sort, luck).map(({ id }) => id);

  test('is by expected cost: what answers half as often has to be half as dear', () => {
    const sure = provider('sure', 99, 195, 195);
    expect(ids([provider('half', 60, 96, 195), sure])).toEqual(['sure', 'half']);
    expect(ids([provider('half', 40, 96, 195), sure])).toEqual(['half', 'sure']);
  });

  test('leaves new providers behind those that have shown something, but in a call of twenty', () => {
    const [known, fresh] = [provider('known', 100, 50, 50), provider('fresh', 1, 0, 0)];
    expect(ids([fresh, known])).toEqual(['known', 'fresh']);
    expect(ids([fresh, known], 'cost', 0.049)).toEqual(['fresh', 'known']);
    expect(ids([fresh])).toEqual(['fresh']);
    const first = Array.from({ length: 1_000 }, (_, at) => ids([fresh, known], 'price', at / 1_000)[0]);
    expect(first.filter((id) => id === 'fresh').length).toBe(50);
  });

  test('is by price, latency or reliability where that is wanted; latency breaks ties', () => {
    const [a, b] = [provider('a', 50, 100, 100, 900), provider('b', 80, 80, 100, 20)];
    expect([ids([b, a], 'price'), ids([a, b], 'latency'), ids([b, a], 'reliability')]).toEqual([
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
    ]);
    expect(ids([provider('slow', 5, 50, 50, 300), provider('fast', 5, 50, 50, 30)])).toEqual(['fast', 'slow']);
  });
});

describe('reliability', () => {
  const attempts = (account: string, n: number, served: boolean, latency_ms = 10) =>
    Array.from({ length: n }, () => ({ caller_account_id: account, served, latency_ms: served ? latency_ms : null }));

  test('hears no account for more than a tenth of the window', () => {
    const honest = Array.from({ length: 100 }, (_, at) => attempts(`a${at}`, 1, true)).flat();
    const { weighed_attempts, weighed_served } = weigh([...honest, ...attempts('liar', 100, false)]);
    expect([weighed_attempts, weighed_served]).toEqual([120_000, 100_000]);
    expect(chance({ weighed_attempts, weighed_served })).toBeCloseTo(104 / 125);
  });

  test('has the median and the 95th of a hundred of what was served', () => {
    const window = Array.from({ length: 100 }, (_, at) => attempts(`a${at}`, 1, true, at + 1)).flat();
    expect(weigh([...window, ...attempts('z', 5, false)])).toMatchObject({ p50_ms: 50, p95_ms: 95 });
    expect(weigh([])).toEqual({ weighed_attempts: 0, weighed_served: 0, p50_ms: null, p95_ms: null });
    expect([chance(weigh([])), percentServed(0, 0), percentServed(3, 2)]).toEqual([0.8, null, 67]);
  });
});

describe('an answer', () => {
  const json = (body: string, headers: Record<string, string> = {}, status = 200) =>
    judge({
      ok: true,
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: new TextEncoder().encode(body),
    });

  test.each([
    ['{"a":1}', {}],
    ['null', {}],
    ['"\\u0022[[["', {}],
    ['[1]', { 'content-type': 'application/problem+json; charset=utf-8' }],
  ])('%s is worth its price', (body, headers) => {
    expect(json(body, headers)).toMatchObject({ served: true, result: JSON.parse(body) });
  });

  test.each([
    ['', {}, 200, 'empty'],
    ['{', {}, 200, 'not_json'],
    ['{}', { 'content-type': 'text/plain' }, 200, 'not_json'],
    ['{}', { 'content-type': 'text/event-stream' }, 200, 'not_json'],
    ['{}', {}, 404, 'http_status'],
    ['{}', {}, 301, 'http_status'],
    [`${'['.repeat(201)}${']'.repeat(201)}`, {}, 200, 'not_json'],
  ])('%p with %p and %i is worth nothing', (body, headers, status, reason) => {
    expect(json(body, headers, status)).toMatchObject({ served: false, reason });
  });

  test.each([
    ['3', 3],
    ['0', 0],
    ['500', 100],
    ['-1', 100],
    ['1.5', 100],
    ['', 100],
    ['a lot', 100],
  ])('that asks %p of a price of 100 is charged %i', (header, cents) => {
    const verdict = json('{}', { 'x-service-price-cents': header });
    if (!verdict.served) throw new Error(verdict.reason);
    expect(chargedCents(verdict, 100)).toBe(cents);
  });
});

describe('a repeat', () => {
  const call = (status: 'open' | 'served' | 'failed' | 'unknown') => ({
    status,
    request_hash: 'a',
    deadline_at: CALL_MS,
  });

  test.each([
    ['open', 'a', 0, 'open'],
    ['open', 'a', givenUpAt({ deadline_at: CALL_MS }), 'unknown'],
    ['open', 'b', 0, 'other'],
    ['served', 'a', 0, 'served'],
    ['served', 'b', 0, 'other'],
    ['unknown', 'a', 0, 'unknown'],
  ] as const)('of a call that is %s, with the request %s at %i, is told %s', (status, hash, at, told) => {
    expect(repeatOf(call(status), hash, at)).toBe(told);
  });

  test('and its receipt say what was charged', () => {
    const of = (status: 'open' | 'served' | 'failed' | 'unknown', price_cents = 0) =>
      receiptStatus({ status, price_cents });
    expect([of('served', 5), of('served'), of('failed'), of('unknown'), of('open')]).toEqual([
      'charged',
      'not_charged',
      'not_charged',
      'unknown',
      'open',
    ]);
  });
});

test('each capability of the catalogue has a name, and a schema that takes its examples', () => {
  for (const { name, fields } of CATALOGUE) {
    expect(name).toMatch(new RegExp(CAPABILITY_PATTERN));
    const { required, properties } = payloadSchema({ fields }) as { required: string[]; properties: object };
    expect(required.every((field) => field in properties)).toBe(true);
  }
});
