// What administrators do with people and agents: they find them, and keep out, let in, change, reset and erase them, for a reason that
// is written down; and what a suspension leaves to nobody, and what it leaves to the others.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import manifest from '../../package.json' with { type: 'json' };
import { DAY_MS } from '../../src/domain/time.ts';
import { createLog } from '../../src/log.ts';
import { SAMPLE } from '../../src/schemas/samples.ts';
import { accountOf, newAgent, newProvisional, signIn, type TestAgent } from '../support/agents.ts';
import { newAuthenticator } from '../support/authenticator.ts';
import { newBuyer, newSeller, open, said, walletOf } from '../support/escrow.ts';
import { LOGO_OFFER, publish } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { addPasskey, askOptions, showPasskey } from '../support/passkeys.ts';
import { connectProgram, signedInReader } from '../support/programs.ts';
import { readStream } from '../support/sse.ts';
import { codeFor, openTestService, START_MS, type TestAnswer } from '../support/testbed.ts';

const ADMIN = 'root@example.org';
const REASON = 'sends spam to strangers';

const t = sharedService({ admin_emails: [ADMIN] });
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: (request) => t.fetch(request) });
let token: string;
let names = 0;

beforeAll(async () => {
  token = await signIn(t, ADMIN);
});
afterAll(() => server.stop(true));

const someone = (more: object = {}): Promise<TestAgent> =>
  newAgent(t, { handle: `person_${String(++names).padStart(3, '0')}`, verified: true, ...more });
const asAdmin = async (method: string, path: string, body?: object): Promise<TestAnswer> => {
  token = await signIn(t, ADMIN);
  return t.call(method, `/api/admin${path}`, { token, ...(body && { body }) });
};
const act = async (who: { readonly email: string }, verb: string, body: object = {}): Promise<TestAnswer> =>
  asAdmin('POST', `/accounts/${await accountOf(t, who.email)}/${verb}`, { reason: REASON, ...body });
const lastAct = async (): Promise<unknown[]> => {
  const [{ by, operation, subject_id, reason }] = (await asAdmin('GET', '/audit?limit=1')).body;
  return [by, operation, subject_id, reason];
};

