// Makes src/outbound/embedder/table.bin: latent semantic analysis of WordNet's synsets and our glossary, 256 dimensions.
// `--check` builds again and compares, changing nothing. The same sources give the same bytes on every run.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terms } from '../../src/outbound/embedder/built-in.ts';
import { EMBEDDING_DIMENSIONS } from '../../src/outbound/embedder/embedder.ts';
import { glossaryDocuments, glossaryLines, synsetDocuments } from './documents.ts';
import { tfIdf } from './matrix.ts';
import { leadingVectors } from './svd.ts';
import { tableFile, type WordVector } from './table-file.ts';
import { readCounts, readSynsets } from './wordnet.ts';

const TABLE = join(import.meta.dir, '../../src/outbound/embedder/table.bin');
const SEED = 20_260_101;
/** A glossary line stands for a meaning as whole as several synsets of a word that WordNet does know. */
const GLOSSARY_LENGTH = 2;
/** Smooth inverse frequency (Arora, Liang, Ma, 2017): a word of this share of running text counts half. */
const HALF_SHARE = 1e-3;
/** Weight of words that every offer and seek uses. */
const BOILERPLATE = 0.4;

function progress(done: number, of: number, what: string): void {
  if (!process.stderr.isTTY) return;
  const filled = Math.round((done / of) * 30);
  process.stderr.write(
    `\r[${'#'.repeat(filled)}${'.'.repeat(30 - filled)}] ${what.padEnd(24)}${done === of ? '\n' : ''}`,
  );
}

const read = (name: string): string => readFileSync(join(import.meta.dir, name), 'utf8');

/** All lines of our glossary, its files in the order of their names. */
function readGlossary(): string {
  const names = readdirSync(join(import.meta.dir, 'glossary')).filter((name) => name.endsWith('.txt'));
  return names
    .sort()
    .map((name) => read(join('glossary', name)))
    .join('\n');
}

/** How much each stem counts in a text: less when common in running text, more when rare in definitions. */
function weigher(documents: number): (stem: string, idf: number) => number {
  const seen = new Map<string, number>();
  let total = 0;
  for (const [lemma, times] of readCounts()) {
    for (const stem of terms(lemma)) {
      seen.set(stem, (seen.get(stem) ?? 0) + times);
      total += times;
    }
  }
  const boilerplate = new Set(terms(read('boilerplate.txt')));
  const idfMiddle = Math.log(documents) * 0.7;
  return (stem, idf) => {
    const common = HALF_SHARE / (HALF_SHARE + (seen.get(stem) ?? 0) / total);
    return common * Math.sqrt(idf / idfMiddle) * (boilerplate.has(stem) ? BOILERPLATE : 1);
  };
}

function build(): Uint8Array {
  progress(0, 8, 'reading');
  const synsets = synsetDocuments(readSynsets());
  const glossary = readGlossary();
  const documents = [...synsets, ...glossaryDocuments(glossary)];
  const named = new Set(glossaryLines(glossary).flatMap(({ names }) => terms(names)));
  const { matrix, stems, idf } = tfIdf(documents, named, (i) => (i < synsets.length ? 1 : GLOSSARY_LENGTH));
  progress(1, 8, 'decomposing');
  const { values, vectors } = leadingVectors(matrix, EMBEDDING_DIMENSIONS, SEED, (done) =>
    progress(1 + done, 8, 'decomposing'),
  );
  const weigh = weigher(documents.length);
  const entries: WordVector[] = stems.map((stem, n) => {
    const row = vectors.subarray(n * EMBEDDING_DIMENSIONS, (n + 1) * EMBEDDING_DIMENSIONS);
    // The root of the singular values: between all directions equal and the first few deciding alone.
    const vector = row.map((x, c) => x * Math.sqrt(values[c] ?? 0));
    return { stem, weight: weigh(stem, idf[n] ?? 0), vector };
  });
  const bytes = tableFile(entries);
  progress(8, 8, 'done');
  const megabytes = (bytes.length / 1e6).toFixed(1);
  console.log(`${documents.length} documents (${synsets.length} synsets), ${stems.length} words, ${megabytes} MB`);
  return bytes;
}

const bytes = build();
if (process.argv.includes('--check')) {
  const same = Buffer.compare(bytes, readFileSync(TABLE)) === 0;
  console.log(same ? 'table.bin is what its sources give' : 'table.bin differs from what its sources give');
  process.exit(same ? 0 : 1);
}
writeFileSync(TABLE, bytes);
