// Who may make an account, at every door that makes one: what the rules keep out gets none, is mailed nothing, and is answered as
// whoever has one; whoever has one signs in as ever.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { accountByEmail } from '../../db/queries/identity.ts';
import type { JoinRules } from '../../src/domain/identity/join.ts';
import { createOidcClient } from '../../src/outbound/account-host/oidc-client.ts';
import { newProvisional } from '../support/agents.ts';
import { type OpenidDouble, openOpenidDouble } from '../support/openid-double.ts';
import { newReader, type Shown } from '../support/reader.ts';
import { codeFor, openTestService, signUp, type TestAnswer, type TestService } from '../support/testbed.ts';
import { readTree } from '../tidy/source.ts';

const OPEN: JoinRules = { signup: 'open', domains: [], administrators: [], members_invite: false };
/** The rules of both services; each test sets them anew. */
const rules: { -readonly [Field in keyof JoinRules]: JoinRules[Field] } = { ...OPEN };
const set = (now: Partial<JoinRules>): unknown => Object.assign(rules, OPEN, now);

let t: TestService;
let outside: TestService;
let idp: OpenidDouble;
beforeAll(async () => {
  t = await openTestService({ joining: rules });
  idp = await openOpenidDouble();
  outside = await openTestService({ outside_issuer: idp.issuer, joining: rules }, 'memory', {
    outside: { allow: [{ host: '127.0.0.1', port: idp.port }] },
    identity: (http) => {
      const { issuer, client_id, client_secret } = idp;
      return createOidcClient({ http, issuer, client_id, client_secret, scope: 'openid email', now: Date.now });
    },
  });
});
beforeEach(() => set({}));
afterAll(async () => {
  await Promise.all([t.close(), outside.close()]);
  await idp.close();
});

const accountOf = (test: TestService, email: string) => test.service.world.store.read(accountByEmail, { email });
const mailed = (email: string): number => t.mails.filter(({ to }) => to === email).length;
const bare = ({ status, body: { request_id: _, ...body } }: TestAnswer): unknown => ({ status, body });

/** A door behind which an address gets an account by a mailed code. */
interface Door {
  start(email: string): Promise<TestAnswer>;
  verify(email: string, code: string): Promise<TestAnswer>;
}

const byCode = (path: string): Door => ({
  start: (email) => t.call('POST', `${path}/start`, { body: { email } }),
  verify: (email, code) => t.call('POST', `${path}/verify`, { body: { email, code } }),
});

let claimed = 0;
async function claim(): Promise<Door> {
  claimed += 1;
  const { key } = await newProvisional(t, `unclaimed_${claimed}`);
  const path = '/api/auth/provision/claim';
  return {
    start: (email) => t.call('POST', path, { key, body: { email } }),
    verify: (email, code) => t.call('POST', `${path}/verify`, { key, body: { email, code } }),
  };
}

const DOORS: readonly (readonly [string, () => Promise<Door>])[] = [
  ['signing up', async () => byCode('/api/auth/signup')],
  ['signing in', async () => byCode('/api/auth/session')],
  ['claiming', claim],
];

async function arrive(email: string): Promise<Shown> {
  const reader = newReader(outside);
  await reader.get('/app/login');
  const { location } = await reader.post('/app/login', { next: '/app' });
  const back = idp.signIn(location ?? '', { sub: email, email, email_verified: true });
  return reader.get(`${back.pathname}${back.search}`);
}

const KEPT_OUT: readonly (readonly [string, Partial<JoinRules>])[] = [
  ['SIGNUP=closed', { signup: 'closed' }],
  ['SIGNUP=invite', { signup: 'invite' }],
  ['SIGNUP_DOMAINS of others', { domains: ['other.example'] }],
];

let people = 0;
const somebody = (domain = 'example.org'): string => `person${++people}@${domain}`;