describe('people and agents are found', () => {
  test('by how the address begins, page by page, with what they have', async () => {
    const people = [];
    for (const name of ['anna', 'anne', 'annx', 'bert'])
      people.push(await newAgent(t, { handle: `find_${name}`, email: `find.${name}@example.org` }));
    await newAgent(t, { handle: 'find_second', email: 'find.anna@example.org' });
    const first = await asAdmin('GET', '/people?q=Find.ann&limit=2');
    expect(
      first.body.map(({ email, agents, plan, state }: TestAnswer['body']) => [email, agents, plan, state]),
    ).toEqual([
      ['find.anna@example.org', 2, 'free', 'active'],
      ['find.anne@example.org', 1, 'free', 'active'],
    ]);
    expect(first.body[0].last_seen_at).toMatch(/^2026-/);
    const next = await asAdmin('GET', `/people?q=Find.ann&limit=2&cursor=${first.headers.get('x-next-cursor')}`);
    expect(next.body.map(({ email }: TestAnswer['body']) => email)).toEqual(['find.annx@example.org']);
    expect(next.headers.get('x-next-cursor')).toBeNull();
    expect((await asAdmin('GET', '/people?q=%25')).body).toEqual([]);
    const agents = await asAdmin('GET', '/agents?q=@find_&limit=3');
    expect(agents.body.map(({ handle }: TestAnswer['body']) => handle)).toEqual([
      'find_anna',
      'find_anne',
      'find_annx',
    ]);
    const more = await asAdmin('GET', `/agents?q=find_&limit=3&cursor=${agents.headers.get('x-next-cursor')}`);
    expect(more.body.map(({ handle, email }: TestAnswer['body']) => [handle, email])).toEqual([
      ['find_bert', 'find.bert@example.org'],
      ['find_second', 'find.anna@example.org'],
    ]);
    expect(people).toHaveLength(4);
  });

  test('the newest first, by plan and by state, without those who left and without the service itself', async () => {
    const [leaver, pro, made] = [await someone(), await someone({ pro: true }), await newProvisional(t, 'found_made')];
    await t.call('DELETE', '/api/account', { token: leaver.token });
    const all = await asAdmin('GET', '/people?limit=100');
    expect(all.body.map(({ id }: TestAnswer['body']) => id)).toEqual(
      all.body
        .map(({ id }: TestAnswer['body']) => id)
        .sort()
        .reverse(),
    );
    const shown = JSON.stringify(all.body);
    expect(shown).not.toContain(leaver.email);
    expect(shown).not.toContain('00000000-0000-7000-8000-000000000001');
    expect(all.body.find(({ state }: TestAnswer['body']) => state === 'provisional')).toMatchObject({ email: null });
    expect((await asAdmin('GET', '/people?plan=pro')).body).toMatchObject([{ email: pro.email }]);
    expect((await asAdmin('GET', '/agents?limit=100')).body[0].handle).toBe(made.agent.handle);
  });

  test('by nobody else', async () => {
    const { token: other, key } = await someone();
    for (const path of ['/people', '/agents']) {
      expect(said(await t.call('GET', `/api/admin${path}`, { token: other }))).toBe('403 wrong_role');
      expect(said(await t.call('GET', `/api/admin${path}`, { key }))).toBe('403 session_required');
    }
  });

  test('one of them with keys and sessions, but no secret', async () => {
    const person = await someone();
    const { body } = await asAdmin('GET', `/accounts?email=${person.email}&reason=${encodeURIComponent(REASON)}`);
    expect(body).toMatchObject({ email: person.email, state: 'active', suspended_at: null, plan: 'free' });
    expect(body.keys).toMatchObject([{ kind: 'signup', prefix: person.key.slice(0, body.keys[0].prefix.length) }]);
    expect(body.sessions).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain(person.key);
    expect((await lastAct())[1]).toBe('admin.account');
  });
});

