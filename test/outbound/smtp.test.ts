// Guards mailer/smtp.ts against a real SMTP server on loopback: what arrives, over which protection, and which failures
// are final.

import { afterEach, describe, expect, test } from 'bun:test';
import { createServer, type Server } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { disputeDueLetter } from '../../src/outbound/mailer/letters.ts';
import { createSmtpMailer } from '../../src/outbound/mailer/smtp.ts';
import { letterWords } from '../../src/outbound/mailer/words/words.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts';
import { FROM, letter } from './message.ts';

interface Arrival {
  readonly raw: string;
  readonly secure: boolean;
  readonly user: string;
}

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** A server that takes mail; options change its manners. Gives its port and what arrived. */
async function smtpServer(options: SMTPServerOptions = {}): Promise<{ port: number; arrived: Arrival[] }> {
  const arrived: Arrival[] = [];
  const server = new SMTPServer({
    authOptional: true,
    key: CERTIFICATE_KEY,
    cert: CERTIFICATE,
    closeTimeout: 1,
    disableReverseLookup: true,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        arrived.push({
          raw: Buffer.concat(parts).toString(),
          secure: session.secure,
          user: String(session.user ?? ''),
        });
        done();
      });
    },
    ...options,
  });
  // A refused handshake is reported here as well; the test looks at the client's side of it.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  stops.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: portOf(server.server), arrived };
}

const refusal = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code });
const TRUSTED = `tls.ca=${encodeURIComponent(CERTIFICATE)}`;

describe('a letter over SMTP', () => {
  test('arrives as plain text, protected by STARTTLS, with the Message-ID of its id each time', async () => {
    const { port, arrived } = await smtpServer();
    const mailer = createSmtpMailer(`smtp://127.0.0.1:${port}?${TRUSTED}`, FROM);
    const result = { sent: true as const, message_id: `<${letter().id}@agents.example>` };
    expect(await mailer.send(letter())).toEqual(result);
    expect(await mailer.send(letter())).toEqual(result);
    expect(arrived).toHaveLength(2);
    for (const { raw, secure } of arrived) {
      expect(secure).toBe(true);
      expect(raw.split('\r\n')).toContain('123456');
      const { messageId, to, from, text, date } = await PostalMime.parse(raw);
      expect([messageId, to?.[0]?.address, from?.address, text, date]).toEqual([
        result.message_id,
        'ada@example.com',
        FROM,
        letter().text,
        '2031-05-06T12:00:00.000Z',
      ]);
    }
  });

  test('arrives in German as HTML beside its text, with each sign as it was written', async () => {
    const { port, arrived } = await smtpServer();
    const mailer = createSmtpMailer(`smtp://127.0.0.1:${port}?${TRUSTED}`, FROM);
    const made = disputeDueLetter({ until: Date.UTC(2026, 9, 1) }, 'https://app.example/escrows/1', letterWords('de'));
    expect(await mailer.send(letter(made))).toMatchObject({ sent: true });
    const raw = arrived[0]?.raw ?? '';
    expect(raw).toMatch(/^Content-Type: multipart\/alternative;/m);
    const { subject, text, html } = await PostalMime.parse(raw);
    expect([subject, text?.trim(), html?.trim()]).toEqual([made.subject, made.text.trim(), made.html.trim()]);
    expect(html).toContain('Auf den Streitfall antworten');
  });

  test('arrives over smtps with a login', async () => {
    const { port, arrived } = await smtpServer({
      secure: true,
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        done(null, password === 'p@ss/word' ? { user: username } : {}),
    });
    const mailer = createSmtpMailer(`smtps://mesh:p%40ss%2Fword@127.0.0.1:${port}?${TRUSTED}`, FROM);
    expect(await mailer.send(letter())).toMatchObject({ sent: true });
    expect(arrived).toMatchObject([{ secure: true, user: 'mesh' }]);
  });

  test('is not handed to a server whose certificate nobody vouches for', async () => {
    for (const secure of [true, false]) {
      const { port, arrived } = await smtpServer({ secure });
      const mailer = createSmtpMailer(`${secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`, FROM);
      expect(await mailer.send(letter())).toMatchObject({ sent: false, retry: true });
      expect(arrived).toEqual([]);
    }
  });

  test('with a wrong password waits for the operator instead of being dropped, and the password is not told', async () => {
    const { port } = await smtpServer({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(refusal(535, 'no such login: mesh wrong-password')),
    });
    const result = await createSmtpMailer(`smtp://mesh:wrong-password@127.0.0.1:${port}?${TRUSTED}`, FROM).send(
      letter(),
    );
    expect(result).toMatchObject({ sent: false, retry: true, reason: expect.stringContaining('EAUTH 535') });
    expect(JSON.stringify(result)).not.toContain('wrong-password');
  });

  test('to a server that wants a login which is not configured waits too', async () => {
    const { port } = await smtpServer({ authOptional: false });
    const mailer = createSmtpMailer(`smtp://127.0.0.1:${port}?${TRUSTED}`, FROM);
    expect(await mailer.send(letter())).toMatchObject({
      sent: false,
      retry: true,
      reason: expect.stringContaining('530'),
    });
  });
});

