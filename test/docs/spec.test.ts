// What comments, tests and READMEs cite of src/docs/spec and of decisions.md is there: the section, the item or the number, and a
// comment never names one of these documents without the place. Each rule is first shown to catch what it forbids.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readTree, type SourceFile } from '../tidy/source.ts';

const ROOT = join(import.meta.dir, '../..');
const SPEC = 'src/docs/spec/';
const CITED = ['interface.md', 'rules.md', 'questions.md', 'protocols.md', 'decisions.md'];

/** A citation: what is cited, spelled as in `placesOf`, and by which line. */
interface Citation {
  readonly place: string;
  readonly where: string;
}

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([all, group]) => group ?? all);

/** What can be cited of interface.md: headings, the numbered items under them, and terms that open a paragraph. */
function placesOfInterface(text: string): string[] {
  let heading = '';
  return text.split('\n').flatMap((line) => {
    const item = /^(\d+)\. /.exec(line)?.[1];
    if (item !== undefined) return heading === 'What the service does' ? [`item ${item}`] : [`${heading} ${item}`];
    const name = /^#{2,4} (.+)$/.exec(line)?.[1];
    heading = name ?? heading;
    return matches(line, /^#{2,4} (.+)$|^\*\*[^*]+\*\*(?=:)/g).map((place) => place.replaceAll('*', ''));
  });
}

/** Every place that can be cited, such as `rules.md 7`, `questions.md 97`, `interface.md item 11`. */
function placesOf(spec: readonly SourceFile[]): Set<string> {
  const places = spec.flatMap(({ path, text }) => {
    const name = basename(path);
    if (name === 'interface.md') return placesOfInterface(text).map((place) => `${name} ${place}`);
    const numbered = name === 'questions.md' ? /^\| (\d+) \|/gm : /^## (\d+)\.? /gm;
    return matches(text, numbered).map((number) => `${name} ${number}`);
  });
  return new Set(places);
}

/** The text with each line break and the comment mark behind it as blanks, so that a citation may go over two lines. */
const joined = (text: string): string => text.replace(/\n *(?:\/\/|\*|#)?/g, (found) => ' '.repeat(found.length));

/** Where a citation of interface.md ends: at a stop, or at the next document. */
const END = /^(?: \d+)?(?:[),.:;]| and [a-z]+\.md|$)/;

/** What a citation of interface.md means, from the words behind the name: the longest heading that fits, and its item. */
function interfacePlace(words: string, known: ReadonlySet<string>): string {
  const given = words.replaceAll('"', '').replace(/^,? /, 'interface.md ');
  const fitting = [...known].filter((place) => given.startsWith(place) && END.test(given.slice(place.length)));
  const place = fitting.sort((a, b) => b.length - a.length)[0];
  if (place === undefined) return /^[\w. ]+/.exec(given)?.[0] ?? given;
  return place + (/^ \d+/.exec(given.slice(place.length))?.[0] ?? '');
}

/** All that a file cites. Where code speaks of a document it says the place; prose may name it as a whole. */
function citationsOf({ path, text }: SourceFile, known: ReadonlySet<string>): Citation[] {
  const flat = joined(text);
  const found: Citation[] = [];
  const add = (at: number, place: string): void => {
    found.push({ place, where: `${path}:${text.slice(0, at).split('\n').length}` });
  };
  for (const { 1: number, index } of flat.matchAll(/\bQ(\d+)\b/g)) add(index, `questions.md ${number}`);
  for (const { 0: name, index } of flat.matchAll(/(?<=docs\/|spec\/|[^\w/])[a-z]+\.md\b/g)) {
    if (!CITED.includes(name)) continue;
    const behind = flat.slice(index + name.length, index + name.length + 200).replaceAll(/ +/g, ' ');
    const numbers = /^ \d+(?:(?:,| and| to| or) \d+)*/.exec(behind)?.[0].match(/\d+/g) ?? [];
    for (const number of numbers) add(index, `${name} ${number}`);
    if (numbers.length > 0) continue;
    if (name === 'interface.md' && /^,? (?:item \d|["A-Z])/.test(behind)) add(index, interfacePlace(behind, known));
    else if (!path.endsWith('.md') && flat[index - 1] !== '/') add(index, `${name} without a place`);
  }
  return found;
}

function wrongCitations(files: readonly SourceFile[], known: ReadonlySet<string>): string[] {
  const cited = files.flatMap((file) => citationsOf(file, known));
  return cited.filter(({ place }) => !known.has(place)).map(({ place, where }) => `${where}: ${place}`);
}

/** Documents that somebody names and the house does not have. */
function unknownDocuments(files: readonly SourceFile[], have: ReadonlySet<string>): string[] {
  return files.flatMap(({ path, text }) =>
    matches(text, /[\w-]+\.md\b/g).flatMap((name) => (have.has(name) ? [] : [`${path}: ${name}`])),
  );
}

/** All text but these tests of documents, whose samples name what is not there. */
const house = [
  ...readTree(ROOT, ['src', 'actors', 'db', 'test', 'scripts']).filter(({ path }) => !path.startsWith('test/docs/')),
  { path: 'README.md', text: readFileSync(join(ROOT, 'README.md'), 'utf8') },
];
const spec = house.filter(({ path }) => path.startsWith(SPEC) || path === 'src/docs/decisions.md');
const known = placesOf(spec);

test('what is cited stands in the spec', () => {
  expect(house.flatMap((file) => citationsOf(file, known)).length).toBeGreaterThan(200);
  expect(wrongCitations(house, known)).toEqual([]);
});

test('a document that is named is in the house', () => {
  const have = new Set(house.map(({ path }) => basename(path)).filter((name) => name.endsWith('.md')));
  const ours = house.filter(({ path }) => !path.startsWith(SPEC));
  expect(unknownDocuments(ours, have)).toEqual([]);
  expect(unknownDocuments([{ path: 'src/a.ts', text: '// See plans.md.' }], have)).toEqual(['src/a.ts: plans.md']);
});

test.each([
  ['rules.md 12', 'rules.md 12'],
  ['spec/rules.md 3 and 14', 'rules.md 14'],
  ['questions.md 8, 10, 38 to 400', 'questions.md 400'],
  ['Q168', 'questions.md 168'],
  ['protocols.md 10', 'protocols.md 10'],
  ['interface.md, item 15', 'interface.md item 15'],
  ['interface.md "Stages"', 'interface.md Stages'],
  ['interface.md, Versioning 7', 'interface.md Versioning 7'],
  ['interface.md, Webhook bodies', 'interface.md Webhook bodies'],
  ['decisions.md 1999', 'decisions.md 1999'],
  ['rules.md on keys', 'rules.md without a place'],
  ['the order of interface.md', 'interface.md without a place'],
])('%s is caught, over two lines too', (text, place) => {
  const files = [text, text.replaceAll(' ', '\n  // ')].map((each) => ({
    path: 'src/a.ts',
    text: `// Rule (${each}).`,
  }));
  expect(wrongCitations(files.slice(0, 1), known)).toEqual([`src/a.ts:1: ${place}`]);
  expect(wrongCitations(files, known)).toHaveLength(2);
});

test.each([
  'rules.md 7, TEST_CLOCK',
  'interface.md, Authentication 5',
  'interface.md "Agent card"',
  'interface.md, Router capability, provider, call and rules.md 9',
  'interface.md, Inbox; Q8, Q18',
  'src/docs/decisions.md 1',
])('%s is right', (text) => {
  expect(wrongCitations([{ path: 'src/a.ts', text: `// Rule (${text}).` }], known)).toEqual([]);
});

test('there are at most 40 decisions, numbered in order, of at most 120 words each', () => {
  const { text } = spec.find(({ path }) => path === 'src/docs/decisions.md') ?? { text: '' };
  const decisions = text.split(/^## /m).slice(1);
  expect(decisions.map((each) => Number.parseInt(each, 10))).toEqual(decisions.map((_, at) => at + 1));
  expect(decisions.length).toBeLessThanOrEqual(40);
  expect(decisions.filter((each) => each.split(/\s+/).length > 120 || !each.includes('**Cost:**'))).toEqual([]);
});

test('the questions are numbered from 1 to 167, each once', () => {
  const { text } = spec.find(({ path }) => path.endsWith('questions.md')) ?? { text: '' };
  expect(matches(text, /^\| (\d+) \|/gm).map(Number)).toEqual(Array.from({ length: 167 }, (_, at) => at + 1));
});
