// Administrators: how the first one comes to be, that they are stored, that they look at a person for a reason only, and that all they
// do is in a list.
import { expect, test } from 'bun:test';
import { newAgent, signIn } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows } from '../support/store.ts';
import { openTestService, type TestAnswer } from '../support/testbed.ts';

const NAMED = 'named@example.org';

const t = sharedService({ admin_emails: [NAMED] });

const platform = (path: string, body: object = {}, service = t): Promise<TestAnswer> =>
  service.call('POST', path, { headers: { 'x-internal-token': service.internal_token }, body });
const tokenOf = ({ body }: TestAnswer): string => String(body.url).split('/setup/')[1] ?? '';

test('the first administrator begins by a link that works once, for half an hour, and while there is none', async () => {
  const fresh = await openTestService();
  const [late, first, second] = [
    await platform('/internal/admin/set-up', {}, fresh),
    await platform('/internal/admin/set-up', {}, fresh),
    await platform('/internal/admin/set-up', {}, fresh),
  ];
  expect(first.status).toBe(201);
  expect(first.body.url).toStartWith('http://localhost/app/setup/');
  const redeem = (answer: TestAnswer, email: string): Promise<TestAnswer> =>
    fresh.call('POST', '/api/auth/setup', { body: { token: tokenOf(answer), email } });
  expect((await redeem({ ...first, body: { url: '#token=made-up' } }, 'a@example.org')).status).toBe(400);
  // Two at once make one.
  const both = await Promise.all([redeem(first, 'one@example.org'), redeem(second, 'two@example.org')]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 410]);
  expect((await redeem(first, 'three@example.org')).status).toBe(410);
  expect((await redeem(late, 'three@example.org')).status).toBe(410);
  expect((await platform('/internal/admin/set-up', {}, fresh)).body.error).toBe('conflict');
  const email = both.find(({ status }) => status === 201)?.body.email;
  const token = await signIn(fresh, email);
  const audit = await fresh.call('GET', '/api/admin/audit', { token });
  expect(audit.body.map(({ by, operation }: Record<string, unknown>) => [by, operation])).toEqual([
    [email, 'admin.set_up'],
    ...Array(3).fill(['platform', 'platform.admin_set_up']),
  ]);
  await fresh.close();
  const old = await openTestService();
  const link = await platform('/internal/admin/set-up', {}, old);
  await old.advance(30 * 60_000);
  const body = { token: tokenOf(link), email: 'slow@example.org' };
  expect((await old.call('POST', '/api/auth/setup', { body })).status).toBe(410);
  await old.close();
});

test('an administrator is stored, or named by the configuration, and nobody else is one', async () => {
  const stored = await newAgent(t, { handle: 'stored_admin' });
  expect((await t.call('GET', '/api/admin/audit', { token: stored.token })).body.error).toBe('wrong_role');
  expect((await platform('/internal/admin/create', { email: stored.email })).status).toBe(201);
  expect((await platform('/internal/admin/create', { email: stored.email })).status).toBe(409);
  expect((await t.call('GET', '/api/admin/audit', { token: stored.token })).status).toBe(200);
  expect((await t.call('GET', '/api/admin/audit', { token: await signIn(t, NAMED) })).status).toBe(200);
  // A key of an administrator is a key.
  expect((await t.call('GET', '/api/admin/audit', { key: stored.key })).body.error).toBe('session_required');
  // Whoever leaves is none any more.
  await t.call('DELETE', '/api/account', { token: stored.token });
  const [row] = await readStoredRows(
    t.service.world.settings.data_dir,
    `select * from accounts where deleted_at is not null`,
  );
  expect(row?.['admin_at']).toBeNull();
});

test('a person is looked at for a reason, and that is in the list before it is told', async () => {
  const person = await newAgent(t, { handle: 'looked_at' });
  const token = await signIn(t, NAMED);
  const look = (query: string): Promise<TestAnswer> => t.call('GET', `/api/admin/accounts?${query}`, { token });
  expect((await look(`email=${person.email}`)).status).toBe(400);
  expect((await look('reason=asked%20for%20help')).status).toBe(400);
  expect((await look(`email=${person.email}&reason=because`)).body).toMatchObject({
    email: person.email,
    admin: false,
  });
  const found = await look('handle=looked_at&reason=asked%20for%20help');
  expect(found.body.agents).toMatchObject([{ handle: 'looked_at', id: person.id }]);
  expect((await look('email=nobody@example.org&reason=because')).status).toBe(404);
  const { body } = await t.call('GET', '/api/admin/audit?limit=2', { token });
  const reasons = body.map(({ by, operation, reason }: Record<string, unknown>) => [by, operation, reason]);
  expect(reasons).toEqual([
    [NAMED, 'admin.account', 'asked for help'],
    [NAMED, 'admin.account', 'because'],
  ]);
  const other = await newAgent(t, { handle: 'not_admin' });
  expect(
    (await t.call('GET', '/api/admin/accounts?email=a@b.example&reason=because', { token: other.token })).status,
  ).toBe(403);
});

test('the list is a table too, and pages through', async () => {
  const token = await signIn(t, NAMED);
  for (let at = 0; at < 3; at++) await platform('/internal/admin/create', { email: `more${at}@example.org` });
  const page = await t.call('GET', '/api/admin/audit?limit=2', { token });
  expect(page.body).toHaveLength(2);
  expect(page.body[0]).toMatchObject({ by: 'platform', by_id: 'platform', operation: 'platform.admin_create' });
  const cursor = page.headers.get('x-next-cursor');
  const next = await t.call('GET', `/api/admin/audit?limit=2&cursor=${cursor}`, { token });
  expect(next.body[0].id < page.body[1].id).toBe(true);
  const url = new Request('http://localhost/api/admin/audit?format=csv', {
    headers: { authorization: `Bearer ${token}` },
  });
  const csv = await t.fetch(url);
  expect(csv.headers.get('content-type')).toContain('text/csv');
  expect((await csv.text()).split('\r\n')[0]).toBe('at,by,by_id,operation,subject_id,reason,id');
});
