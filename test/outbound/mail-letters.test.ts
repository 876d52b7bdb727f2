// Guards what is posted of an answer by mail over letters in 24 languages: no own word is lost, no address passed on, and little of
// what was quoted is left.
import { expect, test } from 'bun:test';
import { withoutAddresses } from '../../src/domain/mail/mailbox.ts';
import { ownText } from '../../src/outbound/reading/reply-text.ts';
import { AUTHOR, HELD_OUT_LETTERS, type Letter, REPLY, WRITTEN_LETTERS } from '../support/mail-letters.ts';

const posted = ({ text }: Letter): string => withoutAddresses(ownText(text, 'agents.localhost'), AUTHOR);

const loses = (letter: Letter): boolean => !posted(letter).includes(withoutAddresses(letter.own, AUTHOR));
const passesOn = (letter: Letter): boolean => {
  const text = posted(letter).toLowerCase();
  return text.includes(AUTHOR) || text.includes(REPLY);
};
const leaves = (letter: Letter): boolean => letter.quoted.some((line) => posted(letter).includes(line));

test.each([
  ['written', WRITTEN_LETTERS, 180],
  ['held out', HELD_OUT_LETTERS, 160],
] as const)('letters %s', (_, letters, count) => {
  expect(letters.length).toBeGreaterThan(count);
  const named = (wrong: (letter: Letter) => boolean): string[] => letters.filter(wrong).map(({ name }) => name);
  expect(named(loses)).toEqual([]);
  expect(named(passesOn)).toEqual([]);
  const left = named(leaves);

  expect(left.length / letters.length).toBeLessThanOrEqual(0.05);
});
