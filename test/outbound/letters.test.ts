// No letter has words beside those of the catalogue: each is written in a language that marks each of its texts, and whatever
// else has letters in it was given to it.
import { expect, test } from 'bun:test';
import { lengthened } from '../../src/dashboard/words/pseudo.ts';
import * as letters from '../../src/outbound/mailer/letters.ts';
import { ENGLISH } from '../../src/outbound/mailer/words.ts';

const MARKED = lengthened(ENGLISH);

/** What letters are given; each stands where no word of the service does. */
const GIVEN = {
  url: 'https://app.example/page',
  code: '123456',
  name: "a caller's words",
  body: 'more of a caller',
  host: 'client.example',
  handle: 'ada',
  prefix: 'mk_live_ab',
};
const ITEM = { title: GIVEN.name, body: GIVEN.body, url: GIVEN.url };
const { url, code, name, handle, host, prefix } = GIVEN;
const SUM = '$5.00';
const DAY = '2026-10-01';
const FEES = { sales: '5%', calls: '5%' };
const BANK = { name, country: 'US', last4: '4242' };

type Name = keyof typeof letters;
type Text = letters.Letter | string;

/** Each letter in each of its shapes. */
const WRITTEN: Readonly<Record<Name, (words: typeof ENGLISH) => readonly Text[]>> = {
  codeLetter: (words) =>
    (['signup', 'login', 'session', 'claim', 'leave_address', 'take_address'] as const).map((purpose) =>
      letters.codeLetter(purpose, code, 10, words),
    ),
  linkLetter: (words) => [letters.linkLetter(url, 48, words)],
  invitationLetter: (words) => [
    letters.invitationLetter('ada@example.org', url, 14, words),
    letters.invitationLetter(null, url, 14, words),
  ],
  trialLetter: (words) => [letters.trialLetter(words)],
  goodbyeLetter: (words) => [letters.goodbyeLetter(null, words), letters.goodbyeLetter(SUM, words)],
  addressChangedLetter: (words) => [letters.addressChangedLetter(words)],
  passkeyAddedLetter: (words) => [letters.passkeyAddedLetter(name, 'https://app.example', words)],
  keyPairLetter: (words) => [letters.keyPairLetter(handle, prefix, url, words)],
  endpointSetLetter: (words) => [letters.endpointSetLetter(handle, url, url, words)],
  programEndedLetter: (words) => [
    letters.programEndedLetter(name, url, words),
    letters.programEndedLetter('', url, words),
  ],
  programLetInLetter: (words) => [
    letters.programLetInLetter({ name, host, handle }, DAY, url, words),
    letters.programLetInLetter({ name, host: null, handle: null }, DAY, url, words),
    letters.programLetInLetter({ name: '', host: null, handle: null }, null, url, words),
  ],
  purchaseLetter: (words) => [
    letters.purchaseLetter({ buyer: 'ada', seller: 'bob', amount: SUM, fee: '$0.25', net: '$4.75' }, url, words),
  ],
  payoutConnectedLetter: (words) => [
    ...(['api_keys', 'oauth_grants'] as const).map((by) =>
      letters.payoutConnectedLetter(handle, { bank: BANK, by: { by, name } }, url, words),
    ),
    letters.payoutConnectedLetter(
      handle,
      { bank: { ...BANK, name: null }, by: { by: 'sessions', name: null } },
      url,
      words,
    ),
    letters.payoutConnectedLetter(handle, { bank: null, by: null }, url, words),
  ],
  digestLetter: (words) => [
    letters.digestLetter([ITEM], false, url, words),
    letters.digestLetter([ITEM, ITEM], true, url, words),
  ],
  threadLetter: (words) => [
    letters.threadLetter(handle, name, [ITEM], url, words),
    letters.threadLetter(handle, '', [ITEM], url, words),
  ],
  matchLetter: (words) => [letters.matchLetter(handle, [ITEM], url, words)],
  eventsLetter: (words) => [
    letters.eventsLetter(handle, [ITEM], url, words),
    letters.eventsLetter(handle, [ITEM, ITEM], url, words),
  ],
  webhookEndedLetter: (words) =>
    [1, 20].map((failures) => letters.webhookEndedLetter(handle, url, failures, { logs: 'l', enable: 'e' }, words)),
  lowBalanceLetter: (words) => [letters.lowBalanceLetter(handle, SUM, '$10.00', url, words)],
  modelCapLetter: (words) => [letters.modelCapLetter(handle, url, words)],
  boundsLetter: (words) => [
    letters.boundsLetter(handle, { pays: SUM, pays_a_day: SUM, charges: SUM, approves: SUM }, url, words),
    letters.boundsLetter(handle, { pays: SUM, pays_a_day: null, charges: null, approves: null }, url, words),
  ],
  disputeOpenedLetter: (words) => [letters.disputeOpenedLetter({ handle, amount: SUM, until: DAY }, url, words)],
  disputeDueLetter: (words) => [letters.disputeDueLetter(DAY, url, words)],
  keyEndsLetter: (words) => [letters.keyEndsLetter(name, prefix, DAY, url, words)],
  planLetter: (words) => [true, false].map((ended) => letters.planLetter(ended, 3, FEES, url, words)),
  phoneCodeText: (words) => [letters.phoneCodeText(code, 10, words)],
};

/** The lines of a text that are neither marked as the catalogue's nor made of what was given. */
function foreign(text: string): string[] {
  const lines = text.split('\n').filter((line) => !line.endsWith('~'));
  return lines.filter((line) => {
    const rest = [`${url}`, 'https://app.example/passkeys', ...Object.values(GIVEN)].reduce(
      (left, given) => left.replaceAll(given, ''),
      line,
    );
    return /\p{L}/u.test(rest);
  });
}

const linesOf = (text: Text): string => (typeof text === 'string' ? text : `${text.subject}\n${text.text}`);

test('every letter takes all its words from the catalogue', () => {
  for (const [name, write] of Object.entries(WRITTEN)) {
    for (const text of write(MARKED)) expect({ name, foreign: foreign(linesOf(text)) }).toEqual({ name, foreign: [] });
  }
});

test('a word beside the catalogue is found', () => {
  expect(foreign(`${url}\nHello,\n${name} (${host})`)).toEqual(['Hello,']);
});

test('every text of the catalogue stands in a letter', () => {
  const all = Object.values(WRITTEN)
    .flatMap((write) => write(ENGLISH))
    .map((text) => (typeof text === 'string' ? text : `${linesOf(text)}\n${text.html}`))
    .join('\n');
  const missing: string[] = [];
  const look = (texts: object): void => {
    for (const text of Object.values(texts)) {
      if (typeof text === 'object') look(text);
      else if (typeof text === 'string' && !all.includes(text)) missing.push(text);
    }
  };
  look(ENGLISH);
  expect(missing).toEqual([]);
});

test('the text message fits into one SMS', () => {
  expect(letters.phoneCodeText(code, 10).length).toBeLessThanOrEqual(160);
});
