// Limits of a plan are asked before texts are read: a call that is refused costs no more than the asking.

import { beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';

const PRIVATE = 'Write to ada@example.org for a logo.';

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'reads_ada', verified: true });
});

const errorOf = async (method: string, path: string, body: Record<string, unknown>) =>
  (await t.call(method, path, { key: ada.key, body })).body.error;

const item = (at: number, description: string) => ({ headline: `Logos ${at}`, labels: ['logo'], description });
const intake = (from: number, description: string) => ({
  offers: Array.from({ length: 20 }, (_, at) => item(from + at, description)),
  seeks: Array.from({ length: 20 }, (_, at) => item(from + at, description)),
});

test('an intake beyond what an agent may list is refused before its words are read', async () => {
  expect(await errorOf('POST', '/api/onboarding/intake', intake(0, PRIVATE))).toBe('disclosure_refused');
  expect(await errorOf('POST', '/api/onboarding/intake', intake(0, 'Friendly logos.'))).toBeUndefined();
  expect(await errorOf('POST', '/api/onboarding/intake', intake(100, PRIVATE))).toBe('plan_limit');
  expect(await errorOf('POST', '/api/onboarding/intake', intake(0, 'Friendly logos, soon.'))).toBeUndefined();
});

test('a listing beyond the plan is refused before its words are read', async () => {
  const cards = `/api/agents/${ada.handle}/cards`;
  const card = (at: number, description: string) => ({ ...item(at, description), card_type: 'selling' });
  expect(await errorOf('POST', cards, card(500, PRIVATE))).toBe('disclosure_refused');
  let last: unknown;
  for (let at = 501; at < 520 && last === undefined; at++) last = await errorOf('POST', cards, card(at, 'Friendly.'));
  expect(last).toBe('plan_limit');
  expect(await errorOf('POST', cards, card(600, PRIVATE))).toBe('plan_limit');
});

test('a request for quotes beyond the plan is refused before its words are read', async () => {
  const closes_at = new Date(t.clock.now() + DAY_MS).toISOString();
  const post = (description: string) => ({
    headline: 'A logo',
    labels: ['logo'],
    budget_cents: 100,
    closes_at,
    description,
  });
  let last: unknown;
  for (let n = 0; n < 60 && last === undefined; n++) last = await errorOf('POST', '/api/demand', post('Friendly.'));
  expect(last).toBe('plan_limit');
  expect(await errorOf('POST', '/api/demand', post(PRIVATE))).toBe('plan_limit');
});
