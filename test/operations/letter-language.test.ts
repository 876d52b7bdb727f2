// A letter is in the language that the account has chosen, else in English; a sign-in code may be asked for in the language of a page.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import { freshPhone, newAgent } from '../support/agents.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

let t: TestService;
beforeAll(async () => {
  t = await openTestService();
});
afterAll(() => t.close());

const lastMail = (email: string) => t.mails.findLast(({ to }) => to === email);
const lastTo = (email: string): string => lastMail(email)?.subject ?? '';
const start = (body: object) => t.call('POST', '/api/auth/session/start', { body });

test('an account gets letters and text messages in its language', async () => {
  const { token, email } = await newAgent(t, { handle: 'grete' });
  await start({ email });
  expect(lastTo(email)).toBe('Your sign-in code for Meshwork');
  await t.call('PUT', '/api/account/language', { token, body: { language: 'de' } });
  await start({ email, language: 'en' });
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

test('whoever has chosen none gets a code in the language of the page', async () => {
  const email = 'neu@example.com';
  expect((await start({ email, language: 'de' })).status).toBe(200);
  expect(lastTo(email)).toBe('Ihr Anmeldecode für Meshwork');
  expect((await start({ email, language: 'fr' })).status).toBe(400);
});

test('and a link, which goes to accounts alone', async () => {
  const { token, email } = await newAgent(t, { handle: 'otto' });
  const ask = async () => {
    await t.call('POST', '/api/auth/session/link', { body: { email, language: 'de' } });
    await t.advance(0);
    await t.service.dispatcher.idle();
    return lastTo(email);
  };
  expect(await ask()).toBe('Ihr Anmeldelink für Meshwork');
  await t.call('PUT', '/api/account/language', { token, body: { language: 'en' } });
  expect(await ask()).toBe('Your sign-in link for Meshwork');
});
