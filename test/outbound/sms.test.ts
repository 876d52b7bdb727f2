// Guards sms/sms.ts on a loopback HTTP server, and phone.ts.

import { afterEach, describe, expect, test } from 'bun:test';
import type { Mail, Mailer } from '../../src/outbound/mailer/mail.ts';
import { parsePhone } from '../../src/outbound/phone.ts';
import { createSmsEndpoint, type SmsSender } from '../../src/outbound/sms/sms.ts';
import { createSenderDouble, type Whim } from '../support/sender-double.ts';
import { idAt, letter, NOW } from './message.ts';

const sms = { id: idAt(NOW), to: '+14155550123', text: 'Your code:\n123456' };
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

function gateway(answer: (request: Request) => Response | Promise<Response>): string {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer });
  stops.push(() => server.stop(true));
  return `http://127.0.0.1:${server.port}/sms`;
}

describe('an SMS by endpoint', () => {
  test('is posted as {to, text} with its id as Idempotency-Key and the credentials of the URL', async () => {
    const got: unknown[] = [];
    const url = gateway(async (request) => {
      const { method, headers } = request;
      got.push([
        method,
        headers.get('content-type'),
        headers.get('idempotency-key'),
        headers.get('authorization'),
        await request.json(),
      ]);
      return new Response(null, { status: 202 });
    });
    expect(await createSmsEndpoint(url).send(sms)).toEqual({ sent: true, message_id: sms.id });
    expect(await createSmsEndpoint(url.replace('//', '//me:p%40ss@')).send(sms)).toMatchObject({ sent: true });
    const body = { to: sms.to, text: sms.text };
    const basic = `Basic ${btoa('me:p@ss')}`;
    expect(got).toEqual([
      ['POST', 'application/json', sms.id, null, body],
      ['POST', 'application/json', sms.id, basic, body],
    ]);
  });

  test('is sent only by a 2xx; a refusal of the message itself is final, all else is worth a retry', async () => {
    for (const status of [200, 201, 204]) {
      expect(await createSmsEndpoint(gateway(() => new Response(null, { status }))).send(sms)).toMatchObject({
        sent: true,
      });
    }
    for (const [status, retry] of [
      [400, false],
      [413, false],
      [422, false],
      [401, true],
      [404, true],
      [429, true],
      [500, true],
      [503, true],
    ] as const) {
      const result = await createSmsEndpoint(gateway(() => new Response('x', { status }))).send(sms);
      expect(result).toEqual({ sent: false, retry, reason: `sms endpoint answered ${status}` });
    }
  });

  test('does not follow a redirect', async () => {
    let elsewhere = 0;
    const target = gateway(() => {
      elsewhere++;
      return new Response('ok');
    });
    for (const status of [301, 302, 307, 308]) {
      const result = await createSmsEndpoint(
        gateway(() => new Response(null, { status, headers: { location: target } })),
      ).send(sms);
      expect(result).toEqual({ sent: false, retry: true, reason: `sms endpoint answered ${status}` });
    }
    expect(elsewhere).toBe(0);
  });

  test('to an endpoint that hangs or is not there is given up at the deadline', async () => {
    const hung = gateway(() => new Promise<Response>(() => undefined));
    expect(await createSmsEndpoint(hung, 30).send(sms)).toEqual({
      sent: false,
      retry: true,
      reason: 'sms endpoint deadline',
    });
    const gone = gateway(() => new Response());
    await Promise.all(stops.splice(0).map((stop) => stop()));
    expect(await createSmsEndpoint(gone).send(sms)).toMatchObject({ sent: false, retry: true });
  });

  test('is not held up by an endless answer, and takes only http URLs', async () => {
    const endless = gateway(() => new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65_536)) })));
    expect(await createSmsEndpoint(endless).send(sms)).toMatchObject({ sent: true });
    for (const url of ['file:///etc/passwd', 'ftp://x', 'data:,x', 'x']) expect(() => createSmsEndpoint(url)).toThrow();
  });
});

describe('the double of a sender', () => {
  test('stands in for both ports and delivers by default', async () => {
    const mails: Mailer & { delivered: readonly Mail[] } = createSenderDouble<Mail>();
    const texts: SmsSender = createSenderDouble<typeof sms>();
    expect(await mails.send(letter())).toEqual({ sent: true, message_id: letter().id });
    expect(await texts.send(sms)).toEqual({ sent: true, message_id: sms.id });
    expect(mails.delivered).toEqual([letter()]);
  });

  test('refuses, doubles and loses answers as its function says', async () => {
    const script: Whim[] = ['refuse_for_now', 'duplicate', 'lose_answer', 'refuse_for_good', 'deliver'];
    const double = createSenderDouble<typeof sms>((_message, attempt) => script[attempt] ?? 'deliver');
    const results = [];
    const copies = [];
    for (const _ of script) {
      const result = await double.send(sms);
      results.push(result.sent ? 'sent' : result.retry);
      copies.push(double.delivered.length);
    }
    expect(results).toEqual([true, 'sent', true, false, 'sent']);
    expect(copies).toEqual([0, 2, 3, 3, 4]);
  });

  test('holds a delayed message until it is released', async () => {
    const double = createSenderDouble<typeof sms>(() => 'delay');
    const sending = double.send(sms);
    expect([double.waiting(), double.delivered.length]).toEqual([1, 0]);
    double.release();
    expect(await sending).toMatchObject({ sent: true });
    expect([double.waiting(), double.delivered.length]).toEqual([0, 1]);
  });
});

describe('a phone number', () => {
  test('of a mobile in international form is read into E.164, however it is punctuated', () => {
    const cases = [
      ['+14155550123', '+14155550123'],
      [' +1 (415) 555-0123 ', '+14155550123'],
      ['+44 7911 123456', '+447911123456'],
      ['+49 151 1234 5678', '+4915112345678'],
      ['+33 6 12 34 56 78', '+33612345678'],
      ['+91-98765-43210', '+919876543210'],
    ] as const;
    for (const [text, e164] of cases) expect(parsePhone(text)).toEqual({ e164 });
  });

  test("set aside for fiction is taken, so that a demo needs nobody's number", () => {
    for (const e164 of ['+12125550100', '+15555550123', '+15551234567', '+447700900123'])
      expect(parsePhone(e164)).toEqual({ e164 });
  });

  test('that cannot take a text message or is no number is refused', () => {
    const landlines = ['+49301234567', '+442079460000'];
    const special = ['+18005551234', '+19005550199', '+99912345678'];
    const wrong = [
      '',
      '4155550123',
      '+1415555012',
      '+141555501234',
      '+14155550123 ext 5',
      'call +14155550123',
      'tel:+14155550123',
      '+',
      'ada@example.com',
      `+1${'0'.repeat(1_000_000)}`,
    ];
    for (const text of [...landlines, ...special, ...wrong])
      expect(parsePhone(text)).toMatchObject({ fault: 'invalid_phone' });
  });
});
