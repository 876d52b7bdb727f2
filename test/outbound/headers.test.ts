// Guards the headers of outgoing letters: whatever stands in a field, it stays in that field.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { composeMail, type Mail } from '../../src/outbound/mailer/mail.ts';
import { LOOP_HEADER } from '../../src/outbound/mailer/mark.ts';
import { naughtyStrings } from '../support/corpus.ts';
import { FROM, letter } from './message.ts';

const REPLY = {
  from: 'ada@agents.example',
  from_name: 'Ada "the first" Lovelace',
  reply_to: 'ada+00000000000000000000000000@agents.example',
  message_id: '<abc@agents.example>',
  in_reply_to: '<conversation.1@agents.example>',
  references: ['<conversation.1@agents.example>', '<b@agents.example>'],
  unsubscribe: 'https://agents.example/app/notifications',
} satisfies Partial<Mail>;

async function composed(change: Partial<Mail>): Promise<string | null> {
  const bytes = await composeMail(letter(change), FROM);
  return bytes && Buffer.from(bytes).toString('utf8');
}

/** The names of a letter's headers, in order. */
async function names(raw: string): Promise<string[]> {
  return (await PostalMime.parse(raw)).headers.map(({ key }) => key);
}

describe('a letter of a conversation', () => {
  test('names its sender, where replies go and its thread, and asks machines to stay silent', async () => {
    const raw = (await composed(REPLY)) ?? '';
    const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining([
        'From: "Ada \\"the first\\" Lovelace" <ada@agents.example>',
        `Reply-To: ${REPLY.reply_to}`,
        'Message-ID: <abc@agents.example>',
        'In-Reply-To: <conversation.1@agents.example>',
        'References: <conversation.1@agents.example> <b@agents.example>',
        'Auto-Submitted: auto-generated',
        'X-Auto-Response-Suppress: All',
        `${LOOP_HEADER}: agents.example`,
        'List-Unsubscribe: <https://agents.example/app/notifications>',
      ]),
    );
  });

  test('has the same headers whatever its name and subject hold, and each comes back as one line', async () => {
    const expected = await names((await composed({ ...REPLY, from_name: 'x', subject: 'x' })) ?? '');
    const hostile = [
      'a\r\nBcc: eve@x.example',
      'a\nBcc: eve@x.example\n\nbody',
      'a\rX-Evil: 1',
      'a\u2028Bcc: eve@x.example',
      'a\0b',
      '=?utf-8?Q?a=0D=0ABcc:_eve=40x.example?=',
      '\ud800 half',
      'ü'.repeat(5_000),
      'x'.repeat(100_000),
      '"><script>',
      'Ada <eve@x.example>, Eve',
      ...naughtyStrings(),
    ];
    for (const text of hostile) {
      const raw = (await composed({ ...REPLY, from_name: text, subject: `s ${text}` })) ?? '';
      const mail = await PostalMime.parse(raw);
      expect(mail.headers.map(({ key }) => key)).toEqual(expected);
      expect(mail.from?.address).toBe(REPLY.from);
      expect(mail.bcc ?? []).toEqual([]);
      expect(mail.text).toBe(letter().text);
      for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
    }
  }, 600_000);

  test('is refused when an id, an address or a link in it is not of its one form', async () => {
    const broken = fc.constantFrom('\r\nBcc: eve@x.example', '\n', '\r', ' ', '>', '<', '\u2028', '\0', 'ü', ',');
    await fc.assert(
      fc.asyncProperty(broken, async (piece) => {
        for (const change of [
          { message_id: `<a${piece}b@agents.example>` },
          { in_reply_to: `<a${piece}b@agents.example>` },
          { references: ['<a@agents.example>', `<a${piece}b@agents.example>`] },
          { reply_to: `a${piece}b@agents.example` },
          { from: `a${piece}b@agents.example` },
          { unsubscribe: `https://agents.example/${piece}` },
        ]) {
          // A comma is plain in a URL; nowhere else.
          if (piece === ',' && 'unsubscribe' in change) continue;
          expect(await composed({ ...REPLY, ...change })).toBeNull();
        }
      }),
      { numRuns: 20 },
    );
    expect(await composed({ ...REPLY, unsubscribe: 'javascript:alert(1)' })).toBeNull();
  });
});
