// The proof of an account on another site, against sites that behave and some that do not: what proves an agent, whom the proof then
// backs, how it fades, and what an answer is worth that was not asked for, or not here.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { type AccountSite, openAccountSite } from '../support/account-site.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { statusTold } from '../support/proofs.ts';
import { newReader, type Reader, type Shown, signInOn } from '../support/reader.ts';
import { readStoredRows } from '../support/store.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';

const KINDS = ['github', 'linkedin', 'twitter'] as const;

let site: AccountSite;
let t: TestService;
const open = (): Promise<TestService> =>
  openTestService({}, 'memory', {
    outside: { allow: [{ host: '127.0.0.1', port: site.port }] },
    hosts: (http) => Object.fromEntries(KINDS.map((kind) => [kind, site.open(http, kind)])),
  });

beforeAll(async () => {
  site = openAccountSite();
  t = await open();
});
beforeEach(() => {
  site.trouble = 'none';
});
afterAll(async () => {
  await t.close();
  await site.close();
});

let accounts = 1000;
function freshAccount(): string {
  accounts += 1;
  return String(accounts);
}

/** A person with an agent, in a browser. */
interface Person {
  readonly agent: TestAgent;
  readonly reader: Reader;
}

async function person(handle: string): Promise<Person> {
  const agent = await newAgent(t, { handle });
  const reader = newReader(t);
  await signInOn(t, reader, agent.email);
  return { agent, reader };
}

/** Where the page of proofs leads. */
async function leave({ agent, reader }: Person, provider: string): Promise<string> {
  await reader.get(`/app/proofs?agent=${agent.handle}`);
  const page = await reader.post('/app/proofs', { agent: agent.handle, step: 'account', provider });
  expect(page.status).toBe(200);
  const href = /<a class="button main" href="([^"]+)"/.exec(page.text)?.[1] ?? '';
  return href.replaceAll('&amp;', '&');
}

const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;
const come = ({ reader }: Person, back: URL): Promise<Shown> => reader.get(pathOf(back));

async function prove(who: Person, provider: string, account: string): Promise<Shown> {
  return come(who, site.consent(await leave(who, provider), account));
}

async function standing({ agent }: Person, kind: string): Promise<Record<string, unknown>> {
  const status = await statusTold(t, agent, kind);
  const token = await signIn(t, agent.email);
  const own = (await t.call('GET', `/api/agents/${agent.handle}`, { token })).body;
  const { credentials } = (await t.call('GET', '/api/trust/signals', { token, agent: agent.handle })).body;
  const found = credentials.find((each: { kind: string }) => each.kind === kind);
  return { verified: own.verified, status, ends: found?.decays_to_zero_at ?? null };
}

const connect = async ({ agent }: Person, body: unknown, provider = 'github'): Promise<TestAnswer> =>
  t.call('POST', `/api/trust/${provider}/connect`, { token: await signIn(t, agent.email), agent: agent.handle, body });

