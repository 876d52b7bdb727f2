// No letter has words beside those of the catalogue: each is written in a language that marks each line of its texts, and whatever
// else has letters in it was given to it. And no German letter has an English sentence.
import { describe, expect, test } from 'bun:test';
import { withName } from '../../src/domain/instance.ts';
import { dressed } from '../../src/outbound/mailer/letter-html.ts';
import * as letters from '../../src/outbound/mailer/letters.ts';
import { de } from '../../src/outbound/mailer/words/de.ts';
import { en, type LetterWords } from '../../src/outbound/mailer/words/en.ts';
import { letterWords } from '../../src/outbound/mailer/words/words.ts';

function marked<T>(texts: T): T {
  if (typeof texts === 'string') return texts.replaceAll(/$/gm, '~') as T;
  if (typeof texts === 'function') return ((...given: unknown[]) => marked(String(texts(...given)))) as T;
  return Object.fromEntries(Object.entries(texts as object).map(([name, text]) => [name, marked(text)])) as T;
}

const MARKED = marked(en);

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
const INSTANCE = { name: 'Écoutille', color: '#3757d5' };
const CENTS = 500;
const AT_MS = Date.UTC(2026, 9, 1, 15, 45);
const FEES = { sales: 500, calls: 250 };
const BANK = { name, country: 'US', last4: '4242' };

type Name = keyof typeof letters;
type Text = letters.Letter | string;

/** Each letter in each of its shapes. */
const WRITTEN: Readonly<Record<Name, (words: LetterWords) => readonly Text[]>> = {
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
  goodbyeLetter: (words) => [letters.goodbyeLetter(0, words), letters.goodbyeLetter(CENTS, words)],
  addressChangedLetter: (words) => [letters.addressChangedLetter(words)],
  passkeyAddedLetter: (words) => [letters.passkeyAddedLetter(name, 'https://app.example', words)],
  keyPairLetter: (words) => [letters.keyPairLetter(handle, prefix, url, words)],
  endpointSetLetter: (words) => [letters.endpointSetLetter(handle, url, url, words)],
  programEndedLetter: (words) => [
    letters.programEndedLetter(name, url, words),
    letters.programEndedLetter('', url, words),
  ],
  programLetInLetter: (words) => [
    letters.programLetInLetter({ name, host, handle }, AT_MS, url, words),
    letters.programLetInLetter({ name, host: null, handle: null }, AT_MS, url, words),
    letters.programLetInLetter({ name: '', host: null, handle: null }, null, url, words),
  ],
  purchaseLetter: (words) => [
    letters.purchaseLetter({ buyer: 'ada', seller: 'bob' }, { gross: CENTS, fee: 25, net: 475 }, url, words),
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
  lowBalanceLetter: (words) => [
    letters.lowBalanceLetter(handle, { balance_cents: CENTS, low_cents: 1_000 }, url, words),
  ],
  modelCapLetter: (words) => [letters.modelCapLetter(handle, url, words)],
  boundsLetter: (words) => [
    letters.boundsLetter(handle, { pays: CENTS, pays_a_day: CENTS, charges: CENTS, approves: CENTS }, url, words),
    letters.boundsLetter(handle, { pays: CENTS, pays_a_day: null, charges: null, approves: null }, url, words),
  ],
  goalsLetter: (words) => [letters.goalsLetter({ handle, headline: name }, url, words)],
  disputeOpenedLetter: (words) => [letters.disputeOpenedLetter({ handle, cents: CENTS, until: AT_MS }, url, words)],
  disputeDueLetter: (words) => [letters.disputeDueLetter({ until: AT_MS }, url, words)],
  keyEndsLetter: (words) => [letters.keyEndsLetter(name, prefix, AT_MS, url, words)],
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
    .flatMap((write) => write(en))
    .map((text) => (typeof text === 'string' ? text : `${linesOf(text)}\n${text.html}`))
    .join('\n');
  const missing: string[] = [];
  const look = (texts: object): void => {
    for (const text of Object.values(texts)) {
      if (typeof text === 'object') look(text);
      else if (typeof text === 'string' && !all.includes(text)) missing.push(text);
    }
  };
  look(en);
  expect(missing).toEqual([]);
});

test.each(['en', 'de'] as const)('the text message in %p fits into one SMS', (language) => {
  expect(letters.phoneCodeText(code, 10, letterWords(language)).length).toBeLessThanOrEqual(160);
});

