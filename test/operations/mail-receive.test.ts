// Guards what an answer by mail may do: one message, in its own conversation, from its own person, once.

import { describe, expect, test } from 'bun:test';
import { REPLY_TOKEN_MS } from '../../src/domain/mail/mailbox.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { naughtyStrings } from '../support/corpus.ts';
import { eml, handIn, letterOf } from '../support/mail.ts';
import { sampled } from '../support/nightly.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { agentNamed, openThread, type TestAgent } from '../support/threads.ts';

const t = sharedService({}, 'memory');
let names = 0;

interface Talk {
  readonly ada: TestAgent;
  readonly bob: TestAgent;
  readonly conversation_id: string;
  /** Where Ada's human answers. */
  readonly address: string;
  readonly letter_id: string;
  readonly email: string;
}

async function talk(): Promise<Talk> {
  names += 1;
  const [ada, bob] = [await agentNamed(t, `ada_${names}`), await agentNamed(t, `bob_${names}`)];
  const conversation_id = await openThread(t, ada, bob);
  const { address, message_id } = await letterOf(t, ada, conversation_id);
  return { ada, bob, conversation_id, address, letter_id: message_id, email: `${ada.handle}@example.org` };
}

async function messagesOf({ bob, conversation_id }: Talk): Promise<TestAnswer['body'][]> {
  return (await t.call('GET', `/api/messages/${conversation_id}`, { key: bob.key })).body;
}

describe('a mail whose From header is made to be slow', () => {
  const raw = (from: string): string => `From: ${from}\r\nTo: x@agents.localhost\r\nSubject: x\r\n\r\nhello\r\n`;

  // Forty kilobytes of these took seconds: unclosed quotes, escapes and groups are tried from each of their beginnings.
  test.each(['"', '\\"', '(', 'g: a@b,', 'a:b@c;', ' \r\n '])('of %j is refused before it is parsed', async (unit) => {
    const it = await talk();
    const from = `${unit.repeat(Math.ceil(40_960 / unit.length))} <${it.email}>`;
    const answer = await handIn(t, raw(from), { to: it.address });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(await messagesOf(it)).toEqual([]);
  });

  test('names one author or none, whatever is quoted', async () => {
    const it = await talk();
    const statusOf = async (from: string): Promise<number> => (await handIn(t, raw(from), { to: it.address })).status;
    expect(await statusOf(`"Ada, of ropes" <${it.email}>`)).toBe(200);
    expect(await statusOf(`Ada (ropes, and more) <${it.email}>`)).toBe(200);
    expect(await statusOf(`${it.email}, eve@example.org`)).toBe(403);
    expect(await statusOf(`"Ada" <${it.email}>, "Eve" <eve@example.org>`)).toBe(403);
  });
});