describe('a proof', () => {
  test.each([...KINDS])('of a %s account verifies the agent, tells it, and is shown on the page', async (kind) => {
    const who = await person(`proves_${kind}`);
    expect(await standing(who, kind)).toMatchObject({ verified: false, status: null });
    const went = await prove(who, kind, freshAccount());
    expect([went.status, went.location]).toEqual([303, `/app/proofs?agent=proves_${kind}`]);
    expect(await standing(who, kind)).toEqual({ verified: true, status: 'active', ends: null });
    const names = { github: 'A GitHub account', linkedin: 'A LinkedIn account', twitter: 'An X account' };
    expect((await who.reader.get(went.location ?? '')).text).toContain(`<li>${names[kind]}</li>`);
    const { body } = await t.call('GET', '/api/agents/public/' + who.agent.handle);
    expect(body.trust.credentials).toContain(kind);
    const events = await t.call('GET', `/api/agents/${who.agent.handle}/inbox?peek=true`, { key: who.agent.key });
    expect(JSON.stringify(events.body)).toContain('trust.updated');
  });

  test('keeps no token, no code and no verifier, and nothing of the account but its id', async () => {
    const who = await person('keeps_little');
    const address = await leave(who, 'github');
    const back = site.consent(address, '4711');
    const state = back.searchParams.get('state') ?? '';
    const { data_dir } = t.service.world.settings;
    const asked = await readStoredRows(data_dir, 'select * from codes');
    expect(JSON.stringify(asked)).not.toContain(state);
    await come(who, back);
    const rows = await readStoredRows(data_dir, "select * from claims where external_id = '4711'");
    expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(
      [
        ...['agent_id', 'checked_at', 'external_id', 'failing_since', 'holds', 'id', 'provider', 'verified_at'],
        'version',
      ].toSorted(),
    );
  });

  test('tells which sites there are, and what each is worth', async () => {
    const { agent } = await person('reads_sites');
    const { body } = await t.call('GET', '/api/trust/providers', { token: agent.token });
    const shown = body.providers.map((each: Record<string, unknown>) => [
      each['provider'],
      each['points'],
      each['rechecked'],
    ]);
    expect(shown).toEqual([
      ['github', 6, true],
      ['linkedin', 6, false],
      ['twitter', 3, false],
    ]);
  });

  test('is for sessions alone, of sites that are set up, and goes on to paths of this site alone', async () => {
    const who = await person('asks_oddly');
    const { agent } = who;
    const byKey = await t.call('POST', '/api/trust/github/connect', { key: agent.key, agent: agent.handle });
    expect([byKey.status, byKey.body.error]).toEqual([403, 'session_required']);
    const none = await connect(who, {}, 'oidc');
    expect([none.status, none.body.error]).toEqual([503, 'provider_not_configured']);
    expect((await connect(who, {}, 'myspace')).status).toBe(400);
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
    ])
      expect([next, (await connect(who, { next })).status]).toEqual([next, 400]);
    const begun = await connect(who, { next: '/app/onboarding?x=1' });
    expect([begun.status, Object.keys(begun.body).toSorted()]).toEqual([200, ['authorize_url', 'expires_at']]);
    const { searchParams, pathname } = new URL(begun.body.authorize_url);
    expect(pathname).toBe('/login/oauth/authorize');
    expect(searchParams.get('redirect_uri')).toBe('http://localhost/app/proofs/github/callback');
    expect(searchParams.get('code_challenge_method')).toBe('S256');
  });

  test('of an account that backs another agent is refused, and of a second account takes the place of the first', async () => {
    const [first, second] = [await person('first_here'), await person('second_here')];
    const [one, two] = [freshAccount(), freshAccount()];
    await prove(first, 'github', one);
    const taken = await prove(second, 'github', one);
    expect([taken.status, taken.text.includes('already backs another agent')]).toEqual([409, true]);
    expect(await standing(second, 'github')).toMatchObject({ verified: false, status: null });
    await prove(first, 'github', two);
    expect((await prove(second, 'github', one)).status).toBe(303);
    expect((await prove(second, 'github', one)).status).toBe(303);
  });
});

describe('an answer', () => {
  test('counts once, and not after ten minutes', async () => {
    const who = await person('repeats');
    const back = site.consent(await leave(who, 'github'), freshAccount());
    expect((await come(who, back)).status).toBe(303);
    const before = site.asked.length;
    expect((await come(who, back)).status).toBe(410);
    const late = site.consent(await leave(who, 'github'), freshAccount());
    await t.advance(600_000);
    expect((await come(who, late)).status).toBe(410);
    // Nobody was called for it.
    expect(site.asked.length).toBe(before);
  });

  test('that somebody else began proves nothing for whoever opens it (login CSRF)', async () => {
    const [mallory, victim] = [await person('mallory'), await person('victim')];
    const back = site.consent(await leave(mallory, 'github'), freshAccount());
    expect((await come(victim, back)).status).toBe(410);
    expect(await standing(victim, 'github')).toMatchObject({ verified: false });
    // The same person in another session is another browser, too.
    const elsewhere = { agent: mallory.agent, reader: newReader(t) };
    await signInOn(t, elsewhere.reader, mallory.agent.email);
    expect((await come(elsewhere, back)).status).toBe(410);
    const nobody = await newReader(t).get(pathOf(back));
    expect([nobody.status, nobody.location]).toEqual([303, '/app/login?next=%2Fapp%2Fproofs']);
    // It is still whole for the one who began it.
    expect((await come(mallory, back)).status).toBe(303);
  });

  test('of one site is none of another (mix-up)', async () => {
    const who = await person('mixed_up');
    const back = site.consent(await leave(who, 'github'), freshAccount());
    const elsewhere = new URL(back.href.replace('/github/', '/twitter/'));
    const before = site.asked.length;
    expect((await come(who, elsewhere)).status).toBe(410);
    expect(site.asked.length).toBe(before);
    expect((await come(who, new URL(back.href.replace('/github/', '/evil/')))).location).toBe('/app/proofs');
  });

  test('with a wrong state, a made-up code or none is refused', async () => {
    const who = await person('makes_up');
    const wrong = site.consent(await leave(who, 'github'), freshAccount());
    wrong.searchParams.set('state', 'x'.repeat(43));
    expect((await come(who, wrong)).status).toBe(410);
    for (const [name, value] of [
      ['code', 'made-up'],
      ['error', 'server_error'],
      ['error', 'access_denied'],
    ] as const) {
      const back = site.consent(await leave(who, 'github'), freshAccount());
      back.searchParams.delete('code');
      back.searchParams.set(name, value);
      const shown = await come(who, back);
      expect([value, shown.status, shown.text.includes('Back to the proofs')]).toEqual([value, 400, true]);
    }
    const hostile = await who.reader.get(`/app/proofs/github/callback?state=${'<script>'.repeat(9)}&error=<b>`);
    expect(hostile.text).not.toMatch(/<script>|<b>/);
    expect(hostile.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await standing(who, 'github')).toMatchObject({ verified: false });
  });

  test('goes on to where the asking said, and nowhere that the answer says', async () => {
    const who = await person('goes_on');
    const { reader, agent } = who;
    await reader.get('/app/proofs');
    const token = agent.token;
    // The page's session and the one of the token are two; only the one that asks may finish.
    const begun = await t.call('POST', '/api/trust/github/connect', {
      token,
      agent: agent.handle,
      body: { next: '/app/x' },
    });
    const back = site.consent(begun.body.authorize_url, freshAccount());
    back.searchParams.set('next', 'https://evil.example');
    expect((await come(who, back)).status).toBe(410);
    const own = site.consent(await leave(who, 'github'), freshAccount());
    own.searchParams.set('next', 'https://evil.example');
    expect((await come(who, own)).location).toBe('/app/proofs?agent=goes_on');
  });
});

