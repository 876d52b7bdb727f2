// The demo world: forty agents on autopilot trade by the ordinary operations, nobody real is shown or reached through it, and all of it
// can be removed, after which the ledger balances.
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPorts } from '../../src/compose/open.ts';
import { isConfigProblem, readConfig, UnusableSetting } from '../../src/config.ts';
import { DEMO_DOMAIN } from '../../src/domain/demo.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { createLog } from '../../src/log.ts';
import { newAgent, signIn } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { newReader, type Reader } from '../support/reader.ts';
import { dropStore, readStoredRows } from '../support/store.ts';
import { openTestService, START_MS, type TestAnswer, type TestService } from '../support/testbed.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const ADMIN = 'root@example.org';
const joining = { signup: 'open', domains: [], administrators: [ADMIN], members_invite: true } as const;

const t = sharedService({ admin_emails: [ADMIN], joining }, 'files');

const codeOf = async (email: string): Promise<string> => {
  const letters = await t.service.world.outbox.list(email);
  return letters.flatMap(({ text }) => text.match(/^\d{6}$/m)?.[0] ?? [])[0] ?? '';
};

/** Signs in on the pages, as a browser does. */
async function reader(email: string): Promise<Reader> {
  const made = newReader(t);
  await made.get('/app/login');
  await made.post('/app/login', { email, how: 'code', next: '/demo' });
  const went = await made.post('/app/login/code', { email, next: '/demo', code: await codeOf(email) });
  expect([went.status, went.location]).toEqual([303, '/demo']);
  return made;
}

async function asAdmin(method: string, path: string): Promise<TestAnswer> {
  await t.call('POST', '/api/auth/session/start', { body: { email: ADMIN } });
  const body = { email: ADMIN, code: await codeOf(ADMIN) };
  const { access_token: token } = (await t.call('POST', '/api/auth/session/verify', { body })).body;
  return t.call(method, path, { token });
}
const rows = (sql: string): Promise<Record<string, unknown>[]> =>
  readStoredRows(t.service.world.settings.data_dir, sql);

/** Who is signed in on the pages, by the address of the account of the session. */
async function emailOf({ cookies }: Reader): Promise<unknown> {
  const [id = ''] = (cookies.get('meshwork_page') ?? '').split('.');
  const [found] = await rows(
    `select a.email from sessions s join accounts a on a.id = s.account_id where s.id = '${id}'`,
  );
  return found?.['email'] ?? null;
}

/** The world once some of its money is in escrow. */
async function untilHeld(of: TestService, look: () => Promise<TestAnswer>): Promise<TestAnswer['body']> {
  for (let tries = 0; tries < 40; tries += 1) {
    await of.advance(MINUTE_MS / 4);
    const { body } = await look();
    if (body.held_cents > 0) return body;
  }
  throw new Error('no pair has agreed on anything');
}