describe.each(KEPT_OUT)('%s', (_, rule) => {
  test.each(DOORS)(
    '%s: a new address is answered like a known one, mailed nothing, and gets no account',
    async (_, open) => {
      const [known, stranger] = [somebody(), somebody()];
      await signUp(t, known);
      const before = mailed(known);
      set(rule);
      const told: unknown[] = [];
      for (const email of [known, stranger]) {
        const door = await open();
        const answers = [await door.start(email)];
        await t.rest();
        const right = email === known ? codeFor(t, known) : '';
        const wrong = right === '000000' ? '000001' : '000000';
        for (let tries = 0; tries < 6; tries += 1) answers.push(await door.verify(email, wrong));
        told.push(answers.map(bare));
      }
      expect(told[1]).toEqual(told[0]);
      expect([mailed(known) - before, mailed(stranger)]).toEqual([1, 0]);
      expect(await accountOf(t, stranger)).toBeNull();
    },
  );

  test.each(DOORS)(
    '%s: a code from before the doors were closed makes no account, and is told why',
    async (_, open) => {
      const [known, stranger] = [somebody(), somebody()];
      await signUp(t, known);
      const doors = [await open(), await open()] as const;
      await doors[0].start(known);
      await doors[1].start(stranger);
      await t.rest();
      set(rule);
      expect((await doors[0].verify(known, codeFor(t, known))).status).toBe(200);
      const refused = await doors[1].verify(stranger, codeFor(t, stranger));
      expect([refused.status, refused.body.error]).toEqual([403, 'signup_closed']);
      expect(await accountOf(t, stranger)).toBeNull();
    },
  );

  test('login codes go to nobody who may not join', async () => {
    const stranger = somebody();
    set(rule);
    expect((await byCode('/api/auth/login').start(stranger)).body).toEqual({ sent: true });
    await t.rest();
    expect(mailed(stranger)).toBe(0);
  });

  test('no new agent is provisioned; one that is known gets its key', async () => {
    const provision = (install_id: string) => t.call('POST', '/api/auth/provision', { body: { install_id } });
    const [known, fresh] = [somebody(), somebody()].map((name) => name.replace(/\W/g, '-').padEnd(40, 'k'));
    expect((await provision(known ?? '')).status).toBe(200);
    set(rule);
    expect((await provision(known ?? '')).status).toBe(200);
    const refused = await provision(fresh ?? '');
    expect([refused.status, refused.body.error]).toEqual([403, 'signup_closed']);
  });

  test('an identity provider brings nobody new', async () => {
    const [known, stranger] = [somebody(), somebody()];
    expect((await arrive(known)).status).toBe(303);
    set(rule);
    expect((await arrive(known)).status).toBe(303);
    const refused = await arrive(stranger);
    expect([refused.status, refused.text.includes('You have no account here')]).toEqual([403, true]);
    expect(await accountOf(outside, stranger)).toBeNull();
  });

  test('whoever runs the service lets in whom they name: by ADMIN_EMAILS, and by the command line', async () => {
    const [named, made] = [somebody(), somebody()];
    set({ ...rule, administrators: [named] });
    await signUp(t, named);
    const token = { 'X-Internal-Token': t.internal_token };
    const created = await t.call('POST', '/internal/admin/create', { headers: token, body: { email: made } });
    expect(created.status).toBe(201);
    expect((await byCode('/api/auth/session').start(made)).status).toBe(200);
    await t.rest();
    expect(mailed(made)).toBe(1);
  });
});

test('SIGNUP_DOMAINS lets in the addresses of its domains, and of nothing under them', async () => {
  set({ domains: ['example.org', 'example.net'] });
  for (const email of [somebody(), somebody('example.net')]) await signUp(t, email);
  const under = somebody('mail.example.org');
  await byCode('/api/auth/signup').start(under);
  await t.rest();
  expect(mailed(under)).toBe(0);
});

test('a refused program is told what to do, and the sign-in page says how one joins', async () => {
  const login = async (): Promise<string> => (await newReader(t).get('/app/login')).text;
  const install_id = 'a'.repeat(32);
  const refused = async () => (await t.call('POST', '/api/auth/provision', { body: { install_id } })).body;
  expect(await login()).toContain('A new address gets an account');
  set({ signup: 'invite' });
  expect(await login()).toContain('People join here by invitation');
  expect(await refused()).toMatchObject({
    message: 'People join here by invitation.',
    how: expect.stringContaining('invitation'),
  });
  set({ domains: ['example.org'] });
  expect(await login()).toContain('A new address of example.org gets an account');
  expect((await newReader(outside).get('/app/login')).text).toContain('with an address of example.org gets an account');
  expect((await refused()).message).toContain('Addresses of example.org join here');
  set({ signup: 'closed' });
  expect(await login()).toContain('Only people who have an account here can sign in');
  expect((await refused()).message).toContain('accepts no new accounts');
});

test('accounts are made where the rules are asked, by whoever runs the service, and for the platform alone', () => {
  const makers = readTree(join(import.meta.dir, '../..'), ['src', 'db', 'actors'])
    .filter(({ text }) => /insert\(\s*'accounts'/.test(text))
    .map(({ path }) => path);
  expect(makers.toSorted()).toEqual([
    'src/compose/prepare.ts',
    'src/operations/admin/set-up.ts',
    'src/operations/demo/start.ts',
    'src/operations/platform/admin-create.ts',
    // Asks isOpenToAll: it has no address.
    'src/operations/provision/create.ts',
    'src/steps/account/join.ts',
  ]);
});
