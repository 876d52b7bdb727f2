// Guards the SMTP listener with a real client over real connections, STARTTLS and a real DNS: what comes in, what is
// refused and when, and that no connection takes more than its share.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { many } from '../../db/query.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { createLog } from '../../src/log.ts';
import { certificateProblem, makeCertificate } from '../../src/outbound/certificate.ts';
import { listenSmtp, type SmtpListener } from '../../src/transports/smtp/listen.ts';
import { naughtyStrings } from '../support/corpus.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { eml, letterOf } from '../support/mail.ts';
import { sampled } from '../support/nightly.ts';
import { startTestServer } from '../support/server.ts';
import { rawSmtp } from '../support/smtp-client.ts';
import { openTestService, START_MS, type TestService } from '../support/testbed.ts';
import { agentNamed, openThread, pendingMatch, type TestAgent } from '../support/threads.ts';

const CERTIFICATE = makeCertificate('agents.localhost', Date.now());
const DKIM = generateKeyPairSync('rsa', { modulusLength: 2048 });
const DKIM_RECORD = `v=DKIM1; k=rsa; p=${DKIM.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const received = many()(null, (db, t) => db.select().from(t.inbound_mails));

let dns: DnsServer;
let t: TestService;
let smtp: SmtpListener;
let names = 0;

interface Talk {
  readonly ada: TestAgent;
  readonly bob: TestAgent;
  readonly conversation_id: string;
  readonly address: string;
  /** Of Ada's human, in a domain of its own. */
  readonly email: string;
}

async function talk(): Promise<Talk> {
  names += 1;
  const [ada, bob] = [await agentNamed(t, `ada_${names}`), await agentNamed(t, `bob_${names}`)];
  const conversation_id = await openThread(t, ada, bob);
  const { address } = await letterOf(t, ada, conversation_id);
  return { ada, bob, conversation_id, address, email: `${ada.handle}@example.org` };
}

async function messagesOf({ bob, conversation_id }: Talk): Promise<{ content: string }[]> {
  return (await t.call('GET', `/api/messages/${conversation_id}`, { key: bob.key })).body;
}

/** Sends as mail servers do: with STARTTLS, from an address of this machine. */
async function send(mail: SendMailOptions, { local = '127.0.0.1', tls = true } = {}): Promise<string> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtp.port,
    localAddress: local,
    name: 'mx.example.org',
    requireTLS: tls,
    ignoreTLS: !tls,
    tls: { ca: CERTIFICATE.cert, servername: 'agents.localhost' },
  });
  try {
    return (await transport.sendMail(mail)).response;
  } catch (error) {
    return error instanceof Error && 'response' in error ? String(error.response) : String(error);
  } finally {
    transport.close();
  }
}

beforeAll(async () => {
  dns = await startDnsServer({
    'example.org': { txt: [['v=spf1 ip4:127.0.0.1 mx -all']], mx: ['mx.example.org'] },
    'mx.example.org': { a: ['127.0.0.3'] },
    '_dmarc.example.org': { txt: [['v=DMARC1; p=reject']] },
    's1._domainkey.example.org': { txt: [[DKIM_RECORD.slice(0, 200), DKIM_RECORD.slice(200)]] },
  });
  t = await openTestService({}, 'memory', { dns_servers: [dns.address] });
  smtp = await listenSmtp(t.service.doors, { host: '127.0.0.1', port: 0 }, CERTIFICATE, createLog('silent', 'text'));
});
afterAll(async () => {
  await smtp.stop();
  await t.close();
  dns.close();
});

describe('a mail that comes by SMTP', () => {
  test('as the answer to a letter about a match opens the conversation', async () => {
    names += 1;
    const [ada, bob] = [await agentNamed(t, `ada_${names}`), await agentNamed(t, `bob_${names}`)];
    const email = `${ada.handle}@example.org`;
    await pendingMatch(t, ada, bob);
    await t.advance(HOUR_MS);
    const to = t.mails.findLast((mail) => mail.to === email && mail.reply_to !== undefined)?.reply_to ?? '';
    expect(await send({ from: email, to, subject: 'Re: New match', text: 'Let us talk.' })).toBe('250 2.0.0 Taken');
    const [thread] = (await t.call('GET', '/api/conversations', { key: bob.key })).body;
    const messages = await t.call('GET', `/api/messages/${thread.conversation_id ?? thread.id}`, { key: bob.key });
    expect(messages.body).toMatchObject([{ sender: ada.handle, content: 'Let us talk.' }]);
  });

  test('over STARTTLS is posted, with what SPF, DKIM and DMARC said of it', async () => {
    const it = await talk();
    const answer = await send({
      from: `Ada <${it.email}>`,
      to: it.address,
      subject: 'Re: A rope',
      date: new Date(START_MS),
      text: 'Tomorrow is fine.\n\nOn Mon, 15 Jun 2026 at 11:00, Bob <b@agents.localhost> wrote:\n> When?\n',
      dkim: {
        domainName: 'example.org',
        keySelector: 's1',
        privateKey: DKIM.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    });
    expect(answer).toBe('250 2.0.0 Taken');
    expect((await messagesOf(it)).map(({ content }) => content)).toEqual(['Tomorrow is fine.']);
    const [row] = (await t.service.world.store.read(received, {})).filter(({ agent_id }) => agent_id === it.ada.id);
    expect(row).toMatchObject({
      outcome: 'posted',
      authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass', dmarc_policy: 'reject' },
    });
  });

  test('is read once, and authenticated once, however many recipients it has', async () => {
    const it = await talk();
    const others = [await openThread(t, it.ada, it.bob), await openThread(t, it.ada, it.bob)];
    const letters = await Promise.all(others.map((id) => letterOf(t, it.ada, id)));
    const { mails } = t.service.world;
    const before = mails.readings;
    const to = [it.address, ...letters.map(({ address }) => address)];
    expect(await send({ from: it.email, to, date: new Date(START_MS), text: 'For all of you.' })).toBe(
      '250 2.0.0 Taken',
    );
    expect(mails.readings - before).toBe(2);
    for (const id of [it.conversation_id, ...others]) {
      expect((await messagesOf({ ...it, conversation_id: id })).at(0)?.content).toBe('For all of you.');
    }
  });

  test('is refused unless its domain sends from there or its signature holds; a DNS that is out puts it off', async () => {
    const it = await talk();
    const mail = { from: it.email, to: it.address, text: 'hello' };
    expect(await send(mail, { local: '127.0.0.2' })).toMatch(/^550 5\.7\.1 .*SPF/);
    expect(await send(mail, { local: '127.0.0.3', tls: false })).toBe('250 2.0.0 Taken');
    const privateKey = DKIM.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const dkim = { domainName: 'example.org', keySelector: 's1', privateKey };
    expect(await send({ ...mail, dkim }, { local: '127.0.0.2' })).toBe('250 2.0.0 Taken');
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const forged = { ...dkim, privateKey: stranger.export({ type: 'pkcs8', format: 'pem' }).toString() };
    expect(await send({ ...mail, dkim: forged }, { local: '127.0.0.2' })).toMatch(/^550 5\.7\.1 .*SPF/);
    dns.set('example.org', { trouble: 'servfail' });
    dns.set('_dmarc.example.org', { trouble: 'servfail' });
    expect(await send(mail, { local: '127.0.0.2' })).toMatch(/^451 4\.3\.0 /);
    dns.set('example.org', { txt: [['v=spf1 ip4:127.0.0.1 mx -all']], mx: ['mx.example.org'] });
    dns.set('_dmarc.example.org', { txt: [['v=DMARC1; p=reject']] });
    expect(await messagesOf(it)).toHaveLength(2);
  });

  test('is told why it was refused, so that its sender learns it from their own server', async () => {
    const it = await talk();
    const other = await talk();
    const to = it.address;
    expect(await send({ from: other.email, to, text: 'hello' })).toMatch(/^550 5\.7\.1 This mailbox accepts replies/);
    expect(await send({ from: it.email, to, text: '> only\n> quoted' })).toMatch(/^554 5\.6\.0 .*contains no new text/);
    expect(await send({ from: it.email, to, text: 'x y '.repeat(5_000) })).toMatch(/^554 5\.6\.0 .*16384/);
    await t.call('POST', `/api/conversations/${it.conversation_id}/close`, { key: it.bob.key, body: {} });
    expect(await send({ from: it.email, to, text: 'hello' })).toMatch(/^550 5\.7\.1 /);
    expect(await messagesOf(it)).toEqual([]);
  });

  test('from a machine is taken and thrown away: no bounce is ever answered', async () => {
    const it = await talk();
    const sent = t.mails.length;
    const envelope = { from: '', to: [it.address] };
    expect(await send({ envelope, from: it.email, to: it.address, text: 'undelivered' })).toBe('250 2.0.0 Taken');
    const headers = { 'Auto-Submitted': 'auto-replied' };
    expect(await send({ from: it.email, to: it.address, headers, text: 'away' })).toBe('250 2.0.0 Taken');
    expect(await messagesOf(it)).toEqual([]);
    await t.service.dispatcher.idle();
    expect(t.mails).toHaveLength(sent);
  });
});

describe('a recipient', () => {
  test('that is not here is refused before the mail is sent, and told apart from no other', async () => {
    const it = await talk();
    const { handle } = it.ada;
    const client = rawSmtp(smtp.port);
    expect(await client.hear()).toBe('220 agents.localhost ESMTP Meshwork');
    await client.say('EHLO mx.example.org\r\n');
    await client.say(`MAIL FROM:<${it.email}>\r\n`);
    const token = it.address.slice(it.address.indexOf('+') + 1, it.address.indexOf('@'));
    const wrong = [
      ...[`${handle}+${'0'.repeat(26)}@agents.localhost`, `${it.bob.handle}+${token}@agents.localhost`],
      ...[`${handle}+x@agents.localhost`, 'nobody_here@agents.localhost', 'ada@example.net', 'postmaster'],
    ];
    const answers = new Set<string>();
    for (const address of wrong) answers.add(await client.say(`RCPT TO:<${address}>\r\n`));
    const [refused, ...others] = answers;
    expect(refused).toMatch(/^550 5\.1\.1 /);
    expect(others.every((answer) => /^50\d /.test(answer))).toBe(true);
    for (const address of [it.address, it.address.toUpperCase(), `${handle}@agents.localhost`]) {
      expect(await client.say(`RCPT TO:<${address}>\r\n`)).toMatch(/^250 /);
    }
    client.close();
  });

  test('after many that are not here finds the connection ended', async () => {
    const client = rawSmtp(smtp.port);
    await client.hear();
    await client.say('EHLO x\r\n');
    await client.say('MAIL FROM:<eve@x.example>\r\n');
    let last = '';
    for (let n = 0; n < 10; n++) last = await client.say(`RCPT TO:<nobody_${n}@agents.localhost>\r\n`);
    expect(last).toMatch(/^421 /);
    await client.ended;
  });

  test('beyond the tenth is asked to come in another transaction', async () => {
    const it = await talk();
    const client = rawSmtp(smtp.port);
    await client.hear();
    await client.say('EHLO x\r\n');
    await client.say(`MAIL FROM:<${it.email}>\r\n`);
    for (let n = 0; n < 10; n++) {
      const { address } = await letterOf(t, it.ada, it.conversation_id);
      expect(await client.say(`RCPT TO:<${address}>\r\n`)).toMatch(/^250 /);
    }
    expect(await client.say(`RCPT TO:<${it.address}>\r\n`)).toMatch(/^452 /);
    // Ten addresses of one conversation are one message.
    await client.say('DATA\r\n');
    const raw = eml({ from: it.email, to: it.address });
    expect(await client.say(`${raw}\r\n.\r\n`)).toBe('250 2.0.0 Taken');
    expect(await messagesOf(it)).toHaveLength(1);
    client.close();
  });
});

describe('a connection', () => {
  test('that sends more than 10 MiB is told so, before or after', async () => {
    const it = await talk();
    const client = rawSmtp(smtp.port);
    await client.hear();
    expect(await client.say('EHLO x\r\n')).toContain('SIZE 10485760');
    expect(await client.say(`MAIL FROM:<${it.email}> SIZE=10485761\r\n`)).toMatch(/^552 /);
    await client.say(`MAIL FROM:<${it.email}>\r\n`);
    await client.say(`RCPT TO:<${it.address}>\r\n`);
    await client.say('DATA\r\n');
    const line = `${'x'.repeat(998)}\r\n`;
    const head = eml({ from: it.email, to: it.address });
    expect(await client.say(`${head}\r\n${line.repeat(11_000)}.\r\n`)).toMatch(/^552 5\.3\.4 /);
    // The connection is as good as before.
    expect(await client.say('NOOP\r\n')).toMatch(/^250 /);
    client.close();
    expect(await messagesOf(it)).toEqual([]);
  });

  test('is one of six from one address, so that nobody keeps the others out', async () => {
    const held = Array.from({ length: 6 }, () => rawSmtp(smtp.port, '127.0.0.9'));
    for (const client of held) expect(await client.hear()).toMatch(/^220 /);
    const seventh = rawSmtp(smtp.port, '127.0.0.9');
    expect(await seventh.hear()).toMatch(/^421 /);
    await seventh.ended;
    const elsewhere = rawSmtp(smtp.port, '127.0.0.10');
    expect(await elsewhere.hear()).toMatch(/^220 /);
    for (const client of [...held, elsewhere]) client.close();
    await Promise.all(held.map(({ ended }) => ended));
    expect(await rawSmtp(smtp.port, '127.0.0.9').hear()).toMatch(/^220 /);
  });

  test('cannot sign in, relay, or learn who is here', async () => {
    const client = rawSmtp(smtp.port);
    await client.hear();
    const offered = await client.say('EHLO x\r\n');
    expect(offered).toContain('STARTTLS');
    expect(offered).not.toMatch(/AUTH|XCLIENT/);
    for (const command of ['AUTH PLAIN AGEAYg==', 'WIZ', 'XCLIENT ADDR=192.0.2.1']) {
      expect(await client.say(`${command}\r\n`)).toMatch(/^50\d /);
    }
    expect(await client.say('VRFY ada_1\r\n')).toBe(await client.say('VRFY nobody\r\n'));
    client.close();
  });

  // What a server that takes another end than CR LF . CR LF lets through: a second mail inside the first.
  test.each(['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r.\r\n', '\r\n.\r'])(
    'carries one mail, whatever %j in it claims to end it',
    async (end) => {
      const it = await talk();
      const client = rawSmtp(smtp.port);
      await client.hear();
      await client.say('EHLO x\r\n');
      await client.say(`MAIL FROM:<${it.email}>\r\n`);
      await client.say(`RCPT TO:<${it.address}>\r\n`);
      await client.say('DATA\r\n');
      const inner = eml({ from: it.email, to: it.address, text: 'smuggled' });
      const envelope = `MAIL FROM:<${it.email}>\r\nRCPT TO:<${it.address}>\r\nDATA\r\n`;
      const raw = eml({ from: it.email, to: it.address, text: 'outer' });
      await client.say(`${raw}${end}${envelope}${inner}\r\n.\r\n`);
      expect(await client.say('NOOP\r\n')).toMatch(/^250 /);
      client.close();
      expect((await messagesOf(it)).length).toBeLessThanOrEqual(1);
    },
  );

  test('may say anything at all', async () => {
    const it = await talk();
    // A sixth of them: each takes its own connection, and a greeting waits a tenth of a second for those who talk first.
    for (const text of sampled(naughtyStrings())) {
      const bytes = Buffer.from(text).toString('latin1');
      const client = rawSmtp(smtp.port);
      await client.hear();
      client.say(`EHLO ${bytes}\r\nMAIL FROM:<${bytes}>\r\nMAIL FROM:<a@b.example>\r\n`).catch(() => '');
      client.say(`RCPT TO:<${bytes}@agents.localhost>\r\nRCPT TO:<${it.address}>\r\nDATA\r\n`).catch(() => '');
      client.say(`${bytes}: ${bytes}\r\n\r\n${bytes}\r\n.\r\nQUIT\r\n`).catch(() => '');
      await client.ended;
    }
    expect(await send({ from: it.email, to: it.address, text: 'still here' })).toBe('250 2.0.0 Taken');
    expect((await messagesOf(it)).map(({ content }) => content)).toEqual(['still here']);
  }, 600_000);
});

test('a certificate made here fits its key, and another key is noticed', () => {
  expect(certificateProblem(CERTIFICATE)).toBeNull();
  expect(certificateProblem({ ...CERTIFICATE, key: makeCertificate('x.example', 0).key })).not.toBeNull();
  expect(certificateProblem({ cert: 'none', key: 'none' })).not.toBeNull();
});

describe('a server', () => {
  test('opens the listener that its settings ask for, with a certificate of its own or theirs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'meshwork-smtp-'));
    const named = makeCertificate('mx.example.org', Date.now());
    const files = { MAIL_TLS_CERT: join(folder, 'cert.pem'), MAIL_TLS_KEY: join(folder, 'key.pem') };
    writeFileSync(files.MAIL_TLS_CERT, named.cert);
    writeFileSync(files.MAIL_TLS_KEY, named.key);
    for (const [env, subject] of [
      [{}, 'agents.example.org'],
      [files, 'mx.example.org'],
    ] as const) {
      const server = await startTestServer({ MAIL_DOMAIN: 'agents.example.org', MAIL_INBOUND_PORT: '0', ...env });
      const { mail_port } = await Bun.file(join(server.data_dir, 'server.json')).json();
      const client = rawSmtp(mail_port);
      await client.hear();
      await client.say('EHLO x\r\n');
      expect(await client.say('STARTTLS\r\n')).toMatch(/^220 /);
      const secure = client.secure(env === files ? named.cert : undefined, subject);
      expect((await secure).subject.CN).toBe(subject);
      client.close();
      await server.stop();
    }
    writeFileSync(files.MAIL_TLS_KEY, CERTIFICATE.key);
    await expect(startTestServer({ MAIL_INBOUND_PORT: '0', ...files })).rejects.toThrow(
      /^MAIL_TLS_CERT cannot be used: /,
    );
    await expect(startTestServer({ MAIL_INBOUND_PORT: `${smtp.port}` })).rejects.toThrow(
      /^MAIL_INBOUND_PORT .* cannot be used/,
    );
    rmSync(folder, { recursive: true });
  }, 600_000);
});
