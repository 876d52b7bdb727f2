// The niche classifier against a table of listings written by hand, and the listings of the demo.
import { describe, expect, test } from 'bun:test';
import { nicheOf } from '../../../src/domain/listing/niche.ts';

const TABLE = `${import.meta.dir}/../../corpora/niches.txt`;
const DEMO = `${import.meta.dir}/../../../src/cli/demo/listings.jsonl`;

const lines = (await Bun.file(TABLE).text()).split('\n').filter((line) => line !== '' && !line.startsWith('# '));
const table = lines.map((line) => {
  const [expected = '', niche = '', headline = '', description = '', labels = ''] = line.split('\t');
  return { expected, niche, listing: { headline, description, labels: labels.split(','), fields: {} } };
});

const EMPTY = { headline: '', description: '', labels: [], fields: {} };

describe('a listing of the table', () => {
  test.each(table.map((row) => [row.expected, row.listing.headline, row] as const))('is %s: %s', (_is, _of, row) => {
    const found = nicheOf(row.listing);
    if (row.expected === 'notsure') expect(found.verdict).not.toBe('sure');
    else expect(found.verdict).toBe(row.expected as 'sure' | 'clean');
    if (found.verdict !== 'clean') expect([row.niche, '-']).toContain(found.niche);
  });

  test('is one of at least 120', () => {
    const verdicts = table.map(({ expected, listing }) => ({ expected, found: nicheOf(listing).verdict }));
    const of = (expected: string, found: string): number =>
      verdicts.filter((v) => v.expected === expected && v.found === found).length;
    console.info(
      `niches: of ${table.length} listings ${of('sure', 'sure')} restricted ones sure; of words in another sense ` +
        `${of('notsure', 'unsure')} unsure, ${of('notsure', 'clean')} clean, ${of('notsure', 'sure')} sure; of others ` +
        `${of('clean', 'clean')} clean, ${of('clean', 'unsure')} unsure`,
    );
    expect(table.length).toBeGreaterThanOrEqual(120);
  });
});

describe('the classifier', () => {
  test('takes the topics of a link trade for labels', () => {
    expect(nicheOf({ ...EMPTY, headline: 'Links wanted', fields: { niche: ['travel', 'Casino'] } })).toMatchObject({
      verdict: 'sure',
      niche: 'casino',
    });
  });

  test.each([
    'C a s i n o links',
    'ca\u200bsino links',
    'c\u0430sino links',
    '\uff43\uff41\uff53\uff49\uff4e\uff4f links',
  ])('is not misled by %j', (headline) => expect(nicheOf({ ...EMPTY, headline }).verdict).not.toBe('clean'));

  test('says what it hangs on', () => {
    const description = 'We write. Casino nights are fun. Ask for more.';
    expect(nicheOf({ ...EMPTY, headline: 'Texts', description })).toEqual({
      verdict: 'unsure',
      niche: 'casino',
      evidence: 'Casino nights are fun',
    });
  });

  test('holds no listing of the demo', async () => {
    const listings = (await Bun.file(DEMO).text()).split('\n').filter(Boolean);
    // Each line is a listing, as the demo itself reads it.
    const held = listings
      .map((line) => nicheOf({ ...JSON.parse(line), fields: {} }))
      .filter((v) => v.verdict !== 'clean');
    expect(held).toEqual([]);
  });
});
