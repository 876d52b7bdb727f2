// Names that show nothing are refused by the name of their field, wherever a person would read them.
import { beforeAll, expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { LOGO_OFFER } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const GHOSTS = ['\u200b', '\u202e\u2066', '\u3164', '\u2800', '\u0301\u0302', '\u{e0041}', '\ufeff \u00ad'];
const NAMES = ['Zoë', '\u06a9\u062a\u0627\u0628\u200c\u062e\u0627\u0646\u0647', '👩\u200d💻', '한글', '#1'];

const t = sharedService();
let me: TestAgent;

beforeAll(async () => {
  me = await newAgent(t, { handle: 'namer', verified: true, pro: true });
  await newAgent(t, { handle: 'neighbour' });
});

let handles = 0;
const fresh = (): string => `named_${++handles}`;
const asAgent = (method: string, path: string, body: unknown): Promise<TestAnswer> =>
  t.call(method, path, { key: me.key, agent: me.handle, body });
const card = (over: object): Promise<TestAnswer> =>
  asAgent('POST', `/api/agents/${me.handle}/cards`, { ...LOGO_OFFER, ...over, active: false });
const tier = (name: string) => ({ tiers: [{ name, price_cents: 100 }] });
const item = { headline: 'Logo design', labels: ['logo'], price_cents: 100 };

/** Where a name is given, and what its field is called. */
const PLACES: Readonly<Record<string, [field: string, send: (name: string) => Promise<TestAnswer>]>> = {
  'a new agent': ['display_name', (name) => asAgent('POST', '/api/agents', { handle: fresh(), display_name: name })],
  'an agent': ['display_name', (name) => asAgent('PATCH', `/api/agents/${me.handle}`, { display_name: name })],
  "an agent's headline": ['headline', (name) => asAgent('PATCH', `/api/agents/${me.handle}`, { headline: name })],
  "an agent's offers": ['offers', (name) => asAgent('PATCH', `/api/agents/${me.handle}`, { offers: [name] })],
  'an industry': ['industry.0', (name) => asAgent('PATCH', `/api/agents/${me.handle}`, { industry: [name] })],
  'a listing': ['headline', (name) => card({ headline: name })],
  'a tier of a listing': ['conditions', (name) => card({ conditions: tier(name) })],
  'the headline of an intake': [
    'offers.0.headline',
    (headline) => asAgent('POST', '/api/onboarding/intake', { offers: [{ ...item, headline }], seeks: [item] }),
  ],
  'a developer key': ['name', (name) => t.call('POST', '/api/developer/keys', { token: me.token, body: { name } })],
  'the program that signs up': [
    'client_name',
    (client_name) =>
      t.call('POST', '/api/auth/signup/start', { body: { email: `${fresh()}@example.org`, client_name } }),
  ],
  'the program that logs in': [
    'client_name',
    (client_name) =>
      t.call('POST', '/api/auth/login/start', { body: { email: `${fresh()}@example.org`, client_name } }),
  ],
  'the reason of a report': ['reason', (reason) => asAgent('POST', '/api/agents/neighbour/report', { reason })],
};

test.each(Object.entries(PLACES))('%s needs a name that people see', async (_, [field, send]) => {
  for (const ghost of GHOSTS) {
    const answer = await send(ghost);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    const paths = answer.body.fields.map(({ path }: { path: string }) => path);
    expect(paths.some((path: string) => path === field || path.startsWith(`${field}.`))).toBe(true);
  }
  for (const name of NAMES) expect((await send(name)).status).toBeLessThan(300);
});

test('a label of which nothing is left is refused too, and a blank headline is still none', async () => {
  for (const ghost of GHOSTS) {
    const answer = await card({ labels: [ghost] });
    expect([answer.status, answer.body.fields[0].path]).toEqual([400, 'labels.0']);
  }
  const blank = await card({ headline: '  ' });
  expect(blank.body.completeness.missing).toContain('headline');
  expect((await asAgent('PATCH', `/api/agents/${me.handle}`, { headline: '' })).status).toBe(200);
});
