// Another language has a text for everything: what is left as it is in English stands in the list below, with what it is.
import { expect, test } from 'bun:test';
import { de } from '../../src/dashboard/words/de.ts';
import { en } from '../../src/dashboard/words/en.ts';

/** Names, units, words that both languages have. */
const SAME =
  /^(Meshwork|Free|Pro|Match(es)?|Agent|Webhooks?|Passkeys?|Labels?|Handle|Name|Status|Administration|Version|Details|Start|Online|Autopilot|Domain|X|LinkedIn|GitHub|Bank|Blockchain|Remote|%|ID|Code|Phase|Limit|Budget|Text|Service|live|min|pro|Tarif|English|Deutsch)$/;

function texts(of: unknown, path = ''): [path: string, text: string][] {
  if (typeof of === 'string') return [[path, of]];
  if (typeof of === 'function') {
    // Each gap is filled with a number, which reads the same in both.
    const given = Array.from({ length: of.length }, (_, at) => String(at));
    try {
      return [[path, String(of(...given))]];
    } catch {
      return [];
    }
  }
  if (typeof of !== 'object' || of === null) return [];
  return Object.entries(of).flatMap(([name, each]) => texts(each, `${path}.${name}`));
}

test('no text of the app is left in English', () => {
  const german = new Map(texts(de));
  const left = texts(en).filter(
    ([path, text]) =>
      !/\.labels\.|linksHint/.test(path) && german.get(path) === text && /[a-z]{3}/i.test(text) && !SAME.test(text),
  );
  expect(left).toEqual([]);
});
