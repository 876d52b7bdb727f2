// Provisional agents from their first call to their claim or their end: what they may, every way in which they may not, who sees them,
// and whose they become.

import { beforeAll, describe, expect, test } from 'bun:test';
import { fateOf, provisionalHandle } from '../../src/domain/identity/key.ts';
import { PROVISIONAL_SCOPES, SIGNUP_SCOPES } from '../../src/domain/identity/scope.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { putFunds } from '../support/funds.ts';
import { sharedService } from '../support/opened.ts';
import { codeFor, openTestService, type TestAnswer, type TestRequest } from '../support/testbed.ts';

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada', verified: true, pro: true });
});

let installs = 0;
const freshInstall = (): string => `install-${++installs}-`.padEnd(32, 'A');
const provision = (install_id = freshInstall(), more: TestRequest = {}): Promise<TestAnswer> =>
  t.call('POST', '/api/auth/provision', { body: { install_id, client_name: 'A server' }, ...more });

interface Agent {
  readonly key: string;
  readonly handle: string;
  readonly install_id: string;
}
async function provisioned(): Promise<Agent> {
  const install_id = freshInstall();
  const { body } = await provision(install_id);
  return { key: body.api_key, handle: body.handle, install_id };
}
const claim = ({ key }: Agent, email: string) => t.call('POST', '/api/auth/provision/claim', { key, body: { email } });
const verify = ({ key }: Agent, email: string, code = codeFor(t, email)) =>
  t.call('POST', '/api/auth/provision/claim/verify', { key, body: { email, code } });
const status = async (key: string): Promise<number> => (await t.call('GET', '/api/auth/key', { key })).status;

describe('provisioning', () => {
  test('gives a handle, a wallet and a key in one call', async () => {
    const { status: code, body } = await provision();
    expect([code, body]).toEqual([
      200,
      {
        status: 'provisioned',
        provisional: true,
        handle: expect.stringMatching(/^agent_[a-z2-7]{10}$/),
        api_key: expect.stringMatching(/^mesh_live_[0-9A-Za-z]{43}_[0-9A-Za-z]{7}$/),
        expires_at: new Date(t.clock.now() + 90 * DAY_MS).toISOString(),
        scopes: [...PROVISIONAL_SCOPES],
        wallet: expect.objectContaining({ handle: body.handle, balance_cents: 0, held_cents: 0, currency: 'USD' }),
        tell_the_user: expect.stringContaining('Give it your email address'),
        upgrade: expect.stringContaining('POST /api/auth/provision/claim '),
      },
    ]);
    const self = await t.call('GET', '/api/auth/key', { key: body.api_key });
    expect(self.body).toMatchObject({ kind: 'provisional', handle: body.handle });
  });

  test.each(['', 'x'.repeat(31), 'x'.repeat(129), `${'x'.repeat(31)} `, `${'x'.repeat(31)}é`, `${'x'.repeat(31)}\n`])(
    'refuses %j as what an installation calls itself',
    async (install_id) => {
      expect((await provision(install_id)).status).toBe(400);
    },
  );

  test('gives the same installation the same agent and another key; the older one stops', async () => {
    const first = await provisioned();
    const renewed = await t.call('POST', '/api/auth/key/renew', { key: first.key });
    const again = await provision(first.install_id);
    expect([again.status, again.body.handle]).toEqual([200, first.handle]);
    expect([await status(first.key), await status(renewed.body.api_key), await status(again.body.api_key)]).toEqual([
      401, 401, 200,
    ]);
  });

  test('makes one agent of one installation, however many ask at once', async () => {
    const install_id = freshInstall();
    const answers = await Promise.all(Array.from({ length: 8 }, () => provision(install_id)));
    const handles = answers.filter(({ status: code }) => code === 200).map(({ body }) => body.handle);
    expect(handles.length).toBeGreaterThan(0);
    expect(new Set(handles).size).toBe(1);
    for (const { status: code } of answers) expect([200, 409]).toContain(code);
    const works = await Promise.all(answers.map(({ body }) => (body.api_key ? status(body.api_key) : 401)));
    expect(works.filter((code) => code === 200)).toHaveLength(1);
  });

  test('keeps of an installation no more than a hash', async () => {
    const { install_id } = await provisioned();
    const { readStoredRows } = await import('../support/store.ts');
    const rows = await readStoredRows(t.service.world.settings.data_dir, 'select * from installs');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(install_id);
  });

  test('is bounded by address and network', async () => {
    const limited = await openTestService({ rate_limits: true });
    const ask = (n: number, ip: string) =>
      limited.call('POST', '/api/auth/provision', { ip, body: { install_id: `n${n}`.padEnd(40, 'x') } });
    for (let n = 0; n < 20; n++) expect((await ask(n, '192.0.2.7')).status).toBe(200);
    expect((await ask(20, '192.0.2.7')).status).toBe(429);
    expect((await ask(20, '192.0.2.8')).status).toBe(200);
    await limited.close();
  });

  test('names agents without a bias that tells them apart', () => {
    expect(provisionalHandle(new Uint8Array(10))).toBe('agent_aaaaaaaaaa');
    expect(provisionalHandle(new Uint8Array(10).fill(255))).toBe('agent_7777777777');
    expect(() => provisionalHandle(new Uint8Array(9))).toThrow();
  });
});

