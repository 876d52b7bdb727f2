// Keeps the glossary that the embedder's table is built from well-formed, without building: a line that is not would stop
// the build, or say of a term what another line already says.
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { glossaryLines } from '../../scripts/embedder/documents.ts';

const FOLDER = join(import.meta.dir, '../../scripts/embedder/glossary');
/** A longer line says more of one term than a listing says of itself. */
const LINE_CHARS_MAX = 400;
const TERMS_MAX = 12;

const files = readdirSync(FOLDER).sort();
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

test('the glossary has text files only, each with a head that says what it is about', () => {
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    expect(file).toEndWith('.txt');
    expect(textOf(file)).toStartWith('# ');
  }
});

test.each(files)('%s has a term, a colon and an explanation on each line, in ASCII and of a bounded length', (file) => {
  const text = textOf(file);
  expect(text.split('\n').filter((line) => !/^[ -~]*$/.test(line))).toEqual([]);
  for (const line of text.split('\n')) {
    expect(line.length).toBeLessThanOrEqual(LINE_CHARS_MAX);
    if (line !== '' && !line.startsWith('#')) expect(line).toMatch(/^[^:,\s][^:]*: \S/);
  }
  for (const { names, meaning } of glossaryLines(text)) {
    const terms = names.split(',').map((name) => name.trim());
    expect(terms.length).toBeLessThanOrEqual(TERMS_MAX);
    expect(terms).not.toContain('');
    expect(meaning.trim().split(/\s+/).length).toBeGreaterThan(1);
  }
});

test('no term stands on two lines of a file, and no line says of a term what another file says', () => {
  const seen = new Set<string>();
  const twice: string[] = [];
  const found = new Set<string>();
  const enter = (key: string): void => {
    if (seen.has(key)) twice.push(key);
    seen.add(key);
  };
  for (const file of files) {
    for (const { names, meaning } of glossaryLines(textOf(file))) {
      for (const name of names.split(',').map((term) => term.trim().toLowerCase())) {
        enter(`${name} in ${file}`);
        // Another file may know another sense of it: a blender of paint, of fruit, of polygons.
        enter(`${name}: ${meaning.trim().toLowerCase()}`);
        found.add(name);
      }
    }
  }
  expect(twice).toEqual([]);
  expect(found.size).toBeGreaterThan(1_500);
});