describe('a German letter', () => {
  /** No German sentence has one of these. */
  const ENGLISH = /\b(?:the|you|your|yours|of|and|to|it|its|this|that|with|if|not|will|are|is|from|by|for|here)\b/i;

  /** A letter as it is read: its subject, its text, and its HTML, the styles and addresses of which are no words. */
  const read = (text: Text): string =>
    typeof text === 'string' ? text : `${linesOf(text)}\n${text.html.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ')}`;

  test.each(Object.entries(WRITTEN))('has no English sentence: %s', (name, write) => {
    for (const text of write(de)) {
      const rest = [...Object.values(GIVEN)].reduce((left, given) => left.replaceAll(given, ''), read(text));
      expect({ name, english: rest.split('\n').filter((line) => ENGLISH.test(line)) }).toEqual({ name, english: [] });
      if (typeof text !== 'string') expect(text.html).toContain('<html lang="de">');
    }
    for (const text of write(en)) expect(read(text)).toMatch(ENGLISH);
  });

  test('writes amounts and days as Germans do', () => {
    const money = letters.lowBalanceLetter('ada', { balance_cents: 125_050, low_cents: 1_000 }, url, de).text;
    expect(money).toContain('1.250,50\u00a0$');
    expect(letters.disputeDueLetter({ until: AT_MS }, url, de).text).toContain('1. Okt. 2026, 15:45 UTC');
    const berlin = letters.disputeDueLetter({ until: AT_MS, zone: 'Europe/Berlin' }, url, de).text;
    expect(berlin).toContain('1. Okt. 2026, 17:45 MESZ');
    expect(letters.planLetter(true, 3, { sales: 500, calls: 250 }, url, de).text).toContain('2,5\u00a0%');
  });
});

describe('the HTML of a letter', () => {
  /** Supported by Gmail, Outlook.com and Apple Mail; of these Outlook for Windows lacks `border-radius`, `max-width`, `word-break` and the
   * padding of links, and is given `mso-padding-alt`, a table of the width, or nothing that matters. */
  const PROPERTIES = new Set([
    ...['background-color', 'border', 'border-left', 'border-radius', 'color', 'display', 'font-family', 'font-size'],
    ...['font-weight', 'letter-spacing', 'line-height', 'margin', 'max-width', 'mso-padding-alt', 'padding'],
    ...['text-align', 'text-decoration', 'word-break'],
  ]);
  const ELEMENTS = new Set(['html', 'head', 'meta', 'title', 'style', 'body', 'table', 'tr', 'td', 'a', 'br']);

  const htmls = Object.entries(WRITTEN).flatMap(([name, write]) =>
    write(en).flatMap((text) =>
      typeof text === 'string' ? [] : [{ name, ...text, html: dressed(text.html, INSTANCE) }],
    ),
  );
  const styles = (html: string): readonly string[] =>
    [...html.matchAll(/ style="([^"]*)"/g)].map(([, css = '']) => css);

  test('is made of what mail programs support', () => {
    for (const { name, html } of htmls) {
      const visible = html.replaceAll(/<!--\[if mso\]>.*?<!\[endif\]-->/g, '');
      const elements = new Set([...visible.matchAll(/<([a-z]\w*)/g)].map(([, element = '']) => element));
      expect({ name, strange: [...elements.difference(ELEMENTS)] }).toEqual({ name, strange: [] });
      const declared = styles(visible).flatMap((css) => css.split(';').map((each) => each.split(':', 1)[0] ?? ''));
      expect({ name, strange: declared.filter((each) => !PROPERTIES.has(each)) }).toEqual({ name, strange: [] });
      expect(visible).not.toMatch(/var\(|calc\(|url\(|@import|@font-face|display:(?!inline-block)|\d(?:em|rem|vw)\b/);
      // A background colour is an attribute too, for programs that drop it from the style.
      for (const [, cell = ''] of visible.matchAll(/<((?:td|table|body)[^>]*background-color[^>]*)>/g)) {
        expect(cell).toContain(`bgcolor="${/background-color:(#\w+)/.exec(cell)?.[1]}"`);
      }
    }
  });

  test('loads nothing, and is shorter than where Gmail cuts letters', () => {
    for (const { html } of htmls) {
      expect(html).not.toMatch(/<(?:img|link|script|iframe)| src=| background=/);
      expect(html.length).toBeLessThan(102_000);
    }
  });

  test('has one button at most, whose cell has its colour', () => {
    for (const { name, html } of htmls) {
      const buttons = [...html.matchAll(/<td class="button"[^>]*>/g)];
      expect({ name, few: buttons.length <= 1 }).toEqual({ name, few: true });
      for (const [cell] of buttons) expect(cell).toMatch(/bgcolor="#\w{6}"/);
    }
  });

  test('sets the type of each cell that has words, as Outlook passes none on', () => {
    for (const { html } of htmls) {
      for (const [, attributes = ''] of html.matchAll(/<td([^>]*)>[^<\s]/g)) {
        for (const each of ['font-family:', 'font-size:', 'line-height:', 'color:#'])
          expect(attributes).toContain(each);
      }
    }
  });

  test('begins with the mark of the instance', () => {
    const [html = ''] = htmls.map((each) => each.html);
    expect(html).toMatch(/<td class="mark"[^>]*>É<\/td><td[^>]*>Écoutille<\/td>/);
    expect(html).not.toMatch(/[\ue000-\uf8ff]/);
  });

  test('says what the plain text says', () => {
    const plain = (html: string): string =>
      html
        .replaceAll(/<head>.*?<\/head>/gs, '')
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&')
        .replaceAll(/\s+/g, ' ');
    for (const { name, text, html } of htmls) {
      const words = plain(html);
      const missing = withName(text, INSTANCE.name)
        .split('\n')
        .filter(
          (line) => line !== '' && !words.includes(line.replaceAll(/\s+/g, ' ')) && !html.includes(`href="${line}"`),
        );
      expect({ name, missing }).toEqual({ name, missing: [] });
    }
  });
});
