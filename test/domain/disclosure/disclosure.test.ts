// Scoped disclosure against two corpora written by hand, the listings of the demo, and texts made to be slow.
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import {
  disclosureFault,
  disclosuresIn,
  handleFault,
  readTogether,
} from '../../../src/domain/disclosure/disclosure.ts';
import type { Disclosure } from '../../../src/domain/disclosure/finding.ts';
import { drawTogether, makeLegible } from '../../../src/domain/disclosure/legible.ts';
import { expectLinear, loadCounted } from '../../support/steps.ts';

const CORPORA = `${import.meta.dir}/../../corpora`;
const DEMO = `${import.meta.dir}/../../../src/cli/demo/listings.jsonl`;
const REAL = `${import.meta.dir}/../../../../shared/data/listings.jsonl`;

/** A line's text: `\uXXXX` and `\n` stand for characters that a reader of the corpus could not see. */
function unescaped(line: string): string {
  return line
    .replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\n', '\n');
}

async function corpus(name: string): Promise<string[]> {
  const text = await Bun.file(`${CORPORA}/${name}`).text();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
}

interface Listed {
  readonly id: string;
  readonly headline: string;
  readonly description: string;
  readonly geo: string | null;
  readonly labels: readonly string[];
}

/** The listings of a file that private data is found in. */
async function refusedIn(path: string): Promise<{ listings: number; refused: string[] }> {
  const lines = (await Bun.file(path).text()).split('\n').filter(Boolean);
  // Each line is a listing, as the data's README says.
  const listings = lines.map((line) => JSON.parse(line) as Listed);
  const refused = listings.filter(({ headline, description, geo, labels }) => {
    const texts = [headline, description, geo ?? '', ...labels];
    const { sure, doubted } = readTogether(texts.map((text, at) => ({ field: `${at}`, text })));
    return sure.length + doubted.length > 0 || texts.some((text) => disclosuresIn(text).length > 0);
  });
  return { listings: listings.length, refused: refused.map(({ id }) => id) };
}

describe('private data', () => {
  test('is found in at least 98 % of the texts that hold some, under its own kind', async () => {
    const lines = await corpus('disclosure-refused.txt');
    const cases = lines.map((line) => {
      const [kind, text] = [line.slice(0, line.indexOf('\t')), unescaped(line.slice(line.indexOf('\t') + 1))];
      // The corpus names a kind before each tab.
      return { kind: kind as Disclosure, text, found: disclosuresIn(text) };
    });
    const missed = cases.filter(({ found }) => found.length === 0);
    const otherwise = cases.filter(({ kind, found }) => found.length > 0 && !found.includes(kind));
    console.info(
      `disclosure: ${cases.length - missed.length} of ${cases.length} hostile texts refused, ` +
        `${otherwise.length} of them for another kind only`,
    );
    expect(cases.length).toBeGreaterThanOrEqual(300);
    expect(missed.map(({ text }) => text).slice(0, Math.floor(cases.length / 50))).toEqual(
      missed.map(({ text }) => text),
    );
    expect(otherwise.length / cases.length).toBeLessThanOrEqual(0.02);
  });

  test('is seen in at most 1 % of the texts that hold none', async () => {
    const texts = (await corpus('disclosure-harmless.txt')).map(unescaped);
    const refused = texts.filter((text) => disclosuresIn(text).length > 0);
    console.info(`disclosure: ${refused.length} of ${texts.length} harmless texts refused`);
    expect(texts.length).toBeGreaterThanOrEqual(300);
    expect(refused.slice(0, Math.floor(texts.length / 100))).toEqual(refused);
  });

  test('is in no listing of the demo', async () => {
    expect((await refusedIn(DEMO)).refused).toEqual([]);
  });

  test('is in no real listing, and none is held', async () => {
    if (!existsSync(REAL)) {
      console.warn(`skipped: the real listings are not at ${REAL}`);
      return;
    }
    const { listings, refused } = await refusedIn(REAL);
    console.info(`disclosure: ${refused.length} of ${listings} real listings refused or held`);
    expect(refused).toEqual([]);
  }, 600_000);

  test('is named by field and kind, never repeated', () => {
    const secret = 'jane.doe@example.com';
    const refusal = disclosureFault([
      { field: 'headline', text: 'Bookkeeping' },
      { field: 'description', text: `Write to ${secret} or call 415-555-2671` },
    ]);
    expect(refusal?.data).toEqual({
      matches: [
        { field: 'description', kind: 'email' },
        { field: 'description', kind: 'phone' },
      ],
    });
    expect(JSON.stringify(refusal)).not.toContain('example.com');
    expect(JSON.stringify(refusal)).not.toContain('2671');
    expect(disclosureFault([{ field: 'headline', text: 'Bookkeeping from $200' }])).toBeNull();
  });

  test('is found behind any amount of filler', () => {
    for (const filler of ['\ufdfa', 'é', '한', '1 ', '@ ', 'at dot ', '\u200b', '<b>', '5 Main ']) {
      const text = `${filler.repeat(Math.floor(4_900 / filler.length))} jane.doe@example.com`;
      expect([filler, disclosuresIn(text).includes('email')]).toEqual([filler, true]);
    }
  });
});

