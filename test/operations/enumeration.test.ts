// Whoever tries addresses learns nothing of who has an account: asking for a code, guessing one, and claiming say the same, with the
// same work, of an address that is known and of one that is not. What asking alone does is held in session-link.test.ts.
import { describe, expect, test } from 'bun:test';
import { newProvisional } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { codeFor, signUp, type TestAnswer } from '../support/testbed.ts';
import { watchWork } from '../support/work.ts';

const t = sharedService();

/** What an answer shows, without what is of each call anyway. */
function shown({ status, body, headers }: TestAnswer): unknown {
  const { request_id: _, ...rest } = body;
  const names = [...headers.keys()].filter((name) => name !== 'x-request-id').toSorted();
  return { status, body: rest, names };
}

const known = (name: string): string => `known_${name}@example.org`;
const unknown = (name: string): string => `never_${name}@example.org`;

/** The same request about each address: what it answers, and what it does before it answers. */
async function expectAlike(
  name: string,
  ask: (email: string) => Promise<TestAnswer>,
  first: (email: string) => Promise<unknown> = async () => null,
): Promise<void> {
  await signUp(t, known(name));
  const told: unknown[] = [];
  for (const email of [known(name), unknown(name)]) {
    await first(email);
    await t.rest();
    const done = watchWork(t.service.world.store);
    const answer = await ask(email);
    const work = await done();
    // A letter leaves behind the answer.
    const sent = work.indexOf('send');
    told.push({ ...Object(shown(answer)), work: sent < 0 ? work : work.slice(0, sent + 1) });
  }
  expect(told[0]).toEqual(told[1]);
}

describe('an address with an account and one without are told alike', () => {
  test.each([
    ['signs_in', '/api/auth/session/start'],
    ['recovers', '/api/auth/session/link'],
    ['logs_in', '/api/auth/login/start'],
    ['signs_up', '/api/auth/signup/start'],
  ])('who %s', async (name, path) => {
    await expectAlike(name, (email) => t.call('POST', path, { body: { email }, ip: '198.51.100.1' }));
  });

  test('who claims an agent', async () => {
    const { key } = await newProvisional(t, 'claims_blindly');
    const claim = (email: string) => t.call('POST', '/api/auth/provision/claim', { key, body: { email } });
    // A key that was used a moment ago is known.
    await expectAlike('claims', claim, async (email) => {
      await claim(`one_${email}`);
      await t.rest();
      await claim(`two_${email}`);
    });
  });

  test.each([
    ['signing in', '/api/auth/session'],
    ['logging in', '/api/auth/login'],
    ['signing up', '/api/auth/signup'],
  ])('who guesses a code of %s', async (what, path) => {
    const wrong = (email: string): string => (codeFor(t, email) === '000000' ? '000001' : '000000');
    await expectAlike(
      `guesses_${what.replace(' ', '_')}`,
      (email) => t.call('POST', `${path}/verify`, { body: { email, code: wrong(email) } }),
      (email) => t.call('POST', `${path}/start`, { body: { email } }),
    );
  });

  test.each([
    ['signing in', '/api/auth/session/verify'],
    ['logging in', '/api/auth/login/verify'],
    ['signing up', '/api/auth/signup/verify'],
  ])('who guesses a code of %s that nobody asked for', async (what, path) => {
    await expectAlike(`unasked_${what.replace(' ', '_')}`, (email) =>
      t.call('POST', path, { body: { email, code: '123456' } }),
    );
  });
});

test('a code of a claim is burnt by five guesses, from however many addresses they come', async () => {
  const { key } = await newProvisional(t, 'guessed_claim');
  const email = 'owner_of_it@example.org';
  await t.call('POST', '/api/auth/provision/claim', { key, body: { email } });
  const right = codeFor(t, email);
  const wrong = right === '000000' ? '000001' : '000000';
  const guess = (code: string, at: number) =>
    t.call('POST', '/api/auth/provision/claim/verify', { key, body: { email, code }, ip: `198.51.${at}.7` });
  for (let at = 1; at <= 5; at += 1) expect((await guess(wrong, at)).body.error).toBe('invalid_code');
  expect((await guess(right, 99)).status).not.toBe(200);
});