describe('a suspended account', () => {
  test('is let in nowhere: its keys, sessions, programs and streams end, and it is told why', async () => {
    const person = await someone();
    const { access_token } = await connectProgram(t, await signedInReader(t, person.email));
    const headers = { 'X-API-Key': person.key };
    const streams = await Promise.all(
      ['inbox', 'notifications'].map((name) =>
        readStream(`http://127.0.0.1:${server.port}/api/${name}/stream`, headers),
      ),
    );
    expect((await act(person, 'suspend')).body).toMatchObject({ email: person.email, state: 'suspended' });
    expect(await lastAct()).toEqual([ADMIN, 'admin.suspend', await accountOf(t, person.email), REASON]);
    await Promise.all(streams.map((stream) => stream.ended()));
    expect((await t.call('GET', '/api/account', { token: person.token })).status).toBe(401);
    for (const credential of [{ key: person.key }, { token: access_token }]) {
      const answer = await t.call('GET', '/api/inbox', credential);
      expect(said(answer)).toBe('403 account_suspended');
      expect(answer.body.message).toContain('suspended');
    }
    const call = { name: 'mesh_inbox', arguments: {} };
    const told = await rpc(t, 'tools/call', call, { key: person.key, revision: '2025-11-25' });
    expect(JSON.stringify(told.body)).toContain('suspended');
    const a2a = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'none' } };
    expect(JSON.stringify((await t.call('POST', '/a2a/rpc', { key: person.key, body: a2a })).body)).toContain(
      'suspended',
    );
    // What anybody may read is read all the same.
    expect((await t.call('GET', '/api/labels', { key: person.key })).status).toBe(200);
    for (const door of ['session', 'login', 'signup']) {
      expect((await t.call('POST', `/api/auth/${door}/start`, { body: { email: person.email } })).status).toBe(200);
      const body = { email: person.email, code: codeFor(t, person.email) };
      expect(said(await t.call('POST', `/api/auth/${door}/verify`, { body }))).toBe('403 account_suspended');
    }
    expect((await asAdmin('GET', '/people?state=suspended')).body).toMatchObject([{ email: person.email }]);
  });

  test('signs in by no passkey and no mailed link, and takes no agent over', async () => {
    const [person, device] = [await someone(), newAuthenticator()];
    await addPasskey(t, person.token, device);
    await act(person, 'suspend');
    expect(said(await showPasskey(t, device.show(await askOptions(t, null))))).toBe('403 account_suspended');
    await t.advance(5);
    await t.call('POST', '/api/auth/session/link', { body: { email: person.email } });
    await t.advance(1);
    const link = t.mails.findLast(({ to }) => to === person.email)?.text.match(/#token=(\S+)$/m)?.[1] ?? '';
    const { token_hash } = (await t.call('POST', '/api/auth/link/redeem', { body: { token: link } })).body;
    expect(said(await t.call('POST', '/api/auth/session/exchange', { body: { token_hash } }))).toBe(
      '403 account_suspended',
    );
    const { key } = await newProvisional(t, 'claimed_nowhere');
    await t.call('POST', '/api/auth/provision/claim', { key, body: { email: person.email } });
    const body = { email: person.email, code: codeFor(t, person.email) };
    expect(said(await t.call('POST', '/api/auth/provision/claim/verify', { key, body }))).toBe('403 account_suspended');
  });

  test('is met nowhere, and is back with its agents when the suspension ends', async () => {
    const person = await someone();
    const left = await newAgent(t, { handle: `gone_${names}`, email: person.email });
    await t.call('DELETE', `/api/agents/${left.handle}`, { key: person.key });
    await t.advance(5);
    const listing = await publish(t, person, LOGO_OFFER);
    await act(person, 'suspend');
    const other = await someone();
    const seen = async ({ handle }: TestAgent): Promise<number> =>
      (await t.call('GET', `/api/agents/${handle}`, { key: other.key })).status;
    expect(await seen(person)).toBe(404);
    const found = await t.call('POST', '/tools/mesh_discover_agents', { body: { handle: person.handle } });
    expect(said(found)).toBe('404 not_found');
    const hello = { to_handle: person.handle, content: 'Hello' };
    expect((await t.call('POST', `/api/conversations`, { key: other.key, body: hello })).status).not.toBe(201);
    expect((await act(person, 'unsuspend')).body).toMatchObject({ state: 'active', suspended_at: null });
    expect((await t.call('GET', '/api/inbox', { key: person.key, agent: person.handle })).status).toBe(200);
    expect(await seen(person)).toBe(200);
    // What its person had deactivated stays so, and listings stay paused.
    expect(await seen(left)).toBe(404);
    const card = await t.call('GET', `/api/agents/${person.handle}/cards/${listing}`, { key: person.key });
    expect(card.body.status).toBe('inactive');
    await signIn(t, person.email);
  });

  test('keeps its money; what is in escrow goes on for the other side, and subscriptions are charged no more', async () => {
    const [buyer, seller, creditor] = [await newBuyer(t), await newSeller(t), await newSeller(t)];
    const escrow = await open(t, buyer, seller, [1_000]);
    await act(seller, 'suspend');
    const release = { milestone_index: 0 };
    const paid = await t.call('POST', `/api/wallet/escrow/${escrow.id}/release`, { key: buyer.pays, body: release });
    expect(paid.status).toBe(200);
    expect(await walletOf(t, seller)).toBe(950);
    const terms = { seller_handle: creditor.handle, amount_cents: 700, interval: 'weekly' };
    const made = await t.call('POST', '/api/subscriptions', { token: await signIn(t, buyer.email), body: terms });
    expect(made.status).toBe(201);
    await act(buyer, 'suspend');
    const before = await walletOf(t, buyer);
    await t.advance(8 * DAY_MS);
    expect(await walletOf(t, buyer)).toBe(before);
    await act(buyer, 'unsuspend');
    const now = await t.call('GET', `/api/subscriptions/${made.body.id}`, { token: await signIn(t, buyer.email) });
    expect(now.body.charges.some(({ reason }: TestAnswer['body']) => reason === 'account_suspended')).toBe(true);
  });
});

