// Guards the outbox: private whole files of the documented form, and the list that people and programs read codes from.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../src/domain/time.ts';
import { codeLetter, linkLetter, phoneCodeText } from '../../src/outbound/mailer/letters.ts';
import { createOutboxMailer } from '../../src/outbound/mailer/outbox.ts';
import { letterWords } from '../../src/outbound/mailer/words/words.ts';
import { createOutboxReader, outboxSweeper } from '../../src/outbound/outbox.ts';
import { createOutboxSms } from '../../src/outbound/sms/sms.ts';
import { FROM, idAt, letter, NOW } from './message.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outbox-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true });
});
const raw = (id: string): Promise<string> => readFile(join(dir, 'outbox', `${id}.eml`), 'utf8');

describe('a mail in the outbox', () => {
  test('is one private RFC 5322 file named by its id, with the code alone on a line', async () => {
    const mail = letter(codeLetter('signup', '042137', 10, letterWords()));
    expect(await createOutboxMailer(dir, FROM).send(mail)).toEqual({
      sent: true,
      kept: true,
      message_id: `<${mail.id}@agents.example>`,
    });
    expect(await readdir(join(dir, 'outbox'))).toEqual([`${mail.id}.eml`]);
    expect((await stat(join(dir, 'outbox', `${mail.id}.eml`))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dir, 'outbox'))).mode & 0o777).toBe(0o700);
    const text = await raw(mail.id);
    const [head = '', body = ''] = text.split('\r\n\r\n', 1).concat(text.slice(text.indexOf('\r\n\r\n') + 4));
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(head.split('\r\n')).toContain('Date: Tue, 06 May 2031 12:00:00 +0000');
    expect(head).toContain('To: ada@example.com');
    expect(head).toContain('From: Meshwork <no-reply@agents.example>');
    expect(head).toContain('Content-Type: multipart/alternative;');
    expect(body).toContain('Content-Type: text/plain; charset=utf-8');
    expect(body).toContain('Content-Type: text/html; charset=utf-8');
    expect(head).toContain(`Message-ID: <${mail.id}@agents.example>`);
    expect(body.split('\r\n')).toContain('042137');
    expect(head).not.toContain('042137');
  });

  test('sent again with the same id is still one file with the same bytes', async () => {
    const mailer = createOutboxMailer(dir, FROM);
    await mailer.send(letter());
    const first = await raw(idAt(NOW));
    await mailer.send(letter());
    expect(await raw(idAt(NOW))).toBe(first);
    expect(await readdir(join(dir, 'outbox'))).toHaveLength(1);
  });

  test('carries the sender and the reply address that it names', async () => {
    await createOutboxMailer(dir, FROM).send(letter({ from: 'bot@mesh.example', reply_to: 'bot+t0k@mesh.example' }));
    const text = await raw(idAt(NOW));
    expect(text).toContain('Reply-To: bot+t0k@mesh.example');
    expect(text).toContain(`Message-ID: <${idAt(NOW)}@mesh.example>`);
  });

  test('to anything but one plain mailbox is refused for good, and a line break in a subject makes no header', async () => {
    const mailer = createOutboxMailer(dir, FROM);
    for (const to of [
      'a@b.example, c@d.example',
      'a@b.example\r\nBcc: c@d.example',
      '"c@d.example,"@b.example',
      '<a@b.example>',
      '',
    ]) {
      expect(await mailer.send(letter({ to }))).toMatchObject({ sent: false, retry: false });
    }
    expect(await mailer.send(letter({ reply_to: 'x y' }))).toMatchObject({ sent: false, retry: false });
    await mailer.send(letter({ subject: 'Hi\r\nBcc: c@d.example' }));
    expect((await raw(idAt(NOW))).split('\r\n')).toContain('Subject: Hi Bcc: c@d.example');
  });

  test('never leaves the directory by its id', async () => {
    await expect(createOutboxMailer(dir, FROM).send(letter({ id: '../../evil' }))).rejects.toThrow('UUID');
    await expect(createOutboxSms(dir).send({ id: '../evil', to: '+14155550123', text: 'x' })).rejects.toThrow('UUID');
  });

  test('that cannot be written is worth a retry', async () => {
    await writeFile(join(dir, 'outbox'), 'a file in the way');
    expect(await createOutboxMailer(dir, FROM).send(letter())).toMatchObject({ sent: false, retry: true });
    expect(await createOutboxSms(dir).send({ id: idAt(NOW), to: '+14155550123', text: 'x' })).toMatchObject({
      retry: true,
    });
    expect(await createOutboxReader(dir).list('ada@example.com')).toEqual([]);
  });
});