describe('a provisional agent', () => {
  test('may look around, read prices, talk, see its wallet and be paid', async () => {
    const agent = await provisioned();
    const { key, handle } = agent;
    for (const path of [
      '/api/services/explore/list',
      '/api/registry',
      '/api/v1/wallet',
      '/api/inbox',
      '/api/onboarding/status',
    ]) {
      expect([path, (await t.call('GET', path, { key })).status]).toEqual([path, 200]);
    }
    const opened = await t.call('POST', '/tools/mesh_start_conversation', {
      key,
      body: { handle: 'ada', content: 'Hello, ada.' },
    });
    expect([opened.body.error, opened.status]).toEqual([undefined, 200]);
    await putFunds(t, ada.id, 5_000);
    const paid = await t.call('POST', '/api/wallet/send', {
      token: ada.token,
      agent: 'ada',
      body: { to_handle: handle, amount_cents: 300 },
    });
    expect([paid.body.error, paid.status]).toEqual([undefined, 201]);
    expect((await t.call('GET', '/api/v1/wallet', { key })).body.balance_cents).toBe(300);
  });

  test('is hidden: no list, profile, search, match or count has it', async () => {
    const { handle, key } = await provisioned();
    expect((await t.call('GET', `/api/agents/public/${handle}`)).status).toBe(404);
    for (const path of ['/api/registry?limit=100', '/api/people/browse?limit=100']) {
      expect(JSON.stringify((await t.call('GET', path)).body)).not.toContain(handle);
    }
    const stats = async () => (await t.call('GET', '/api/network-stats')).body;
    const before = await stats();
    await provisioned();
    expect(await stats()).toEqual(before);
    const shown = await t.call('PATCH', `/api/agents/${handle}`, { key, body: { visibility: 'listed' } });
    expect([shown.status, shown.body.error]).toEqual([403, 'provisional_account']);
  });

  test('cannot move money, list, take part in matching or change what is not its profile', async () => {
    const { handle, key } = await provisioned();
    const id = Bun.randomUUIDv7();
    const refused: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['POST', '/api/wallet/send', { to_handle: 'ada', amount_cents: 1 }],
      [
        'POST',
        '/api/wallet/escrow',
        { seller_handle: 'ada', total_amount: 1, milestones: [{ title: 'x', amount: 1 }] },
      ],
      ['POST', `/api/wallet/escrow/${id}/release`, {}],
      ['POST', '/api/wallet/attest', { min_amount_cents: 1, audience_handle: 'ada' }],
      ['POST', '/api/services/ada/some-service/checkout', { tier_id: 'listed' }],
      ['POST', '/api/wallet/fund', { amount_cents: 100 }],
      ['POST', '/api/wallet/withdraw', { amount_cents: 100 }],
      ['POST', '/api/subscriptions', { to_handle: 'ada', amount_cents: 1, interval: 'month' }],
      ['POST', '/api/payments/connect', {}],
      ['POST', `/api/agents/${handle}/cards`, { card_type: 'selling', headline: 'Ropes for sale', labels: ['ropes'] }],
      ['POST', '/api/onboarding/intake', { display_name: 'x', offers: [], seeks: [] }],
      ['POST', '/api/matching/run', {}],
      ['PATCH', '/api/agents/rename', { new_handle: 'better_name' }],
      ['PATCH', '/api/agents/bounds', { max_pay_cents: 1 }],
      ['POST', '/api/agents', { handle: 'another_one', display_name: 'x' }],
      ['POST', '/api/developer/webhooks', { url: 'https://hooks.example/x', events: ['*'] }],
      ['PATCH', `/api/agents/${handle}`, { a2a_url: 'https://agents.example/x' }],
    ];
    for (const [method, path, body] of refused) {
      const answer = await t.call(method, path, { key, body });
      expect([path, answer.status]).toEqual([path, 403]);
      const why = ['provisional_account', 'insufficient_scope', 'session_required', 'not_reachable_with_key'];
      expect([path, why]).toEqual([path, expect.arrayContaining([answer.body.error])]);
    }
    const profile = await t.call('PATCH', `/api/agents/${handle}`, { key, body: { headline: 'I read prices' } });
    expect([profile.status, profile.body.headline]).toEqual([200, 'I read prices']);
  });
});

