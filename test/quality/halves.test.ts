// What is reported is measured on texts that nothing was chosen on: the two halves share no document, and nothing that
// is nearly one. What a task withholds is not published either.

import { describe, expect, test } from 'bun:test';
import { type Half, halvesOf } from '../../scripts/ranking/halves.ts';
import { part, type Row, readListings } from '../../scripts/ranking/listings.ts';
import { markets } from '../../scripts/ranking/markets.ts';
import { rankingTasks } from '../../scripts/ranking/tasks.ts';
import { terms } from '../../src/outbound/embedder/built-in.ts';
import { often } from '../support/nightly.ts';

const data = readListings();
const HALVES: readonly Half[] = ['tuning', 'reporting'];

const WORDS = 'harbour crane welding oak turbine saddle glass pepper engine violin lantern anchor copper meadow'.split(
  ' ',
);

/** A row whose text is its own. */
function row(n: number, change: Partial<Row> = {}): Row {
  const text = Array.from({ length: 30 }, (_, i) => `${WORDS[i % WORDS.length]}${n}n${i}`).join(' ');
  const own = { id: `r${n}`, source: 'onet', card_type: 'job_seeking', labels: ['one'], geo: null };
  return { ...own, headline: `Trade number x${n}`, description: `${text}.`, ...change };
}

const many = Array.from({ length: 60 }, (_, n) => row(n));
const halfOf = (rows: readonly Row[], id: string): Half | undefined => halvesOf(rows).get(id);

describe('the halves', () => {
  test('hold each row once, about as many each, whatever the order of the file', () => {
    const halves = halvesOf(many);
    expect([...halves.keys()].sort()).toEqual(many.map(({ id }) => id).sort());
    const tuning = [...halves.values()].filter((half) => half === 'tuning').length;
    expect(tuning).toBeGreaterThan(15);
    expect(tuning).toBeLessThan(45);
    expect(new Map(halvesOf(many.toReversed()))).toEqual(new Map(halves));
  });

  test('rows with the same headline fall together, whatever their texts', () => {
    const twins = many.map(({ id, headline }, n) => row(100 + n, { id: `z${id}`, headline: headline.toUpperCase() }));
    const halves = halvesOf([...many, ...twins]);
    for (const { id } of many) expect(halves.get(`z${id}`)).toBe(halves.get(id));
  });

  test('near-duplicates fall together: a text with its end cut off, under another headline', () => {
    const cut = many.map(({ id, description }, n) =>
      row(n, {
        id: `z${id}`,
        headline: `Another y${n}`,
        description: description.slice(0, (description.length * 2) / 3),
      }),
    );
    const halves = halvesOf([...many, ...cut]);
    for (const { id } of many) expect(halves.get(`z${id}`)).toBe(halves.get(id));
  });

  test("a form's own words make nothing alike", () => {
    const form = 'Career level: experienced, non-manager. Time: full-time. Hours: nine to five on weekdays.';
    const posted = many.map(({ id, description }, n) =>
      row(n, { id, description: `${form} ${description.slice(0, 40)}` }),
    );
    expect(new Set(posted.map(({ id }) => halfOf(posted, id))).size).toBe(2);
  });
});

// The texts change rarely, and comparing all with all takes a minute.
describe.skipIf(!data || often(0, 1) === 0)('on the real listings', () => {
  const rows = data ?? [];

  test('no document, headline or text of one half is in the other', () => {
    const halves = halvesOf(rows);
    const of = (half: Half, text: (row: Row) => string): Set<string> =>
      new Set(rows.filter(({ id }) => halves.get(id) === half).map(text));
    const texts: ((row: Row) => string)[] = [({ id }) => id, ({ headline }) => terms(headline).sort().join(' ')];
    // Postings are made of a form, and the APIs' texts of a name; a whole text is long enough to be somebody's own.
    const whole = ({ id, description }: Row): string => (description.length > 300 ? description : id);
    for (const text of [...texts, whole]) {
      const [tuning, reporting] = [of('tuning', text), of('reporting', text)];
      expect(tuning.size).toBeGreaterThan(2_000);
      expect([...tuning.intersection(reporting)]).toEqual([]);
    }
  });

  test('no task of one half asks for, or shows, a document of the other', () => {
    const [tuning, reporting] = HALVES.map((half) => markets(rows, half).flatMap(({ listings }) => listings));
    const ids = new Set(tuning?.map(({ id }) => id));
    expect(reporting?.filter(({ id }) => ids.has(id))).toEqual([]);
    const [first, second] = HALVES.map((half) => rankingTasks(rows, half).flatMap(({ documents }) => documents));
    const documents = new Set(first);
    expect(second?.filter((text) => documents.has(text))).toEqual([]);
  });

  test('what a task withholds is not published', () => {
    const byId = new Map(rows.map((one) => [one.id, one]));
    const [whole, masked, titles] = markets(rows, 'tuning');
    for (const { id, card_type, description, labels } of whole?.listings ?? []) {
      if (card_type === 'buying' || card_type === 'selling') expect(labels).toEqual([]);
      if (card_type !== 'hiring') continue;
      const own = byId.get(id);
      expect(description).not.toContain('Category:');
      const category = own ? part(own, 'Category') : '';
      for (const label of labels) expect(category.toLowerCase().split(/[;,&] */)).not.toContain(label);
    }
    for (const { id, card_type, headline, description } of masked?.listings ?? []) {
      if (card_type !== 'buying') continue;
      const hidden = terms(byId.get(id)?.labels.join(' ').replaceAll('-', ' ') ?? '');
      const shown = new Set(terms(`${headline} ${description}`));
      if (headline !== 'Research topic') expect(hidden.filter((term) => shown.has(term))).toEqual([]);
    }
    const asked = new Set(titles?.tasks.flatMap(({ queries }) => queries.flatMap(({ gains }) => [...gains.keys()])));
    for (const { id, card_type, headline } of titles?.listings ?? []) {
      if (card_type === 'selling' && asked.has(id)) expect(headline).not.toBe(byId.get(id)?.headline);
    }
  });
});
