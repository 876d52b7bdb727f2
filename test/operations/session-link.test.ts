// Signing in by a mailed link: only ever mailed, in the fragment, once, within a day, and never to another site.

import { expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { signIn } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { openTestService, signUp, type TestAnswer } from '../support/testbed.ts';
import { watchWork } from '../support/work.ts';

const t = sharedService();

/** Asks for a link and lets the letter be made, which the answer does not wait for. */
const ask = async (email: string, next?: string): Promise<TestAnswer> => {
  const answer = await t.call('POST', '/api/auth/session/link', { body: { email, next } });
  await t.advance(0);
  return answer;
};
const redeem = (token: string, next?: string): Promise<TestAnswer> =>
  t.call('POST', '/api/auth/link/redeem', { body: { token, next } });
const exchange = (token_hash: string): Promise<TestAnswer> =>
  t.call('POST', '/api/auth/session/exchange', { body: { token_hash } });
const mailed = (): string => t.mails.at(-1)?.text.match(/#token=(\S+)$/m)?.[1] ?? '';

test('a mailed link becomes a session, once', async () => {
  await signUp(t, 'person@example.org');
  const asked = await ask('Person@example.org', '/app/inbox');
  expect(asked.body).toEqual({ sent: true });
  expect(t.mails.at(-1)?.text).toContain('http://localhost/app/login#token=');
  const redeemed = await redeem(mailed());
  expect(redeemed.body).toMatchObject({ type: 'login', next: '/app/inbox' });
  const opened = await exchange(redeemed.body.token_hash);
  expect(opened.body.account.email).toBe('person@example.org');
  expect(opened.headers.get('set-cookie')).toContain('HttpOnly');
  expect((await t.call('GET', '/api/developer/keys', { token: opened.body.access_token })).status).toBe(200);
  expect((await redeem(mailed())).status).toBe(410);
  expect((await exchange(redeemed.body.token_hash)).status).toBe(410);
});

test('a link leads to the app where nothing else is said', async () => {
  const moved = await openTestService({ app_url: 'http://localhost/desk' });
  await signUp(moved, 'plain@example.org');
  await moved.call('POST', '/api/auth/session/link', { body: { email: 'plain@example.org' } });
  await moved.advance(0);
  const token = moved.mails.at(-1)?.text.match(/#token=(\S+)$/m)?.[1];
  expect((await moved.call('POST', '/api/auth/link/redeem', { body: { token } })).body.next).toBe('/desk');
  await moved.close();
});

test('an address without an account gets the same answer and no letter', async () => {
  const before = t.mails.length;
  expect((await ask('nobody@example.org')).body).toEqual({ sent: true });
  expect(t.mails).toHaveLength(before);
});

test.each(['/api/auth/session/link', '/api/auth/session/start', '/api/auth/login/start', '/api/auth/signup/start'])(
  '%s does the same work before its answer for every address, so that its time tells nothing',
  async (path) => {
    await signUp(t, `known${path.length}@example.org`);
    const limited = { ip: `198.51.100.${path.length}` };
    const work = async (email: string): Promise<string[]> => {
      const done = watchWork(t.service.world.store);
      expect((await t.call('POST', path, { body: { email }, ...limited })).body).toEqual({ sent: true });
      return done();
    };
    // Whoever signed up has the marks of that, a code that is used up; so has the address that nobody has.
    const known = await work(`known${path.length}@example.org`);
    expect(known.length).toBeGreaterThan(0);
    expect(await work(`never${path.length}@example.org`)).toEqual(known);
  },
);

test('the operator who looks for a link finds it, though its letter is made behind the answer', async () => {
  const files = await openTestService({}, 'files');
  const headers = { 'X-Internal-Token': files.internal_token };
  const body = { email: 'seeker@example.org' };
  await files.call('POST', '/internal/admin/create', { headers, body });
  await files.call('POST', '/api/auth/session/link', { body });
  const found = await files.call('GET', '/internal/outbox?to=seeker@example.org', { headers });
  expect(found.body[0].text).toContain('#token=');
  await files.close();
});

test('a link dies after a day, what it was redeemed for after five minutes', async () => {
  await signUp(t, 'slow@example.org');
  await ask('slow@example.org');
  await t.advance(DAY_MS);
  const late = await redeem(mailed());
  expect(late.status).toBe(410);
  expect(late.body.error).toBe('gone');
  await ask('slow@example.org');
  const { token_hash } = (await redeem(mailed())).body;
  await t.advance(300_000);
  expect((await exchange(token_hash)).status).toBe(410);
});

test('what was never a link is 400, and a next that leaves the site is refused before the link is used up', async () => {
  await signUp(t, 'next@example.org');
  await ask('next@example.org');
  const token = mailed();
  for (const forged of ['x', `${'a'.repeat(43)}.${'0'.repeat(32)}`, `${token}0`])
    expect((await redeem(forged)).status).toBe(400);
  for (const next of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'app',
    '/a b',
    'javascript:alert(1)',
  ]) {
    expect((await redeem(token, next)).body.fields[0].path).toBe('next');
    expect((await ask('next@example.org', next)).status).toBe(400);
  }
  expect((await redeem(token, '/app/wallet')).body.next).toBe('/app/wallet');
});

test('a link that was mailed before all that lets somebody in was ended opens nothing', async () => {
  const email = 'worried@example.org';
  await signUp(t, email);
  const revoke = async () =>
    expect((await t.call('POST', '/api/account/revoke-all', { token: await signIn(t, email) })).status).toBe(200);
  await ask(email);
  const early = mailed();
  await ask(email);
  const redeemed = await redeem(mailed());
  await revoke();
  await t.advance(1_000);
  await revoke();
  // One that nobody has followed yet, and one that somebody did a moment before.
  expect((await exchange((await redeem(early)).body.token_hash)).status).toBe(410);
  expect((await exchange(redeemed.body.token_hash)).status).toBe(410);
  await t.advance(1_000);
  await ask(email);
  expect((await exchange((await redeem(mailed())).body.token_hash)).status).toBe(200);
});