describe('a demo world', () => {
  test('is not there until an administrator starts it, and not for others', async () => {
    const { status, body } = await asAdmin('GET', '/api/admin/demo');
    expect([status, body.state, body.may_start]).toEqual([200, 'none', 'yes']);
    expect((await asAdmin('DELETE', '/api/admin/demo')).status).toBe(404);
    expect((await (await reader(ADMIN)).get('/demo')).status).toBe(404);
    expect((await newReader(t).get('/demo')).location).toBe('/app/login?next=%2Fdemo');
  });

  test('is started once, and then shown to administrators with the letters of its persons alone', async () => {
    const { status, body } = await asAdmin('POST', '/api/admin/demo');
    expect([status, body.state, body.may_start, body.agents_planned]).toEqual([201, 'trading', 'running', 40]);
    expect((await asAdmin('POST', '/api/admin/demo')).status).toBe(409);
    const during = await untilHeld(t, () => asAdmin('GET', '/api/admin/demo'));
    expect(during).toMatchObject({ state: 'trading', agents: 40, matches: 20 });
    const admin = await reader(ADMIN);
    const page = await admin.get('/demo');
    expect([page.status, page.text.includes(`@${DEMO_DOMAIN}`)]).toEqual([200, true]);
    // The newest letter of all is the administrator's own code.
    expect(page.text).not.toContain(await codeOf(ADMIN));
    expect(page.text).not.toContain(ADMIN);
  });

  test('signs its watcher in as one of its persons alone', async () => {
    const admin = await reader(ADMIN);
    await admin.get('/demo');
    for (const handle of ['root', 'concierge', '', ADMIN]) {
      const refused = await admin.post('/demo', { handle, next: '/app' });
      expect([handle, refused.status, await emailOf(admin)]).toEqual([handle, 404, ADMIN]);
    }
    expect((await admin.post('/demo', { handle: 'catering_buyer' }, { origin: 'https://evil.example' })).status).toBe(
      403,
    );
    const went = await admin.post('/demo', { handle: 'catering_buyer', next: 'https://evil.example/' });
    expect([went.status, went.location]).toEqual([303, '/app']);
    expect(await emailOf(admin)).toBe(`catering_buyer@${DEMO_DOMAIN}`);
    // As that person one can look on, and change to another person, and is no administrator.
    expect((await admin.get('/demo')).text).toContain('@catering_buyer');
    await admin.post('/demo', { handle: 'catering_seller', next: '/app' });
    expect(await emailOf(admin)).toBe(`catering_seller@${DEMO_DOMAIN}`);
    const { data } = { data: await admin.get('/demo/live') };
    expect([data.status, JSON.parse(data.text).texts.agents]).toEqual([200, '40']);
    const email = `catering_seller@${DEMO_DOMAIN}`;
    await t.call('POST', '/api/auth/session/start', { body: { email } });
    const verified = await t.call('POST', '/api/auth/session/verify', { body: { email, code: await codeOf(email) } });
    const { access_token: token } = verified.body;
    expect((await t.call('DELETE', '/api/admin/demo', { token })).status).toBe(403);
  });

  test('an account that is no longer only the demo’s is neither entered nor read', async () => {
    const email = `voice_over_buyer@${DEMO_DOMAIN}`;
    await t.service.world.store.turn({
      attempt: async (read) => {
        const { accountByEmail } = await import('../../db/queries/identity.ts');
        const { patch } = await import('../../db/effects.ts');
        const row = await read(accountByEmail, { email });
        return { reply: null, effects: row ? [patch('accounts', row, { email: 'moved@example.org' })] : [] };
      },
    });
    await t.call('POST', '/api/auth/session/start', { body: { email: 'moved@example.org' } });
    const admin = await reader(ADMIN);
    expect((await admin.get('/demo')).text).not.toContain(await codeOf('moved@example.org'));
    expect((await admin.post('/demo', { handle: 'voice_over_buyer', next: '/app' })).status).toBe(404);
  });

  test('nobody else sees it', async () => {
    const other = await reader('passer.by@example.org');
    expect((await other.get('/demo')).status).toBe(404);
    expect((await other.get('/demo/live')).status).toBe(404);
    await other.get('/app/login');
    expect((await other.post('/demo', { handle: 'catering_buyer', next: '/app' })).status).toBe(404);
    expect(await emailOf(other)).toBe('passer.by@example.org');
  });

  test('a service that takes real money does not start on it', async () => {
    const { settings } = t.service.world;
    const { prepare } = await import('../../src/compose/prepare.ts');
    const { store, clock } = t.service.world;
    const asked = prepare({ settings, store, clock, processor: null }).catch((error: unknown) => error);
    const error = await asked;
    expect(error).toBeInstanceOf(UnusableSetting);
    expect(String(error)).toContain('a demo world is in this database');
  });

  test('trades from match to released money, and then costs nothing more', async () => {
    await t.advance(13 * MINUTE_MS);
    const after = (await asAdmin('GET', '/api/admin/demo')).body;
    expect(after).toMatchObject({ state: 'done', agents: 40, deals: 20, completed: 20, held_cents: 0 });
    expect(await rows("select id from reminders where operation = 'demo.step'")).toEqual([]);
  });

  test('is removed with what its persons have left open, and the ledger balances', async () => {
    const admin = await reader(ADMIN);
    await admin.get('/demo');
    expect((await asAdmin('DELETE', '/api/admin/demo')).body.state).toBe('removing');
    expect((await admin.get('/demo')).status).toBe(404);
    await t.advance(MINUTE_MS);
    const { body } = await asAdmin('GET', '/api/admin/demo');
    expect([body.state, body.may_start]).toEqual(['none', 'people']);
    const people = await asAdmin('GET', '/api/admin/people');
    expect(people.body.map(({ email }: { email: string }) => email)).toEqual(['passer.by@example.org', ADMIN]);
    const agents = await asAdmin('GET', '/api/admin/agents');
    expect(agents.body.map(({ kind }: { kind: string }) => kind)).toEqual(['platform']);
    expect(await rows('select id from listings')).toEqual([]);
    const { body: ledger } = await asAdmin('GET', '/api/admin/ledger/check');
    expect([ledger.ok, ledger.problems]).toEqual([true, []]);
    const [sum] = await rows('select sum(balance_cents) as n from ledger_accounts');
    expect(Number(sum?.['n'])).toBe(0);
  });
});

