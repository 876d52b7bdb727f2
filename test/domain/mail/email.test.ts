// Guarantees of account addresses: one mailbox, one spelling; nothing that could become somebody else's address.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isFault } from '../../../src/domain/fault.ts';
import { emailDomain, parseEmail } from '../../../src/domain/mail/email.ts';
import { naughtyStrings } from '../../support/corpus.ts';

describe('an address folds to one spelling', () => {
  test.each([
    ['Ann@Example.COM', 'ann@example.com'],
    ['  ann@example.com\n', 'ann@example.com'],
    ['a.b+tag@x-y.example.org', 'a.b+tag@x-y.example.org'],
    ["o'neil!#$%&*/=?^_`{|}~-@example.com", "o'neil!#$%&*/=?^_`{|}~-@example.com"],
    ['1@1.example', '1@1.example'],
    ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%p is %p', (text, email) => expect(parseEmail(text)).toBe(email));
});

describe('what is no plain address is refused with the field named', () => {
  test.each([
    ...['', ' ', 'ann', '@', 'ann@', '@example.com', 'a@b@example.com', 'ann@localhost', 'ann@example.com.'],
    ...['ann@.example.com', 'ann@example..com', '.ann@example.com', 'ann.@example.com', 'a..b@example.com'],
    ...['ann@-x.com', 'ann@x-.com', 'ann@x_y.com', 'ann@[127.0.0.1]', 'ann@127.0.0.1', 'ann@example.123'],
    ...['"ann b"@example.com', 'Ann <ann@example.com>', 'ann@example.com,bob@example.com', 'ann b@example.com'],
    ...['ann@example.com\r\nBcc: bob@example.com', 'ann\0@example.com', 'ann@exa\tmple.com', 'bücher@example.com'],
    ...['ann@bücher.example', 'mi\u212Ae@example.com', 'ann@example\u3002com', 'ann\u200b@example.com'],
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}com`,
  ])('%p', (text) => {
    const parsed = parseEmail(text, 'address');
    expect(isFault(parsed) && parsed.data).toMatchObject({ fields: [{ path: 'address' }] });
  });

  test('whatever the text, the result is refused or folds to itself', () => {
    const check = (text: string): void => {
      const parsed = parseEmail(text);
      if (!isFault(parsed)) expect([parseEmail(parsed), parsed.split('@').length]).toEqual([parsed, 2]);
    };
    naughtyStrings().forEach(check);
    fc.assert(fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' })), check));
  });
});

test('the domain of an address is what follows its @', () => {
  expect(emailDomain('ann@mail.example.com')).toBe('mail.example.com');
});