describe('an answer to a letter', () => {
  test('becomes a message of the agent, and the other side gets its event', async () => {
    const it = await talk();
    const text = 'Tomorrow is fine.\n\nOn Mon, 15 Jun 2026 at 11:00, Bob <x@agents.localhost> wrote:\n> When?\n';
    const answer = await handIn(t, eml({ from: `Ada <${it.email.toUpperCase()}>`, to: it.address, text }));
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'posted', conversation_id: it.conversation_id } });
    const [message] = await messagesOf(it);
    expect(message).toMatchObject({
      message_id: answer.body.message_id,
      sender: it.ada.handle,
      role: 'other',
      content: 'Tomorrow is fine.',
    });
    const inbox = await t.call('GET', '/api/inbox?limit=100', { key: it.bob.key });
    expect(inbox.body.events.at(-1)).toMatchObject({
      kind: 'conversation.updated',
      data: { message_id: answer.body.message_id, preview: 'Tomorrow is fine.' },
    });
  });

  test('is found by the letter that it answers when its address has no token, and after a rename', async () => {
    const it = await talk();
    const bare = `${it.ada.handle}@agents.localhost`;
    const headers = { References: `<x@y> ${it.letter_id}`, 'In-Reply-To': '<unknown@example.org>' };
    expect((await handIn(t, eml({ from: it.email, to: bare, headers }))).body.outcome).toBe('posted');
    await t.call('PATCH', '/api/agents/rename', { key: it.ada.key, body: { handle: `${it.ada.handle}_new` } });
    const renamed = await handIn(t, eml({ from: it.email, to: it.address }));
    expect(renamed.body.outcome).toBe('posted');
    expect((await handIn(t, eml({ from: it.email, to: bare, headers }))).body.outcome).toBe('posted');
    const senders = (await messagesOf(it)).map(({ sender }) => sender);
    expect(new Set(senders)).toContain(`${it.ada.handle}_new`);
  });

  test('is taken once however often it comes, also at once and by another address', async () => {
    const it = await talk();
    const raw = eml({ from: it.email, to: it.address, id: 'same' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => handIn(t, raw, { to: it.address })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const ids = new Set(answers.map(({ body }) => body.message_id));
    expect(ids.size).toBe(1);
    expect(answers.filter(({ body }) => body.outcome === 'posted')).toHaveLength(1);
    const other = await letterOf(t, it.ada, it.conversation_id);
    const again = await handIn(t, raw, { to: other.address });
    expect(again.body).toMatchObject({ outcome: 'duplicate', message_id: [...ids][0] });
    expect(await messagesOf(it)).toHaveLength(1);
    // Without a Message-ID the bytes tell.
    const nameless = eml({ from: it.email, to: it.address, id: '', text: 'no name' });
    expect((await handIn(t, nameless)).body.outcome).toBe('posted');
    expect((await handIn(t, nameless)).body.outcome).toBe('duplicate');
  });

  test('is refused when the thread is closed or its reader blocks, when nothing of it is its own, and when it is too long', async () => {
    const it = await talk();
    expect(await handIn(t, eml({ from: it.email, to: it.address, text: '> only\n> quoted' }))).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    expect(await handIn(t, eml({ from: it.email, to: it.address, text: 'x y '.repeat(5_000) }))).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'content', message: expect.stringContaining('16384') }] },
    });
    const block = `/api/agents/${it.ada.handle}/block`;
    expect((await t.call('POST', block, { key: it.bob.key, body: {} })).status).toBeLessThan(300);
    expect(await handIn(t, eml({ from: it.email, to: it.address }))).toMatchObject({
      status: 403,
      body: { error: 'blocked' },
    });
    await t.call('DELETE', block, { key: it.bob.key });
    await t.call('POST', `/api/conversations/${it.conversation_id}/close`, { key: it.bob.key, body: {} });
    expect(await handIn(t, eml({ from: it.email, to: it.address }))).toMatchObject({
      status: 409,
      body: { error: 'conversation_closed' },
    });
    expect(await messagesOf(it)).toHaveLength(0);
  });
});

