// A letter is in the language that the account has chosen, else in that of the browser that last signed in; what a request asks for
// is in the request's language before that.
import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import { freshPhone, newAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { codeFor } from '../support/testbed.ts';

const t = sharedService();

const lastMail = (email: string) => t.mails.findLast(({ to }) => to === email);
const lastTo = (email: string): string => lastMail(email)?.subject ?? '';
const browser = (accept: string) => ({ headers: { 'Accept-Language': accept } });
const GERMAN = browser('de-AT,de;q=0.9,en;q=0.8');
const start = (email: string, from: ReturnType<typeof browser> | object = {}) =>
  t.call('POST', '/api/auth/session/start', { body: { email }, ...from });

/** Signs in with a browser of a language. */
async function arrive(email: string, from: ReturnType<typeof browser> | object): Promise<string> {
  await start(email, from);
  const body = { email, code: codeFor(t, email) };
  return (await t.call('POST', '/api/auth/session/verify', { body, ...from })).body.access_token;
}

test('an account gets letters and text messages in its language', async () => {
  const { token, email } = await newAgent(t, { handle: 'grete' });
  await start(email);
  expect(lastTo(email)).toBe('Your sign-in code for Meshwork');
  await t.call('PUT', '/api/account/language', { token, body: { language: 'de' } });
  await start(email, browser('en'));
  expect(lastTo(email)).toBe('Ihr Anmeldecode für Meshwork');
  expect(lastMail(email)?.html).toContain('<html lang="de">');
  const moved = 'grete.neu@example.com';
  await t.call('PATCH', '/api/account', { token, body: { email: moved } });
  expect(lastTo(moved)).toBe('Ihr Code, um Ihre neue Adresse bei Meshwork zu bestätigen');
  const phone = freshPhone();
  await t.call('POST', '/api/trust/phone/send', { token, agent: 'grete', body: { phone } });
  await t.call('POST', '/api/inbox/test', { token, agent: 'grete' });
  await t.call('PATCH', '/api/notifications/preferences', { token, body: { email: 'all' } });
  await t.advance(HOUR_MS);
  await t.service.dispatcher.idle();
  expect(lastTo(email)).toBe('Ein Testereignis für grete');
  expect(lastMail(email)?.html).toContain('<html lang="de">');
  expect(t.texts.findLast(({ to }) => to === phone)?.text).toContain('Ihr Code für Meshwork');
});

test('a code before there is an account is in the language of the request', async () => {
  const email = 'neu@example.com';
  for (const [path, subject] of [
    ['/api/auth/session/start', 'Ihr Anmeldecode für Meshwork'],
    ['/api/auth/signup/start', 'Ihr Code zur Registrierung bei Meshwork'],
  ] as const) {
    expect((await t.call('POST', path, { body: { email }, ...GERMAN })).status).toBe(200);
    expect(lastTo(email)).toBe(subject);
  }
});

test('the browser of the last sign-in decides until its person has chosen', async () => {
  const { token, email } = await newAgent(t, { handle: 'liesl' });
  let session = token;
  const texted = async (): Promise<string> => {
    const phone = freshPhone();
    await t.call('POST', '/api/trust/phone/send', { token: session, agent: 'liesl', body: { phone } });
    return t.texts.findLast(({ to }) => to === phone)?.text ?? '';
  };
  expect(await texted()).toContain('Your Meshwork code');
  await arrive(email, GERMAN);
  expect(await texted()).toContain('Ihr Code für Meshwork');
  // Neither a program nor a browser of a language without texts changes it.
  await arrive(email, {});
  await arrive(email, browser('fr-FR,fr;q=0.9'));
  expect(await texted()).toContain('Ihr Code für Meshwork');
  await t.call('POST', '/api/inbox/test', { token, agent: 'liesl' });
  await t.call('PATCH', '/api/notifications/preferences', { token, body: { email: 'all' } });
  await t.advance(HOUR_MS);
  await t.service.dispatcher.idle();
  expect(lastTo(email)).toBe('Ein Testereignis für liesl');
  session = await arrive(email, GERMAN);
  const { account } = (await t.call('GET', '/api/account/export', { token: session })).body;
  expect([account.language, account.seen_language]).toEqual([null, 'de']);
  await t.call('PUT', '/api/account/language', { token: session, body: { language: 'en' } });
  expect(await texted()).toContain('Your Meshwork code');
  await t.call('PUT', '/api/account/language', { token: session, body: { language: null } });
  await arrive(email, browser('en-GB'));
  expect(await texted()).toContain('Your Meshwork code');
});

test('a new account has the language of its first browser', async () => {
  const email = 'frisch@example.com';
  const token = await arrive(email, GERMAN);
  expect((await t.call('GET', '/api/account/export', { token })).body.account.seen_language).toBe('de');
});

test('a link is in that of the request where its account has chosen none', async () => {
  const { token, email } = await newAgent(t, { handle: 'otto' });
  const ask = async () => {
    await t.call('POST', '/api/auth/session/link', { body: { email }, ...GERMAN });
    await t.advance(0);
    await t.service.dispatcher.idle();
    return lastTo(email);
  };
  expect(await ask()).toBe('Ihr Anmeldelink für Meshwork');
  await t.call('PUT', '/api/account/language', { token, body: { language: 'en' } });
  expect(await ask()).toBe('Your sign-in link for Meshwork');
});
