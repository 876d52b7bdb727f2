// Guarantees of conversations: one phase at a time, words only while open, and messages that come back as they came.

import { describe, expect, test } from 'bun:test';
import {
  acceptsMessages,
  MESSAGE_MAX_BYTES,
  messageFault,
  PHASES,
  STATUSES,
  subject,
} from '../../../src/domain/conversation/conversation.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { naughtyStrings } from '../../support/corpus.ts';

test('the phases have their order', () => {
  expect(PHASES.join(' ')).toBe('qualification verification exploration negotiation proposal closing');
});

test('messages are taken while a conversation is open or waits for the human, and for 30 days after its deal was completed', () => {
  const taken = (days: number) =>
    STATUSES.filter((status) => acceptsMessages({ status, updated_at: 1_000 }, 1_000 + days * DAY_MS));
  expect(taken(29)).toEqual(['open', 'escalated', 'completed']);
  expect(taken(30)).toEqual(['open', 'escalated']);
});

describe('a message', () => {
  test.each([
    ['of one letter is fine', 'a', true],
    ['of 16 KiB is fine', 'a'.repeat(MESSAGE_MAX_BYTES), true],
    ['of a byte more is not', 'a'.repeat(MESSAGE_MAX_BYTES + 1), false],
    ['counts bytes, not letters', 'é'.repeat(MESSAGE_MAX_BYTES / 2), true],
    ['counts bytes, not letters, at its end', `${'é'.repeat(MESSAGE_MAX_BYTES / 2)}a`, false],
    ['of emoji counts four bytes each', '🚀'.repeat(MESSAGE_MAX_BYTES / 4 + 1), false],
    ['of nothing is refused', '', false],
    ['of space is refused', ' \n\t\u3000', false],
    ['with oddities is kept', '\u202e\ufeff\u0007<script>', true],
  ])('%s', (_, content, fine) => expect(messageFault(content) === null).toBe(fine));

  test('takes whatever people write that is neither blank nor too long', () => {
    for (const text of naughtyStrings()) {
      const fine = text.trim() !== '' && Buffer.byteLength(text) <= MESSAGE_MAX_BYTES;
      expect([text, messageFault(text) === null]).toEqual([text, fine]);
    }
  });

  test('that is refused names its field', () => {
    expect(messageFault('', 'note')?.data).toMatchObject({ fields: [{ path: 'note' }] });
  });
});

describe('the subject', () => {
  test.each([
    ['is the listing that brought the two together', 'Logo design', 'Hello', 'Logo design'],
    ['else the first line of the first message', null, '\n Hello  there \nmore', 'Hello there'],
    ['is empty when there is neither', null, null, ''],
    ['is cut to 140 letters', 'x'.repeat(141), null, `${'x'.repeat(139)}…`],
    ['is not cut through a letter', '🚀'.repeat(141), null, `${'🚀'.repeat(139)}…`],
    ['a first line that nobody sees', null, '\u200b\n\u2800\nA rope', 'A rope'],
    ['a message that nobody sees', null, '\u3164', ''],
  ])('%s', (_, headline, content, line) => expect(subject(headline, content)).toBe(line));
});
