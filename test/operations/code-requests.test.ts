// Codes for made-up addresses of a mail domain lock nobody out who has an account there, and tell nobody who has one.

import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import { sharedService } from '../support/opened.ts';
import { signUp, type TestAnswer } from '../support/testbed.ts';

const t = sharedService({ rate_limits: true });

let clients = 0;
/** From a client of its own each time. */
const start = (way: string, email: string): Promise<TestAnswer> => {
  clients += 1;
  return t.call('POST', `/api/auth/${way}/start`, { body: { email }, ip: `10.${clients % 250}.${clients >> 8}.1` });
};
const mailed = (email: string): number => t.mails.filter(({ to }) => to === email).length;

test('the 51st new address of a domain is answered alike and sent nothing, and who has an account there signs in', async () => {
  await signUp(t, 'ann@house.example');
  for (let at = 0; at < 49; at++) expect((await start('signup', `nobody${at}@house.example`)).status).toBe(200);
  const sent = t.mails.length;
  for (const way of ['signup', 'login', 'session']) {
    const answer = await start(way, `late.${way}@house.example`);
    expect([way, answer.status, answer.body]).toEqual([way, 200, { sent: true }]);
    expect(mailed(`late.${way}@house.example`)).toBe(0);
  }
  expect(t.mails.length).toBe(sent);
  for (const way of ['signup', 'login', 'session']) expect((await start(way, 'ann@house.example')).status).toBe(200);
  expect(mailed('ann@house.example')).toBe(4);
  // Her own row bounds her, whoever asks.
  expect((await start('login', 'ann@house.example')).status).toBe(200);
  expect((await start('login', 'ann@house.example')).status).toBe(429);
  await t.advance(HOUR_MS);
  expect((await start('signup', 'new@house.example')).status).toBe(200);
  expect(mailed('new@house.example')).toBe(1);
});

test('an address that is sent nothing counts all the same for itself and for its client', async () => {
  for (let at = 0; at < 50; at++) await start('signup', `nobody${at}@full.example`);
  for (let at = 0; at < 5; at++) expect((await start('signup', 'again@full.example')).status).toBe(200);
  expect((await start('signup', 'again@full.example')).status).toBe(429);
  expect(mailed('again@full.example')).toBe(0);
});

test('of codes asked for at the same moment no more are sent than the domain has room for', async () => {
  for (let at = 0; at < 45; at++) await start('signup', `nobody${at}@race.example`);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => start('signup', `raced${at}@race.example`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(t.mails.filter(({ to }) => to.startsWith('raced'))).toHaveLength(5);
});

test('public mail providers have room for a thousand', async () => {
  for (let at = 0; at < 60; at++) await start('signup', `nobody${at}@gmail.com`);
  expect(mailed('nobody59@gmail.com')).toBe(1);
});

test('codes that whoever runs the service asks for by its token count for nobody', async () => {
  const headers = { 'X-Internal-Token': t.internal_token };
  const ask = (n: number, more: object = {}): Promise<TestAnswer> =>
    t.call('POST', '/api/auth/signup/start', { body: { email: `run${n}@run.example` }, ip: '10.251.1.1', ...more });
  for (let n = 0; n < 60; n++) expect((await ask(n, { headers })).status).toBe(200);
  expect(mailed('run59@run.example')).toBe(1);
  for (let n = 60; n < 80; n++) expect((await ask(n)).status).toBe(200);
  expect(mailed('run79@run.example')).toBe(1);
  expect((await ask(80)).status).toBe(429);
});
