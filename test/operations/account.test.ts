// The account of a person: its address moves when both agree, its sessions can be seen and ended, and all that lets somebody in ends
// at once.
import { expect, test } from 'bun:test';
import { newAgent, signIn } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { codeFor, signUp } from '../support/testbed.ts';

const t = sharedService();

test('an address changes when a code of each was given, and keys go on working', async () => {
  const { key, token, email } = await newAgent(t, { handle: 'moves_house' });
  const to = 'new.house@example.org';
  const asked = await t.call('PATCH', '/api/account', { token, body: { email: 'New.House@example.org' } });
  expect(asked.body).toEqual({ sent: true, email: to });
  const [code, new_code] = [codeFor(t, email), codeFor(t, to)];
  expect(code).not.toBe(new_code);
  const confirm = (body: object) => t.call('POST', '/api/account/email/verify', { token, body });
  // Neither of them alone is enough.
  expect((await confirm({ code, new_code: code })).body.error).toBe('invalid_code');
  expect((await confirm({ code: new_code, new_code })).body.error).toBe('invalid_code');
  expect((await t.call('GET', '/api/account', { token })).body.email).toBe(email);
  expect((await confirm({ code, new_code })).body).toMatchObject({ email: to });
  expect((await t.call('GET', '/api/account', { token })).body.email).toBe(to);
  expect((await t.call('GET', '/api/billing/limits', { key })).status).toBe(200);
  expect((await confirm({ code, new_code })).body.error).toBe('invalid_code');
  const told = t.mails.filter(({ subject }) => subject.includes('was changed')).map((mail) => mail.to);
  expect(told.sort()).toEqual([email, to].sort());
});

test('an address that has an account is told so only to who holds it', async () => {
  const taken = await newAgent(t, { handle: 'has_account' });
  const { token, email } = await newAgent(t, { handle: 'wants_it' });
  const asked = await t.call('PATCH', '/api/account', { token, body: { email: taken.email } });
  expect([asked.status, asked.body.sent]).toEqual([200, true]);
  const body = { code: codeFor(t, email), new_code: codeFor(t, taken.email) };
  const refused = await t.call('POST', '/api/account/email/verify', { token, body });
  expect([refused.status, refused.body.error]).toEqual([409, 'conflict']);
  expect((await t.call('GET', '/api/account', { token })).body.email).toBe(email);
});

test('the language of an account is set by its person, and told with each session', async () => {
  const { key, token } = await newAgent(t, { handle: 'speaks_german' });
  const set = (as: { readonly token?: string; readonly key?: string }, language: unknown) =>
    t.call('PUT', '/api/account/language', { ...as, body: { language } });
  const told = async (): Promise<unknown> => (await t.call('GET', '/api/account', { token })).body.language;
  expect(await told()).toBe(null);
  expect((await set({ token }, 'de')).body).toEqual({ language: 'de' });
  expect(await told()).toBe('de');
  expect((await set({ token }, 'xx')).status).toBe(400);
  expect((await set({ key }, 'en')).status).toBe(403);
  const again = await t.call('POST', '/api/auth/session/start', { body: { email: 'speaks_german@example.com' } });
  expect(again.status).toBe(200);
  expect(await told()).toBe('de');
  expect((await t.call('GET', '/api/account/export', { token })).body.account.language).toBe('de');
  expect((await set({ token }, null)).body).toEqual({ language: null });
  expect(await told()).toBe(null);
});

test('sessions are listed, and one ends without the others', async () => {
  const { token, email } = await newAgent(t, { handle: 'two_places' });
  const other = await signIn(t, email);
  const { body: listed } = await t.call('GET', '/api/account/sessions', { token });
  expect(listed.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
  const away = listed.find(({ current }: { current: boolean }) => !current);
  const stranger = await newAgent(t, { handle: 'no_business' });
  const path = `/api/account/sessions/${away.id}`;
  expect((await t.call('DELETE', path, { token: stranger.token })).status).toBe(404);
  expect((await t.call('DELETE', path, { token })).body).toEqual({ id: away.id, ended: true });
  expect((await t.call('GET', '/api/account', { token: other })).status).toBe(401);
  expect((await t.call('GET', '/api/account', { token })).status).toBe(200);
  expect((await t.call('DELETE', path, { token })).status).toBe(404);
});

test('all that lets somebody in ends at once, however much that is', async () => {
  const { key, token, email } = await newAgent(t, { handle: 'worried' });
  const tokens = [token];
  for (let at = 0; at < 4; at++) tokens.push(await signIn(t, email));
  const keys = [key];
  for (let at = 0; at < 120; at++) keys.push(await signUp(t, email));
  const answer = await t.call('POST', '/api/account/revoke-all', { token });
  expect(answer.body).toMatchObject({ revoked: true, ended: { keys: 100, and_more: true } });
  expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
  for (const each of tokens) expect((await t.call('GET', '/api/account', { token: each })).status).toBe(401);
  for (const each of keys) expect((await t.call('GET', '/api/billing/limits', { key: each })).status).toBe(401);
  expect((await t.call('GET', '/api/account', { token: await signIn(t, email) })).status).toBe(200);
});