describe('a mail that has no right to a conversation', () => {
  test('is refused: unknown, expired, forged and borrowed tokens, and every sender but the own one', async () => {
    const [it, other] = [await talk(), await talk()];
    const token = it.address.slice(it.address.indexOf('+'), it.address.indexOf('@'));
    const borrowed = `${other.ada.handle}${token}@agents.localhost`;
    const cases: readonly [string, string, string, string][] = [
      ['an unknown token', it.email, `${it.ada.handle}+${'0'.repeat(26)}@agents.localhost`, 'not_found'],
      ["another agent's token", other.email, borrowed, 'not_found'],
      ['a cut token', it.email, it.address.replace(token, token.slice(0, -1)), 'not_found'],
      ['nobody', it.email, 'nobody_here@agents.localhost', 'not_found'],
      ['elsewhere', it.email, 'ada@example.net', 'not_found'],
      ["the other side's address", `${it.bob.handle}@example.org`, it.address, 'not_a_party'],
      ['a look-alike', it.email.replace('a', '\u0430'), it.address, 'not_a_party'],
      ['a name that is the address', `"${it.email}" <eve@x.example>`, it.address, 'not_a_party'],
      ['two authors', `${it.email}, eve@x.example`, it.address, 'not_a_party'],
      ['two authors, the other first', `eve@x.example, ${it.email}`, it.address, 'not_a_party'],
      ['a group', `us: ${it.email};`, it.address, 'not_a_party'],
      ['a second From', `eve@x.example\r\nFrom: ${it.email}`, it.address, 'not_a_party'],
      ['a stranger without a token', 'eve@x.example', `${it.ada.handle}@agents.localhost`, 'not_a_party'],
      ['the owner without a letter', it.email, `${it.ada.handle}@agents.localhost`, 'not_a_party'],
    ];
    for (const [what, from, to, error] of cases) {
      const answer = await handIn(t, eml({ from, to }), { to });
      expect([what, answer.body.error]).toEqual([what, error]);
    }
    expect([...(await messagesOf(it)), ...(await messagesOf(other))]).toEqual([]);
    await t.advance(REPLY_TOKEN_MS);
    expect((await handIn(t, eml({ from: it.email, to: it.address }))).body.error).toBe('not_found');
  });

  test("is refused unless SPF or DKIM passes for its author's domain, and later where the DNS is silent", async () => {
    const it = await talk();
    t.zone.setTxt('_dmarc.example.org', ['v=DMARC1; p=reject']);
    t.zone.setTxt('example.org', ['v=spf1 ip4:192.0.2.1 -all']);
    const mail = (): string => eml({ from: it.email, to: it.address });
    const forged = await handIn(t, mail(), { from: it.email, client_ip: '198.51.100.9' });
    expect(forged).toMatchObject({ status: 403, body: { error: 'not_a_party' } });
    const own = await handIn(t, mail(), { from: it.email, client_ip: '192.0.2.1' });
    expect(own.body).toMatchObject({
      outcome: 'posted',
      authentication: { spf: 'pass', dkim: 'none', dmarc: 'pass', dmarc_policy: 'reject' },
    });
    const unknown = await handIn(t, mail());
    expect(unknown.body).toMatchObject({ outcome: 'posted', authentication: { spf: 'unknown', dmarc: 'unknown' } });
    t.zone.fail('ESERVFAIL');
    const dark = await handIn(t, mail(), { from: it.email, client_ip: '198.51.100.9' });
    expect(dark).toMatchObject({ status: 503, body: { error: 'overloaded' } });
    t.zone.fail(null);
    t.zone.setTxt('_dmarc.example.org', []);
    t.zone.setTxt('example.org', []);
    // No policy is no leave: whoever knows the address could write as its owner.
    const open = await handIn(t, mail(), { from: it.email, client_ip: '198.51.100.9' });
    expect(open).toMatchObject({ status: 403, body: { error: 'not_a_party' } });
    // SPF passes for the domain of the envelope, which is not the author's.
    t.zone.setTxt('eve.example', ['v=spf1 ip4:198.51.100.9 -all']);
    const foreign = await handIn(t, mail(), { from: 'eve@eve.example', client_ip: '198.51.100.9' });
    expect(foreign).toMatchObject({ status: 403, body: { error: 'not_a_party' } });
    expect(await messagesOf(it)).toHaveLength(2);
  });

  test('never stays silent about a body that is no mail, nor lets a bomb through', async () => {
    const it = await talk();
    const nested = (depth: number): string => {
      let head = `From: ${it.email}\r\nTo: ${it.address}\r\n`;
      for (let n = 0; n < depth; n++) head += `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`;
      return `${head}\r\nhello\r\n`;
    };
    for (const raw of [nested(10_000), `${'X-A: b\r\n'.repeat(60_000)}${eml({ from: it.email, to: it.address })}`]) {
      expect(await handIn(t, raw, { to: it.address })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    }
    const head = `From: ${it.email}\r\nTo: ${it.address}\r\n`;
    const flat = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(900_000)}--b--\r\n`;
    for (const raw of [`${head}${flat}`, `${head}\r\n${'\r\n'.repeat(4_000_000)}`]) {
      expect(await handIn(t, raw, { to: it.address })).toMatchObject({ status: 400 });
    }
    const empty = await handIn(t, '', { to: it.address });
    expect(empty).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const large = await handIn(t, eml({ from: it.email, to: it.address, text: 'x'.repeat(11 * 1024 * 1024) }));
    expect(large).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
    const json = await t.call('POST', '/internal/mail/inbound', {
      headers: { 'X-Internal-Token': t.internal_token },
      body: {},
    });
    expect(json).toMatchObject({ status: 400, body: { error: 'invalid_content_type' } });
    expect(await t.call('POST', '/internal/mail/inbound', { body: {} })).toMatchObject({ status: 401 });
    for (const text of sampled(naughtyStrings())) {
      const raw = `From: ${text}\r\nTo: ${it.address}\r\nSubject: ${text}\r\nContent-Type: ${text}\r\n\r\n${text}`;
      const { status } = await handIn(t, Buffer.from(raw).toString('latin1'), { to: it.address });
      expect(status === 200 || (status >= 400 && status < 500)).toBe(true);
    }
  }, 600_000);
});

test('hostile strings arrive as they were written, wherever a mail program would leave them alone', async () => {
  const it = await talk();
  for (const [at, text] of sampled(naughtyStrings()).entries()) {
    await t.advance(HOUR_MS / 20);
    const body = `before ${text.toWellFormed().replace(/[\r\n\0]/g, ' ')} after`;
    const answer = await handIn(t, eml({ from: it.email, to: it.address, text: body, id: `naughty-${at}` }));
    if (Buffer.byteLength(body) > 16_384) expect(answer.status).toBe(400);
    else expect([text, answer.body.outcome]).toEqual([text, 'posted']);
    if (answer.status !== 200) continue;
    const [last] = await messagesOf(it);
    expect(last.content).toBe(body);
  }
}, 600_000);

test('what machines send is taken and thrown away, and a flood is put off', async () => {
  const it = await talk();
  const auto = eml({ from: it.email, to: it.address, headers: { 'Auto-Submitted': 'auto-replied' } });
  expect((await handIn(t, auto)).body).toMatchObject({ outcome: 'dropped', reason: 'auto_reply' });
  const bounce = eml({ from: 'MAILER-DAEMON@mx.example.org', to: it.address });
  expect((await handIn(t, bounce, { from: '' })).body).toMatchObject({ outcome: 'dropped', reason: 'bounce' });
  const loop = eml({ from: it.email, to: it.address, headers: { 'X-Loop': 'agents.localhost' } });
  expect((await handIn(t, loop)).body).toMatchObject({ outcome: 'dropped', reason: 'loop' });
  const statuses: number[] = [];
  for (let n = 0; n < 40; n++)
    statuses.push((await handIn(t, eml({ from: it.email, to: it.address, id: `n${n}` }))).status);
  expect(statuses).toEqual([...Array(30).fill(200), ...Array(10).fill(429)]);
  expect(await messagesOf(it)).toHaveLength(30);
  await t.advance(HOUR_MS);
  // Its sender's server tries again.
  expect((await handIn(t, eml({ from: it.email, to: it.address, id: 'n39' }))).body.outcome).toBe('posted');
  // Nobody was ever answered: all that went to anybody here is codes, and letters about their agents' events.
  const strangers = t.mails.filter(
    ({ to, unsubscribe, subject }) => !unsubscribe && !/code/i.test(subject) && to !== '',
  );
  expect(strangers).toEqual([]);
  expect(t.mails.filter(({ to, unsubscribe }) => to === it.email && unsubscribe)).toEqual([]);
});
