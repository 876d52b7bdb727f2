// The documents hold together: README.md is short enough for a stranger's first minute, a link between documents leads to a
// file, and to a heading, that exists, and so does what they name in the house.

import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
/** What is not kept in the repository. */
const FOREIGN = ['node_modules', '.bun', '.git', 'dist', 'data'];
const README_WORDS_MAX = 800;

function documentsUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return FOREIGN.includes(entry.name) ? [] : documentsUnder(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** The lines outside of code blocks. */
function proseOf(text: string): string[] {
  let inside = false;
  return text.split('\n').filter((line) => {
    const fence = line.trimStart().startsWith('```');
    if (fence) inside = !inside;
    return !fence && !inside;
  });
}

/** The names that GitHub gives to headings, for links: lower case, blanks as hyphens, no other marks; repeats numbered. */
function headingsOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const line of proseOf(text)) {
    const [, title] = /^#{1,6} (.{1,200})$/.exec(line) ?? [];
    if (title === undefined) continue;
    // A link in a heading counts by its words.
    const words = title
      .trim()
      .toLowerCase()
      .replace(/\]\([^)]{0,200}\)/g, '');
    const name = words.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
    let unique = name;
    for (let n = 1; found.has(unique); n += 1) unique = `${name}-${n}`;
    found.add(unique);
  }
  return found;
}

/** Where the links of a document lead, without those in code. */
function linksOf(text: string): string[] {
  const prose = proseOf(text).join('\n').split('`');
  const outside = prose.filter((_, at) => at % 2 === 0).join('`');
  return [...outside.matchAll(/\]\(([^()\s]{1,300})\)/g)].map(([, to]) => to ?? '');
}

/** The links of one document that lead nowhere. `document` reads another one, undefined where it is not. */
function brokenLinks(path: string, text: string, find: (path: string) => string | null | undefined): string[] {
  return linksOf(text).filter((link) => {
    if (/^[a-z]{1,10}:/.test(link)) return false;
    const [file = '', heading] = link.split('#');
    const target = file === '' ? text : find(join(dirname(path), decodeURIComponent(file)));
    if (target === undefined) return true;
    return heading !== undefined && !(target !== null && headingsOf(target).has(heading));
  });
}

/** A document's text, null for another file or a folder, undefined for nothing. */
function found(path: string): string | null | undefined {
  if (!existsSync(path)) return undefined;
  return statSync(path).isFile() && path.endsWith('.md') ? readFileSync(path, 'utf8') : null;
}

const documents = documentsUnder(ROOT);

test('all documents are read', () => {
  const names = documents.map((path) => path.slice(ROOT.length + 1));
  for (const name of ['README.md', 'db/README.md', 'src/docs/operate.md']) expect(names).toContain(name);
});

test.each(documents.map((path) => path.slice(ROOT.length + 1)))('the links of %s lead somewhere', (name) => {
  const path = join(ROOT, name);
  expect(brokenLinks(path, readFileSync(path, 'utf8'), found)).toEqual([]);
});

/** Files and folders of the house that a text names, from the root or from the text's own folder. */
function namedIn(text: string): string[] {
  const words = proseOf(text)
    .join('\n')
    .split('`')
    .filter((_, at) => at % 2 === 1);
  return words.filter((word) => {
    const [first = '', ...rest] = word.split('/');
    const last = rest.at(-1) ?? first;
    const plain = [first, ...rest].every((part, at) => /^[\w.-]{1,60}$/.test(part) || (at > 0 && part === ''));
    return plain && (last === '' || /\.(?:ts|md)$/.test(last));
  });
}

/** Those that name files of the code; spec/ describes the service from outside. */
const OF_TODAY = documents
  .map((path) => path.slice(ROOT.length + 1))
  .filter((name) => /^[^/]*\/?README\.md$/.test(name) || /^src\/docs\/[^/]*$/.test(name));

test.each(OF_TODAY)('the files that %s names are there', (name) => {
  const text = readFileSync(join(ROOT, name), 'utf8');
  const missing = namedIn(text).filter(
    (path) => ![ROOT, join(ROOT, dirname(name))].some((at) => existsSync(join(at, path))),
  );
  expect(missing).toEqual([]);
});

test(`README.md has at most ${README_WORDS_MAX} words`, () => {
  const words = readFileSync(join(ROOT, 'README.md'), 'utf8').split(/\s+/).filter(Boolean);
  expect(words.length).toBeLessThanOrEqual(README_WORDS_MAX);
  expect(words.length).toBeGreaterThan(200);
});

test('the rule of names finds files and folders, and no other words', () => {
  const named = ['src/a.ts', 'clock.ts', './scripts/', 'src/operations/', 'db/README.md'];
  const other = ['POST /api/a', '/api/', 'a.b', 'X-Y', 'events', 'https://a/b.ts'];
  expect(namedIn([...named, ...other].map((word) => `\`${word}\``).join(' '))).toEqual(named);
});

describe('the rule of links', () => {
  const others: Readonly<Record<string, string | null>> = {
    '/a/b.md': '# One\n## It`s two: of 2\n## One',
    '/a/src': null,
  };
  const broken = (text: string): string[] => brokenLinks('/a/c.md', text, (path) => others[path]);

  test('finds files and headings that are not there', () => {
    const links = ['d.md', 'b.md#three', 'b.md#one-2', '#one', 'src#one', '../b.md'];
    expect(broken(links.map((link) => `[x](${link})`).join(' '))).toEqual(links);
  });

  test('lets pass what is there, what lies elsewhere, and what is code', () => {
    const links = [
      'b.md',
      'b.md#one',
      'b.md#its-two-of-2',
      'b.md#one-1',
      '#own-words',
      'src',
      'https://example.org/#x',
    ];
    expect(broken(`## Own words\n${links.map((link) => `[x](${link})`).join(' ')}`)).toEqual([]);
    expect(broken('```\n[x](none.md)\n```\nand `[x](none.md)` too')).toEqual([]);
  });
});