describe('a refusal', () => {
  test('of the sender, the recipient or the content with 5xx is final, and its reason names no address', async () => {
    const no = refusal(550, '5.1.1 <ada@example.com> is unknown here');
    const manners: SMTPServerOptions[] = [
      { onMailFrom: (_address, _session, done) => done(no) },
      { onRcptTo: (_address, _session, done) => done(no) },
      { onData: (stream, _session, done) => void stream.resume().on('end', () => done(no)) },
    ];
    for (const options of manners) {
      const { port } = await smtpServer(options);
      const result = await createSmtpMailer(`smtp://127.0.0.1:${port}?${TRUSTED}`, FROM).send(letter());
      expect(result).toMatchObject({ sent: false, retry: false, reason: expect.stringContaining('550 5.1.1') });
      expect(JSON.stringify(result)).not.toContain('ada@');
    }
  });

  test('with 4xx, as by greylisting, is worth a retry, and the retry gets through', async () => {
    let greeted = 0;
    const { port, arrived } = await smtpServer({
      onRcptTo: (_address, _session, done) => done(greeted++ === 0 ? refusal(451, '4.7.1 try later') : null),
    });
    const mailer = createSmtpMailer(`smtp://127.0.0.1:${port}?${TRUSTED}`, FROM);
    expect(await mailer.send(letter())).toEqual({
      sent: false,
      retry: true,
      reason: 'smtp EENVELOPE 451 4.7.1 RCPT TO',
    });
    expect(await mailer.send(letter())).toMatchObject({ sent: true });
    expect(arrived).toHaveLength(1);
  });

  test('of the connection itself with 5xx says nothing of the letter', async () => {
    const { port } = await smtpServer({ onConnect: (_session, done) => done(refusal(554, 'not from there')) });
    const mailer = createSmtpMailer(`smtp://127.0.0.1:${port}?${TRUSTED}`, FROM);
    expect(await mailer.send(letter())).toMatchObject({ sent: false, retry: true });
  });
});

describe('a server', () => {
  test('that is not there, never greets, or drips its greeting for ever is given up within the limits', async () => {
    const limits = { connect_ms: 40, silence_ms: 40, deadline_ms: 120 };
    const mute = await plainServer(() => undefined);
    const drip = await plainServer((write) => write('220-still thinking\r\n'));
    const gone = await plainServer(() => undefined);
    await Promise.all(stops.splice(-1).map((stop) => stop()));
    for (const port of [mute, drip, gone]) {
      const result = await createSmtpMailer(`smtp://127.0.0.1:${port}`, FROM, limits).send(letter());
      expect(result).toMatchObject({ sent: false, retry: true });
    }
  });

  test('that hides STARTTLS gets no password unless it is this machine', async () => {
    const { port, arrived } = await smtpServer({
      hideSTARTTLS: true,
      onAuth: (_a, _s, done) => done(null, { user: 'mesh' }),
    });
    expect(await createSmtpMailer(`smtp://mesh:pass@127.0.0.1:${port}`, FROM).send(letter())).toMatchObject({
      sent: true,
    });
    expect(await createSmtpMailer(`smtp://mesh:pass@0.0.0.0:${port}`, FROM).send(letter())).toMatchObject({
      sent: false,
      retry: true,
    });
    expect(arrived).toHaveLength(1);
  });

  test('is configured by an smtp or smtps URL only', () => {
    for (const url of ['http://mail.example', 'sendmail:', 'not a url'])
      expect(() => createSmtpMailer(url, FROM)).toThrow();
  });
});

/** A listener that is no mail server: it speaks only what `talk` writes, every few milliseconds. */
async function plainServer(talk: (write: (text: string) => void) => void): Promise<number> {
  const timers: ReturnType<typeof setInterval>[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    timers.push(setInterval(() => talk((text) => socket.write(text)), 10));
    stops.push(async () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  stops.push(async () => {
    for (const timer of timers) clearInterval(timer);
    server.close();
  });
  return portOf(server);
}
