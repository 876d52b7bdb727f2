// All texts for people are there in each language: the app's, the pages', those of letters, events and reasons of matches. What a
// catalogue lacks does not compile; here each text is translated, fills in what the English one does, and calls a thing by its one word.
import { describe, expect, test } from 'bun:test';
import { de as appDe } from '../../src/dashboard/words/de.ts';
import { en as appEn } from '../../src/dashboard/words/en.ts';
import { languageOf, wordsIn } from '../../src/domain/language.ts';
import { events as eventsDe } from '../../src/domain/words/de/events.ts';
import { events as eventsEn } from '../../src/domain/words/en/events.ts';
import { de as lettersDe } from '../../src/outbound/mailer/words/de.ts';
import { en as lettersEn } from '../../src/outbound/mailer/words/en.ts';
import { ENGLISH } from '../../src/transports/pages/words.ts';
import { de as pagesDe } from '../../src/transports/pages/words-de.ts';

const CATALOGUES = [
  ['app', appEn, appDe],
  ['pages', ENGLISH.words, pagesDe],
  ['letters', lettersEn, lettersDe],
  ['events', eventsEn, eventsDe],
] as const;

/** Names, units, words that both languages have; `linksHint` is an example, labels are names. */
const SAME =
  /^(Meshwork|Free|Pro|Match(es)?|Agent|Webhooks?|Passkeys?|Labels?|Handle|Name|Status|Administration|Version|Details|Start|Online|Autopilot|Domain|X|LinkedIn|GitHub|Bank|Blockchain|Remote|%|ID|Code|Phase|Limits?|Budget|Text|Host|Service|live|min|pro|Tarif|English|Deutsch)$/;
const NAMES = /\.labels\.|linksHint|\.figures\./;

/** A second word for what has one in the app: Eintrag, Abschluss, Guthaben, Gespräch, Treuhand, Streitfall, Termin, Kostenangebot. */
const SECOND =
  /Inserat|Geschäfte?\b|Wallet|Brieftasche|Konversation|Escrow|Streitigkeit|Disput|Meeting|Offerte|Benutzer|Transaktion/;

/** Each text of a catalogue by its path; each gap is filled with a number, which reads the same in both. */
function texts(of: unknown, path = ''): [path: string, text: string][] {
  if (typeof of === 'string') return [[path, of]];
  if (typeof of === 'function') {
    const given = Array.from({ length: of.length }, (_, at) => String(at + 71));
    try {
      return [[path, String(of(...given))]];
    } catch {
      // What takes an object is read where it is used.
      return [];
    }
  }
  if (typeof of !== 'object' || of === null) return [];
  return Object.entries(of).flatMap(([name, each]) => texts(each, `${path}.${name}`));
}

describe.each(CATALOGUES)('the catalogue of the %s', (_name, en, de) => {
  const english = texts(en);
  const german = new Map(texts(de));

  test('is translated', () => {
    const left = english.filter(
      ([path, text]) =>
        !NAMES.test(path) &&
        german.get(path) === text &&
        /[a-z]{3}/i.test(text) &&
        !SAME.test(text.replace(/ 7\d$/, '')),
    );
    expect(left).toEqual([]);
    expect(english.length).toBeGreaterThan(50);
  });

  test('fills in the same', () => {
    const gaps = (text = ''): string[] => [...new Set(text.match(/\b7\d\b/g))].sort();
    const other = english.filter(
      ([path, text]) => !NAMES.test(path) && gaps(german.get(path)).join() !== gaps(text).join(),
    );
    expect(other).toEqual([]);
  });

  test('has one German word for one thing', () => {
    expect([...german].filter(([, text]) => SECOND.test(text))).toEqual([]);
  });
});

test('a language is chosen by what there is, and is English where none is', () => {
  expect(languageOf(['fr', 'de-AT', 'en'])).toBe('de');
  expect(languageOf(['fr'])).toBe('en');
  expect(wordsIn({ en: 'one', de: 'eins' }, 'de')).toBe('eins');
  expect([wordsIn({ en: 'one', de: 'eins' }, null), wordsIn({ en: 'one', de: 'eins' })]).toEqual(['one', 'one']);
});
