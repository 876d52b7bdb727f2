// Letters are stopped out of a mail program by one click (RFC 8058): a POST without a cookie, which stops that kind of letter of that
// account and nothing else; whoever opens the address is asked first.

import { describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { composeMail, type Mail } from '../../src/outbound/mailer/mail.ts';
import { signIn } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { agentNamed, type TestAgent, tellMany } from '../support/threads.ts';

const t = sharedService();

const emailOf = ({ handle }: TestAgent): string => `${handle}@example.org`;

async function letters(agent: TestAgent): Promise<Mail[]> {
  await t.advance(0);
  return t.mails.filter((mail) => mail.to === emailOf(agent) && mail.one_click);
}

async function told(handle: string): Promise<{ agent: TestAgent; url: string }> {
  const agent = await agentNamed(t, handle);
  await tellMany(t, agent, 1, 'payment.succeeded');
  await t.advance(HOUR_MS);
  const [letter] = await letters(agent);
  return { agent, url: letter?.unsubscribe ?? '' };
}

const choices = async ({ key }: TestAgent) => (await t.call('GET', '/api/notifications/preferences', { key })).body;
const open = (url: string) => t.fetch(new Request(url));
/** As mail programs send it: no cookie, no origin, and the one field that they send. */
const click = (url: string, init: RequestInit = {}) =>
  t.fetch(
    new Request(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
      ...init,
    }),
  );

describe('the header of a letter about events', () => {
  test('names the address and says that one click does', async () => {
    const { agent } = await told('has_headers');
    const [letter] = await letters(agent);
    if (!letter) throw new Error('no letter');
    const raw = Buffer.from((await composeMail(letter, 'no-reply@agents.localhost')) ?? []).toString();
    const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
    expect(head).toContain(`List-Unsubscribe: <${letter.unsubscribe}>`);
    expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    // What a person asked for cannot be stopped so.
    expect(t.mails.filter(({ subject, one_click }) => one_click && /code/.test(subject))).toEqual([]);
  });

  test('stops such letters at a POST, of urlencoded and of multipart forms, twice as once', async () => {
    const { agent, url } = await told('clicks_once');
    expect(await choices(agent)).toMatchObject({ email: 'all', digest: 'off' });
    const answer = await click(url);
    expect([answer.status, answer.headers.get('set-cookie'), answer.redirected]).toEqual([200, null, false]);
    expect(await answer.text()).toContain('Stopped');
    expect(await choices(agent)).toMatchObject({ email: 'none', digest: 'off' });
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    expect((await click(url, { headers: {}, body: form })).status).toBe(200);
    const before = (await letters(agent)).length;
    await tellMany(t, agent, 2, 'payment.succeeded');
    await t.advance(HOUR_MS);
    expect(await letters(agent)).toHaveLength(before);
    // What cannot wait is mailed all the same.
    await tellMany(t, agent, 1, 'escrow.dispute_opened');
    await t.advance(HOUR_MS);
    expect(await letters(agent)).toHaveLength(before + 1);
  });

  test('stops nothing by a GET, which shows a button; the page says when it is done', async () => {
    const { agent, url } = await told('looks_first');
    const page = await open(url);
    const text = await page.text();
    expect([page.status, text.includes('<form method="post">'), text.includes('<script')]).toEqual([200, true, false]);
    expect(await choices(agent)).toMatchObject({ email: 'all' });
    await click(url, { body: '' });
    expect(await (await open(url)).text()).toContain('You no longer get letters');
    expect((await t.fetch(new Request(url, { method: 'HEAD' }))).status).toBeLessThan(500);
  });
});

test('a token is of one account and one kind: changed in any part it stops nothing', async () => {
  const [one, other] = [await told('own_token'), await told('other_token')];
  const [kind = '', account = '', seal = ''] = one.url.split('/').at(-1)?.split('.') ?? [];
  const [, strange = ''] = other.url.split('/').at(-1)?.split('.') ?? [];
  const at = (token: string) => one.url.replace(/[^/]+$/, token);
  const tokens = [
    `digest.${account}.${seal}`,
    `${kind}.${strange}.${seal}`,
    `${kind}.${account}.${seal.slice(0, -1)}x`,
    `${kind}.${account}.`,
    `${kind}.${account}.${seal}.${seal}`,
    'events',
  ];
  for (const token of tokens) expect([token, (await click(at(token))).status]).toEqual([token, 404]);
  expect(await choices(one.agent)).toMatchObject({ email: 'all' });
  expect(await choices(other.agent)).toMatchObject({ email: 'all' });
});

test('the digest has an address of its own, which ends the digest alone', async () => {
  const agent = await agentNamed(t, 'daily_reader');
  await t.call('PATCH', '/api/notifications/preferences', { key: agent.key, body: { digest: 'daily' } });
  await tellMany(t, agent, 1, 'payment.succeeded');
  await t.advance(2 * DAY_MS);
  const digest = (await letters(agent)).find(({ unsubscribe }) => unsubscribe?.includes('/digest.'));
  expect(digest?.subject).toContain('unread');
  expect((await click(digest?.unsubscribe ?? '')).status).toBe(200);
  expect(await choices(agent)).toMatchObject({ email: 'all', digest: 'off' });
  const before = (await letters(agent)).length;
  await t.advance(3 * DAY_MS);
  expect(await letters(agent)).toHaveLength(before);
});

test('of an account that was deleted nothing is left to stop', async () => {
  const { agent, url } = await told('gone_since');
  const token = await signIn(t, emailOf(agent));
  const gone = await t.call('DELETE', '/api/account', { token, body: {} });
  expect(gone.status).toBe(200);
  expect([(await open(url)).status, (await click(url)).status]).toEqual([404, 404]);
});