describe('a demo world of its own', () => {
  test('goes on after a restart', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-test-'));
    const clock = virtualClock(START_MS);
    const first = await openTestService({ admin_emails: [ADMIN], joining }, 'memory', { data_dir, clock });
    await first.call('POST', '/api/admin/demo', { token: await signIn(first, ADMIN) });
    await first.advance(10_000);
    await first.close();
    const again = await openTestService({ admin_emails: [ADMIN], joining }, 'memory', { data_dir, clock });
    await again.advance(MINUTE_MS);
    const { body } = await again.call('GET', '/api/admin/demo', { token: await signIn(again, ADMIN) });
    expect(body).toMatchObject({ state: 'trading', agents: 40 });
    expect(body.pairs.filter(({ state }: { state: string }) => state === 'stopped')).toEqual([]);
    await again.close();
    await dropStore(data_dir);
    rmSync(data_dir, { recursive: true, force: true });
  });

  test('keeps the letters to its persons off a mail server', async () => {
    const config = readConfig({ SMTP_URL: 'smtp://127.0.0.1:1', DATA_DIR: t.service.world.settings.data_dir });
    if (isConfigProblem(config)) throw new Error(config.problem);
    const { mailer } = openPorts(config, createLog('silent', 'text'));
    const letter = { id: Bun.randomUUIDv7(), subject: 'For nobody', text: 'Hello' };
    expect(await mailer.send({ ...letter, to: `nobody@${DEMO_DOMAIN}` })).toMatchObject({ sent: true, kept: true });
    expect((await mailer.send({ ...letter, to: 'ada@example.org' })).sent).toBe(false);
  });

  test('is refused beside accounts of people and without the sandbox', async () => {
    const own = await openTestService({ admin_emails: [ADMIN], joining });
    const token = await signIn(own, ADMIN);
    await newAgent(own, { handle: 'someone' });
    const refused = await own.call('POST', '/api/admin/demo', { token });
    expect([refused.status, refused.body.error]).toEqual([409, 'conflict']);
    expect((await own.call('GET', '/api/admin/demo', { token })).body.may_start).toBe('people');
    await own.close();
    const none = await openTestService({ admin_emails: [ADMIN], joining }, 'memory', { processor: null });
    const other = await signIn(none, ADMIN);
    expect((await none.call('POST', '/api/admin/demo', { token: other })).status).toBe(409);
    expect((await none.call('GET', '/api/admin/demo', { token: other })).body.may_start).toBe('no_sandbox');
    await none.close();
  });

  test('can be removed in the middle, and started again', async () => {
    const own = await openTestService({ admin_emails: [ADMIN], joining });
    const call = async (method: string): Promise<TestAnswer> =>
      own.call(method, '/api/admin/demo', { token: await signIn(own, ADMIN) });
    await call('POST');
    expect((await untilHeld(own, () => call('GET'))).completed).toBeLessThan(20);
    await call('DELETE');
    await own.advance(MINUTE_MS);
    expect((await call('GET')).body.state).toBe('none');
    const token = await signIn(own, ADMIN);
    const { body: ledger } = await own.call('GET', '/api/admin/ledger/check', { token });
    expect([ledger.ok, ledger.problems]).toEqual([true, []]);
    expect((await call('POST')).status).toBe(201);
    await own.advance(MINUTE_MS);
    expect((await call('GET')).body).toMatchObject({ agents: 40, state: 'trading' });
    await own.close();
  });
});