describe('a claim', () => {
  test('by a mailed code makes the agent its person’s, with all that it has', async () => {
    const agent = await provisioned();
    await t.call('POST', '/api/wallet/send', {
      token: ada.token,
      agent: 'ada',
      body: { to_handle: agent.handle, amount_cents: 120 },
    });
    expect((await claim(agent, 'owner@example.org')).body).toEqual({ sent: true });
    const wrong = await verify(agent, 'owner@example.org', '000000');
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_code']);
    const { status: code, body } = await verify(agent, 'owner@example.org');
    expect([code, body]).toEqual([
      200,
      {
        status: 'claimed',
        api_key: expect.any(String),
        expires_at: expect.any(String),
        scopes: [...SIGNUP_SCOPES],
        previous_key_valid_until: new Date(t.clock.now() + 600_000).toISOString(),
        agent_handle: null,
      },
    ]);
    const own = await t.call('GET', `/api/agents/${agent.handle}`, { key: body.api_key });
    expect(own.body).toMatchObject({ handle: agent.handle, provisional: false, visibility: 'hidden' });
    expect(own.body.trust.credentials).toContain('email');
    expect((await t.call('GET', '/api/v1/wallet', { key: body.api_key })).body.balance_cents).toBe(120);
    const token = await signIn(t, 'owner@example.org');
    const agents = await t.call('GET', '/api/agents', { token });
    expect(agents.body.map(({ handle }: { handle: string }) => handle)).toEqual([agent.handle]);
    // Hidden until it is shown, by its own person.
    expect((await t.call('GET', `/api/agents/public/${agent.handle}`)).status).toBe(404);
    await t.call('PATCH', `/api/agents/${agent.handle}`, { key: body.api_key, body: { visibility: 'listed' } });
    expect((await t.call('GET', `/api/agents/public/${agent.handle}`)).status).toBe(200);
    // The provisional key is what it was, for ten minutes more.
    expect((await verify(agent, 'owner@example.org', '000000')).body.error).toBe('already_claimed');
    expect((await claim(agent, 'thief@example.org')).body.error).toBe('already_claimed');
    expect((await provision(agent.install_id)).body.error).toBe('already_claimed');
    await t.advance(599_999);
    expect([await status(agent.key), await status(body.api_key)]).toEqual([200, 200]);
    await t.advance(1);
    expect([await status(agent.key), await status(body.api_key)]).toEqual([401, 200]);
  });

  test('that makes the account gives a key of the whole account', async () => {
    const agent = await provisioned();
    await claim(agent, 'whole@example.org');
    const { api_key: key } = (await verify(agent, 'whole@example.org')).body;
    const more = { handle: 'of_the_whole', display_name: 'One more' };
    expect((await t.call('POST', '/api/agents', { key, body: more })).status).toBe(201);
    const agents = await t.call('GET', '/api/agents', { key });
    expect(agents.body).toHaveLength(2);
    const quiet = await t.call('PATCH', '/api/notifications/preferences', { key, body: {} });
    expect(quiet.status).toBe(200);
  });

  test('attaches the agent to the account that the address has', async () => {
    const agent = await provisioned();
    await claim(agent, ada.email);
    const { body } = await verify(agent, ada.email);
    const token = await signIn(t, ada.email);
    const agents = await t.call('GET', '/api/agents', { token });
    expect(agents.body.map(({ handle }: { handle: string }) => handle)).toEqual(
      expect.arrayContaining(['ada', agent.handle]),
    );
    expect((await t.call('GET', '/api/auth/key', { key: body.api_key })).body.handle).toBe(agent.handle);
    expect(body.agent_handle).toBe(agent.handle);
    // The agent's own key acts for no other agent of that account, the provisional one neither.
    for (const key of [body.api_key, agent.key]) {
      expect((await t.call('GET', '/api/v1/wallet', { key, agent: 'ada' })).status).not.toBe(200);
    }
    ada = { ...ada, token };
  });

  test('takes the code of this agent and this address alone, and five tries', async () => {
    const [agent, other] = [await provisioned(), await provisioned()];
    await claim(agent, 'two@example.org');
    const code = codeFor(t, 'two@example.org');
    expect((await verify(other, 'two@example.org', code)).status).toBe(400);
    expect((await verify(agent, 'three@example.org', code)).status).toBe(400);
    for (let tries = 0; tries < 5; tries++)
      await verify(agent, 'two@example.org', code === '000000' ? '000001' : '000000');
    expect((await verify(agent, 'two@example.org', code)).status).toBe(429);
    await claim(agent, 'two@example.org');
    expect((await verify(agent, 'two@example.org')).status).toBe(200);
  });

  test('that is sent again under its key is answered again', async () => {
    const agent = await provisioned();
    await claim(agent, 'again@example.org');
    const body = { email: 'again@example.org', code: codeFor(t, 'again@example.org') };
    const asked = { key: agent.key, headers: { 'Idempotency-Key': 'claim-1' }, body };
    const first = await t.call('POST', '/api/auth/provision/claim/verify', asked);
    const second = await t.call('POST', '/api/auth/provision/claim/verify', asked);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('goes to one of two who hold codes', async () => {
    const agent = await provisioned();
    await claim(agent, 'one@example.org');
    await claim(agent, 'other@example.org');
    const both = await Promise.all([verify(agent, 'one@example.org'), verify(agent, 'other@example.org')]);
    expect(both.map(({ status: code }) => code).toSorted()).toEqual([200, 409]);
  });

  test('is no call for full keys', async () => {
    const answer = await t.call('POST', '/api/auth/provision/claim', {
      key: ada.key,
      agent: 'ada',
      body: { email: 'x@example.org' },
    });
    expect([answer.status, answer.body.error]).toEqual([409, 'already_claimed']);
  });
});

describe('an agent that nobody claims', () => {
  const NOW = Date.UTC(2026, 5, 15);
  test.each([
    [{ talked: false, funded: false, last_seen_at: NOW - 30 * DAY_MS }, 'goes'],
    [{ talked: false, funded: false, last_seen_at: NOW - 30 * DAY_MS + 1 }, NOW + 1],
    [{ talked: true, funded: false, last_seen_at: 0 }, 'stays'],
    [{ talked: false, funded: true, last_seen_at: 0 }, 'stays'],
  ] as const)('%j: %p', (life, fate) => {
    expect(fateOf(life, NOW)).toBe(fate);
  });

  test('goes after thirty days, unless it talked, was paid, was claimed or is still in use', async () => {
    const own = await openTestService();
    const setUp = async (n: number): Promise<Agent> => {
      const install_id = `clean-${n}-`.padEnd(40, 'x');
      const { body } = await own.call('POST', '/api/auth/provision', { body: { install_id } });
      return { key: body.api_key, handle: body.handle, install_id };
    };
    const [unused, talked, paid, claimed, used] = [
      await setUp(1),
      await setUp(2),
      await setUp(3),
      await setUp(4),
      await setUp(5),
    ];
    const payer = await newAgent(own, { handle: 'payer', verified: true });
    await putFunds(own, payer.id, 1_000);
    await own.call('POST', '/tools/mesh_start_conversation', {
      key: talked.key,
      body: { handle: 'payer', content: 'Hello.' },
    });
    await own.call('POST', '/api/wallet/send', {
      token: payer.token,
      agent: 'payer',
      body: { to_handle: paid.handle, amount_cents: 1 },
    });
    await own.call('POST', '/api/auth/provision/claim', { key: claimed.key, body: { email: 'c@example.org' } });
    const body = { email: 'c@example.org', code: codeFor(own, 'c@example.org') };
    const full = await own.call('POST', '/api/auth/provision/claim/verify', { key: claimed.key, body });
    await own.advance(29 * DAY_MS);
    const works = async (key: string) => (await own.call('GET', '/api/v1/wallet', { key })).status;
    expect(await works(used.key)).toBe(200);
    await own.advance(DAY_MS - 1);
    await own.advance(1);
    expect(await works(unused.key)).toBe(401);
    expect([await works(talked.key), await works(paid.key), await works(used.key)]).toEqual([200, 200, 200]);
    expect(await works(full.body.api_key)).toBe(200);
    // Its name and its place are free, and its installation begins anew.
    const again = await own.call('POST', '/api/auth/provision', { body: { install_id: unused.install_id } });
    expect([again.status, again.body.handle === unused.handle]).toEqual([200, false]);
    await own.advance(31 * DAY_MS);
    expect([await works(used.key), await works(again.body.api_key), await works(paid.key)]).toEqual([401, 401, 200]);
    await own.close();
  });
});