describe('a site', () => {
  test.each([
    ['error', 503],
    ['redirect', 503],
    ['garbage', 400],
    ['no_token', 400],
    ['no_account', 400],
  ] as const)('that answers with %s proves nothing, and says so with %i', async (trouble, status) => {
    const who = await person(`trouble_${trouble}`);
    const back = site.consent(await leave(who, 'github'), freshAccount());
    site.trouble = trouble;
    expect((await come(who, back)).status).toBe(status);
    site.trouble = 'none';
    expect(await standing(who, 'github')).toMatchObject({ verified: false, status: null });
    // Begun anew it works.
    expect((await prove(who, 'github', freshAccount())).status).toBe(303);
  });

  test('that closes an account lets the proof fade over thirty days; then it is free for another agent', async () => {
    const [who, next] = [await person('fades_away'), await person('comes_after')];
    const account = freshAccount();
    await prove(who, 'github', account);
    await t.advance(2 * DAY_MS);
    expect(await standing(who, 'github')).toEqual({ verified: true, status: 'active', ends: null });
    site.closed.add(account);
    await t.advance(DAY_MS);
    const ends = new Date(t.clock.now() + 30 * DAY_MS).toISOString();
    expect(await standing(who, 'github')).toEqual({ verified: true, status: 'failing', ends });
    await t.advance(30 * DAY_MS);
    expect(await standing(who, 'github')).toEqual({ verified: false, status: null, ends: null });
    site.closed.delete(account);
    const again = { ...next, reader: newReader(t) };
    await signInOn(t, again.reader, next.agent.email);
    expect((await prove(again, 'github', account)).status).toBe(303);
  });

  test('that gives no answer is waited for three days', async () => {
    const who = await person('waits_long');
    await prove(who, 'github', freshAccount());
    site.trouble = 'error';
    await t.advance(2 * DAY_MS);
    expect(await standing(who, 'github')).toMatchObject({ status: 'active' });
    await t.advance(DAY_MS);
    expect(await standing(who, 'github')).toMatchObject({ status: 'failing' });
    site.trouble = 'none';
    await t.advance(DAY_MS);
    expect(await standing(who, 'github')).toEqual({ verified: true, status: 'active', ends: null });
  });
});

// A test of its own: half a year of everybody else's days takes seconds.
describe('half a year', () => {
  beforeAll(async () => {
    await t.close();
    t = await open();
  });

  test('that tells nobody but its person has to confirm the account again after half a year', async () => {
    const accounts = { linkedin: freshAccount(), twitter: freshAccount() };
    const who = await person('renews');
    const proveAll = async (reader: Reader): Promise<void> => {
      for (const [kind, account] of Object.entries(accounts)) await prove({ ...who, reader }, kind, account);
    };
    // One after the other: each signs in by the newest code of the same address.
    const all = async (): Promise<Record<string, unknown>[]> => {
      const each = [];
      for (const kind of Object.keys(accounts)) each.push(await standing(who, kind));
      return each;
    };
    await proveAll(who.reader);
    await t.advance(179 * DAY_MS);
    for (const each of await all()) expect(each).toMatchObject({ verified: true, status: 'active' });
    await t.advance(2 * DAY_MS);
    for (const each of await all()) expect(each).toMatchObject({ verified: true, status: 'failing' });
    const reader = newReader(t);
    await signInOn(t, reader, who.agent.email);
    await proveAll(reader);
    for (const each of await all()) expect(each).toEqual({ verified: true, status: 'active', ends: null });
    await t.advance(211 * DAY_MS);
    for (const each of await all()) expect(each).toEqual({ verified: false, status: null, ends: null });
  });
});