describe('a text as it is read', () => {
  test.each([
    ['jo\u200bhn', 'john'],
    ['\uff4aohn', 'john'],
    ['\u0458ohn', 'john'],
    ['jöhn', 'john'],
    ['４１５', '415'],
    ['a&#64;b', 'a@b'],
    ['a<i></i>b', 'ab'],
    ['a <at> b', 'a <at> b'],
  ])('%j is %j', (text, read) => {
    expect(makeLegible(text)).toBe(read);
  });

  test.each([
    ['j o h n @ x . i o', 'john@x.io'],
    ['5-5-5-1-2-3-4', '5551234'],
    ['I have a dog', 'I have a dog'],
  ])('%j drawn together is %j', (text, drawn) => {
    expect(drawTogether(text)).toBe(drawn);
  });
});

describe('a text made to be slow', () => {
  const UNITS = `1 |12 |1|+1 |01 23 |@|a@|a b |at |a at b dot |[at] |( |<a |&#64;|__a|раураl |12 A B C |rue A |march 1 |
10:00 |DE12 |seed: abc |abcd |ab://a:|a://|sk-|eyJ|eyJ-|eyJaaaaaaaaaa.|---BEGIN |-|_|.|. | @|pin: 1|one |double |password: |
password is |token=|token is is |\u200b|\ufdfa|@\ufdfa|é|\ud83d\udcde|a.b.|4|4111 |٤|한|x\u0301|\u0301\u0316|\u0301\uff9e|0o|
5 Main |P.O. |"|\t`.split('|');

  const SIGNS =
    `${UNITS.join('~~')}~~a b ~~a.b ~~a . ~~dot ~~gmail ~~gmail dot ~~telegram ~~telegram: ~~password ~~my ~~five ~~fünf~~一~~alpha ~~415 ~~
415;555; ~~then 4 ~~street 5 ~~b as in boy ~~. ~~... ~~.- ~~YW5u~~6a ~~115 ~~moc.~~moc.a@~~wa.me/~~at the rate ~~g mail ~~o0~~собака ~~card 4111~~pin is `.split(
      '~~',
    );

  test.each(SIGNS)('of %j takes steps in proportion to its length', async (unit) => {
    const { readTogether, handleFault } = await loadCounted<
      typeof import('../../../src/domain/disclosure/disclosure.ts')
    >('./src/domain/disclosure/disclosure.ts');
    const together = (text: string): unknown => {
      const half = Math.floor(text.length / 2);
      const texts = [text.slice(0, half), text.slice(half)].map((part, at) => ({ field: `${at}`, text: part }));
      return [readTogether(texts), handleFault(text)];
    };
    expectLinear(together, unit);
  });
});

describe('a handle', () => {
  test.each([
    'ap_9b36975023',
    'tp_017063146c',
    'x_e466047659',
    'x_710297842d',
    'n_d0078074301',
    'route66_tours',
    'data_2024_team',
  ])('%s, as programs and people make them, tells nothing of a person', (handle) =>
    expect(handleFault(handle)).toBeNull(),
  );

  test.each(['call_14155550123', 'tel4155550123', '4l5_555_0l23_call'])('%s is a number by itself', (handle) =>
    expect(handleFault(handle)).toMatchObject({ fault: 'disclosure_refused' }),
  );

  test('that ends in two letters of a network is no account there', () => {
    const texts = ['on_6c9a9b32fb', 'on 6c9a9b32fb'].map((text, at) => ({
      field: ['handle', 'display_name'][at] ?? '',
      text,
    }));
    expect(readTogether(texts)).toEqual({ sure: [], doubted: [] });
  });
});
