// The German texts of the app: which are missing, and which are the same as in English.
import { describe, expect, test } from 'bun:test';
import { texts } from '../../src/dashboard/words/de.ts';
import { en } from '../../src/dashboard/words/en.ts';
import { languageOf, translated } from '../../src/domain/language.ts';

/** Words that are the same in both languages. */
const SAME =
  /^(Online|Webhooks?|Match(es)?|Phase|Status|Autopilot|Text|Details|Links?|Passkeys|Handle|Domain|Name|Bank|Blockchain)$/;
/** A part of all texts: pages of administrators and developers are in English still. */
const MISSING_MAX = 0.25;

type Texts = Readonly<Record<string, unknown>>;

/** Each text of the English catalogue with the German one. */
function pairs(own: Texts, other: Texts | undefined): readonly (readonly [unknown, unknown])[] {
  return Object.entries(own).flatMap(([name, text]) =>
    typeof text === 'object' && text !== null
      ? pairs(text as Texts, other?.[name] as Texts | undefined)
      : [[text, other?.[name]] as const],
  );
}

describe('German', () => {
  const all = pairs(en, texts as Texts);

  test('has most texts', () => {
    const missing = all.filter(([, german]) => german === undefined);
    expect(missing.length / all.length).toBeLessThan(MISSING_MAX);
  });

  test('leaves no English text as it was', () => {
    const same = all.filter(([english, german]) => english === german && /[a-z]/.test(String(english)));
    expect(same.map(([english]) => english).filter((text) => !SAME.test(String(text)))).toEqual([]);
  });

  test('shows English where a text is missing', () => {
    const { common, admin } = translated(en, texts);
    expect([common.save, admin.title]).toEqual(['Speichern', 'Administration']);
  });
});

test('the first language that there are texts for is taken, and English without one', () => {
  expect([['fr-CA', 'de-AT', 'en'], ['en-GB', 'de'], ['fi'], []].map(languageOf)).toEqual(['de', 'en', 'en', 'en']);
});