describe('the list of the outbox', () => {
  test('shows mails and SMS to one address, newest first, as they were sent', async () => {
    const [mailer, sms, reader] = [createOutboxMailer(dir, FROM), createOutboxSms(dir), createOutboxReader(dir)];
    const link = `https://mesh.example/app/login#token=${'a=b'.repeat(60)}`;
    const letters = [
      codeLetter('login', '000001', 10, letterWords()),
      linkLetter(link, 15, letterWords()),
      { subject: 'Grüße an 李雷', text: 'Zeile „eins“\n123456\n=3D\n' },
    ];
    for (const [n, one] of letters.entries()) await mailer.send(letter({ id: idAt(NOW + n), ...one }));
    await mailer.send(letter({ id: idAt(NOW + 9), to: 'bob@example.com' }));
    await sms.send({ id: idAt(NOW + 5), to: '+14155550123', text: phoneCodeText('654321', 10, letterWords()) });

    const listed = await reader.list(' Ada@Example.com ');
    expect(listed.map(({ subject }) => subject)).toEqual(letters.map(({ subject }) => subject).reverse());
    expect(listed.map(({ text }) => text)).toEqual(letters.map(({ text }) => text).reverse());
    expect(listed.at(-1)).toMatchObject({
      id: idAt(NOW),
      kind: 'mail',
      to: 'ada@example.com',
      created_at: '2031-05-06T12:00:00.250Z',
    });

    const texts = {
      id: idAt(NOW + 5),
      kind: 'sms' as const,
      to: '+14155550123',
      text: phoneCodeText('654321', 10, letterWords()),
      created_at: '2031-05-06T12:00:00.255Z',
    };
    for (const to of ['+14155550123', ' 14155550123', '+1 415 555 0123'])
      expect(await reader.list(to)).toEqual([texts]);
    expect(texts.text.split('\n')).toContain('654321');
    expect(await reader.list('nobody@example.com')).toEqual([]);
    expect(await reader.list('')).toEqual([]);
  });

  test('shows what came since it was last asked, at most the newest 50, and passes over foreign files', async () => {
    const [sms, reader] = [createOutboxSms(dir), createOutboxReader(dir)];
    expect(await reader.list('+14155550123')).toEqual([]);
    for (let n = 0; n < 52; n++) await sms.send({ id: idAt(NOW + n), to: '+14155550123', text: `${n}` });
    await writeFile(join(dir, 'outbox', 'notes.txt'), 'mine');
    await writeFile(join(dir, 'outbox', `${idAt(NOW + 99)}.sms.json`), '{half');
    const first = await reader.list('+14155550123');
    expect([first.length, first[0]?.text, first.at(-1)?.text]).toEqual([50, '51', '2']);
    await sms.send({ id: idAt(NOW + 60), to: '+14155550123', text: 'new' });
    expect((await reader.list('+14155550123'))[0]?.text).toBe('new');
  });
});

test('files go after thirty days, at most a thousand at a time, and nothing else does', async () => {
  const now_ms = NOW + 31 * DAY_MS;
  const mailer = createOutboxMailer(dir, FROM);
  await mailer.send(letter());
  await writeFile(join(dir, 'outbox', `${idAt(now_ms - 30 * DAY_MS + 1)}.eml`), '');
  await writeFile(join(dir, 'outbox', 'notes.txt'), '');
  const old = Array.from({ length: 1_000 }, (_, n) => `${idAt(NOW - n - 1)}.sms.json`);
  for (const name of old) await writeFile(join(dir, 'outbox', name), '{}');
  const sweep = outboxSweeper(dir);
  expect([await sweep(now_ms), await sweep(now_ms), await sweep(now_ms)]).toEqual([1_000, 1, 0]);
  expect(await readdir(join(dir, 'outbox'))).toHaveLength(2);
  expect(await outboxSweeper(join(dir, 'nowhere'))(now_ms)).toBe(0);
});