describe('nobody keeps out', () => {
  test('themself, the last administrator, or the service', async () => {
    const stored = await someone();
    const internal = { headers: { 'x-internal-token': t.internal_token } };
    await t.call('POST', '/internal/admin/create', { ...internal, body: { email: stored.email } });
    for (const verb of ['suspend', 'erase']) {
      expect(said(await act({ email: ADMIN }, verb))).toBe('409 conflict');
      expect(said(await act(stored, verb))).toBe('409 conflict');
      const path = `/api/admin/accounts/00000000-0000-7000-8000-000000000001/${verb}`;
      expect(said(await t.call('POST', path, { ...internal, body: { reason: REASON } }))).toBe('404 not_found');
    }
    const second = await someone();
    await t.call('POST', '/internal/admin/create', { ...internal, body: { email: second.email } });
    const each = await Promise.all(
      [
        [stored, second],
        [second, stored],
      ].map(async ([by, whom]) =>
        t.call('POST', `/api/admin/accounts/${await accountOf(t, whom?.email ?? '')}/suspend`, {
          token: await signIn(t, by?.email ?? ''),
          body: { reason: REASON },
        }),
      ),
    );
    expect(each.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await asAdmin('GET', '/people?state=administrator')).body).toHaveLength(2);
  });
});

describe('an administrator', () => {
  test('changes a plan, for a reason', async () => {
    const person = await someone();
    expect((await act(person, 'plan', { plan: 'pro' })).body.plan).toBe('pro');
    expect((await t.call('GET', '/api/account', { token: person.token })).body.plan).toBe('pro');
    expect(await lastAct()).toEqual([ADMIN, 'admin.set_plan', await accountOf(t, person.email), REASON]);
    expect(said(await act(person, 'plan', { plan: 'free', reason: '' }))).toBe('400 invalid_request');
  });

  test('resets how somebody signs in: sessions and passkeys go, keys stay, and a link comes by mail', async () => {
    const [person, device] = [await someone(), newAuthenticator()];
    await addPasskey(t, person.token, device);
    // Codes that a thief has asked for before.
    const mailed: [string, string][] = [];
    for (const route of ['session', 'login']) {
      await t.call('POST', `/api/auth/${route}/start`, { body: { email: person.email } });
      mailed.push([route, codeFor(t, person.email)]);
    }
    const keys = { p256dh: SAMPLE.push_p256dh, auth: SAMPLE.push_auth };
    const browser = { subscription: { endpoint: SAMPLE.push_endpoint, keys } };
    const pushed = await t.call('POST', '/api/notifications/browsers', { token: person.token, body: browser });
    expect(pushed.status).toBe(201);
    await t.advance(1);
    expect((await act(person, 'reset-sign-in')).body).toEqual({ sessions: 1, passkeys: 1, link_sent: true });
    for (const [route, code] of mailed) {
      const typed = await t.call('POST', `/api/auth/${route}/verify`, { body: { email: person.email, code } });
      expect(said(typed)).toBe('400 invalid_code');
    }
    expect((await t.call('GET', '/api/account', { token: person.token })).status).toBe(401);
    expect(said(await showPasskey(t, device.show(await askOptions(t, null))))).toBe('400 invalid_passkey');
    expect((await t.call('GET', '/api/inbox', { key: person.key })).status).toBe(200);
    await t.advance(5);
    const link = t.mails.findLast(({ to }) => to === person.email)?.text.match(/#token=(\S+)$/m)?.[1] ?? '';
    const { token_hash, next } = (await t.call('POST', '/api/auth/link/redeem', { body: { token: link } })).body;
    expect(next).toBe('/app');
    const again = await t.call('POST', '/api/auth/session/exchange', { body: { token_hash } });
    expect(again.status).toBe(200);
    const browsers = await t.call('GET', '/api/notifications/browsers', { token: again.body.access_token });
    expect(browsers.body).toEqual([]);
  });

  test('erases an account as its person would, and not while something is open', async () => {
    const [buyer, seller] = [await newBuyer(t, 5_000), await newSeller(t)];
    const escrow = await open(t, buyer, seller, [1_000]);
    expect(said(await act(buyer, 'erase'))).toBe('409 open_obligations');
    const body = { milestone_index: 0 };
    await t.call('POST', `/api/wallet/escrow/${escrow.id}/release`, { key: buyer.pays, body });
    expect(said(await act(buyer, 'erase'))).toBe('409 balance_left');
    expect((await act(buyer, 'erase', { forfeit: true })).body).toMatchObject({
      deleted: true,
      forfeited_cents: 4_000,
    });
    expect(t.mails.at(-1)?.to).toBe(buyer.email);
    expect((await t.call('GET', '/api/inbox', { key: buyer.key })).status).toBe(401);
    expect((await asAdmin('GET', `/people?q=${buyer.email}`)).body).toEqual([]);
  });
});

describe('an administrator sees how the service stands', () => {
  test('who is here, what is late, the machine, the ledger, and what went wrong lately', async () => {
    const log = createLog('silent');
    const house = await openTestService({ admin_emails: [ADMIN] }, 'memory', { log });
    const admin = await signIn(house, ADMIN);
    const read = async (): Promise<TestAnswer['body']> =>
      (await house.call('GET', '/api/admin/overview', { token: await signIn(house, ADMIN) })).body;
    await newAgent(house, { handle: 'early_one' });
    await house.advance(10 * DAY_MS);
    const late = await newAgent(house, { handle: 'late_one' });
    for (let at = 0; at < 60; at++) log.error(`it broke in way ${at}`, { error: 'TypeError', operation: 'agent.read' });
    log.error('it broke in way 59', { error: 'TypeError', operation: 'agent.read' });
    log.warn('this is no error');
    const path = `/api/admin/accounts/${await accountOf(house, late.email)}/suspend`;
    await house.call('POST', path, { token: await signIn(house, ADMIN), body: { reason: REASON } });
    const now = await read();
    expect(now).toMatchObject({
      version: manifest.version,
      started_at: new Date(START_MS).toISOString(),
      ready: true,
      not_ready: null,
      people: { count: 3, new_this_week: 1, suspended: 1 },
      agents: { count: 1, new_this_week: 0 },
      reviews_open: 0,
      disputes_open: 0,
      backup: null,
    });
    expect(now.disk.free_bytes).toBeGreaterThan(0);
    expect(now.overdue.map(({ kind }: TestAnswer['body']) => kind)).toContain('letters');
    expect(now.errors).toHaveLength(50);
    expect(now.errors[0]).toMatchObject({
      message: 'it broke in way 59',
      error: 'TypeError',
      operation: 'agent.read',
      count: 2,
    });
    expect(JSON.stringify(now.errors)).not.toContain('no error');
    await house.call('GET', '/api/admin/ledger/check', { headers: { 'x-internal-token': house.internal_token } });
    expect((await read()).ledger).toMatchObject({ problems: 0 });
    expect(said(await house.call('GET', '/api/admin/overview', { key: late.key }))).toBe('403 account_suspended');
    expect(admin).toBeString();
    await house.close();
  });

  test('and whether mail arrives, in the words of the server', async () => {
    const tried = await asAdmin('POST', '/test-mail', {});
    expect(tried.body).toMatchObject({ to: ADMIN, sent: true, outbox: false, reason: null });
    expect(t.mails.at(-1)).toMatchObject({ to: ADMIN, subject: 'A letter to try out the mail of Meshwork' });
    expect(t.mails.at(-1)?.text).toEndWith('Meshwork\n');
    const internal = { headers: { 'x-internal-token': t.internal_token }, body: {} };
    expect((await t.call('POST', '/api/admin/test-mail', internal)).status).toBe(404);
  });
});
