// Guards the mailbox addresses: tokens that survive what mail systems do to addresses, and names that stay names.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isFault } from '../../../src/domain/fault.ts';
import { parseEmail } from '../../../src/domain/mail/email.ts';
import { parseMailbox, replyAddressOf, replyToken, senderName } from '../../../src/domain/mail/mailbox.ts';
import { naughtyStrings } from '../../support/corpus.ts';

const DOMAIN = 'agents.example';
const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe('a reply address', () => {
  test('holds 128 bits in 26 letters: other bytes, another token', () => {
    expect(replyToken(new Uint8Array(16))).toBe('0'.repeat(26));
    expect(replyToken(new Uint8Array(16).fill(255))).toBe(`${'z'.repeat(25)}w`);
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const same = Buffer.from(a).equals(Buffer.from(b));
        expect(replyToken(a) === replyToken(b)).toBe(same);
        const flipped = Uint8Array.from(a);
        flipped[15] = (flipped[15] ?? 0) ^ 1;
        expect(replyToken(flipped)).not.toBe(replyToken(a));
      }),
    );
  });

  test('is read back whatever case it comes in, and is an address that mail takes', () => {
    fc.assert(
      fc.property(bytes, fc.stringMatching(/^[a-z0-9_]{3,30}$/), (random, handle) => {
        const token = replyToken(random);
        const address = replyAddressOf(handle, token, DOMAIN);
        expect(isFault(parseEmail(address))).toBe(false);
        expect(parseMailbox(address.toUpperCase(), DOMAIN)).toEqual({ handle, token });
      }),
    );
  });

  test('elsewhere, mistyped or with a look-alike letter names no mailbox', () => {
    const token = '0'.repeat(26);
    expect(parseMailbox(`ada@${DOMAIN}`, DOMAIN)).toEqual({ handle: 'ada', token: null });
    expect(parseMailbox(`ada@${DOMAIN}.`, DOMAIN)).toEqual({ handle: 'ada', token: null });
    for (const address of [
      `ada@other.example`,
      `ada@sub.${DOMAIN}`,
      `ada+@${DOMAIN}`,
      `ada+${token}0@${DOMAIN}`,
      `ada+${token.slice(1)}@${DOMAIN}`,
      `ada+${token.slice(1)}u@${DOMAIN}`,
      `ada+${token}+${token}@${DOMAIN}`,
      `ad@${DOMAIN}`,
      `\u212aada@${DOMAIN}`,
      `"ada"@${DOMAIN}`,
      `ada@x@${DOMAIN}`,
      'ada',
      '',
      ...naughtyStrings(),
    ]) {
      expect(parseMailbox(address, DOMAIN)).toBeNull();
    }
  });
});

describe("a sender's name", () => {
  test('keeps letters of every script and loses what could pass for an address or turn the line', () => {
    expect(senderName('Ada Lovelace')).toBe('Ada Lovelace');
    expect(senderName('Zoë 🚀 Ünïcödé 株式会社')).toBe('Zoë 🚀 Ünïcödé 株式会社');
    expect(senderName('support@bank.example" <evil@x.example>')).toBe('support bank.example evil x.example');
    expect(senderName('Ada\r\nBcc: eve@x.example')).toBe('Ada Bcc eve x.example');
    expect(senderName('\u202eelpmaxe\u2066')).toBe('elpmaxe');
    expect(senderName(' \u200b ')).toBe('');
    expect([...senderName('é'.repeat(10_000))]).toHaveLength(64);
  });

  test('is one line without control letters whatever was typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...naughtyStrings())), (typed) => {
        expect(senderName(typed)).not.toMatch(/[\p{Cc}<>"@\u2028\u2029]/u);
      }),
    );
  });
});
