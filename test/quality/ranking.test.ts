// Holds the built-in embedder to ranking real listings clearly better than BM25 where few words are shared, and no worse
// elsewhere. scripts/ranking/relevance.ts says what counts as relevant; scripts/quality prints all figures, and those of
// a running service. Runs on a sample of the queries of the half that no weight was chosen on.

import { describe, expect, test } from 'bun:test';
import { readListings } from '../../scripts/ranking/listings.ts';
import { bestFirst, ndcg } from '../../scripts/ranking/measures.ts';
import { blend, bm25, byVector, byWords, WORDS_WEIGHT } from '../../scripts/ranking/rankers.ts';
import { rankingTasks, type Task } from '../../scripts/ranking/tasks.ts';

const rows = readListings();
if (!rows) console.warn('SKIPPED: ranking quality, since shared/data/listings.jsonl is not beside this checkout');

interface Figures {
  readonly bm25: number;
  readonly vector: number;
  readonly blended: number;
}

/** Mean NDCG@10 over every `step`th query. */
function measure(task: Task, step: number): Figures {
  const [words, vector, lexical] = [bm25(task.documents), byVector(task.documents), byWords(task.documents)];
  const queries = task.queries.filter((_, i) => i % step === 0);
  const mean = (score: (text: string) => Float64Array): number =>
    queries.reduce((sum, { text, gains }) => sum + ndcg(bestFirst(score(text)), gains), 0) / queries.length;
  return {
    bm25: mean(words),
    vector: mean(vector),
    blended: mean((text) => blend(vector(text), WORDS_WEIGHT, lexical(text))),
  };
}

describe.skipIf(!rows)('on real listings', () => {
  const tasks = rows ? rankingTasks(rows, 'reporting') : [];
  const named = (name: string, step: number): Figures => {
    const task = tasks.find((one) => one.name === name);
    if (!task) throw new Error(`there is no task ${name}`);
    return measure(task, step);
  };

  test('meaning alone ranks occupations for a posting better than BM25 by a tenth', () => {
    const { bm25: baseline, vector } = named('jobs by category', 4);
    expect(vector).toBeGreaterThan(baseline * 1.1);
  });

  test('meaning alone finds the text of a title that shares few words with it, BM25 far less often', () => {
    const { bm25: baseline, vector } = named('own title, few words shared: occupations', 1);
    expect(vector).toBeGreaterThan(baseline * 1.3);
  });

  test('meaning and words together are no worse than BM25 where labels were copied from the words', () => {
    const { bm25: baseline, blended } = named('topics by label', 10);
    expect(blended).toBeGreaterThan(baseline * 0.9);
  });
});

test('BM25 prefers rare words, short texts and more mentions', () => {
  const rank = bm25(['plumber needed', 'plumber needed for pipes in a very long text about houses', 'painter needed']);
  const [short = 0, long = 0, other = 0] = rank('needed plumber');
  expect(short).toBeGreaterThan(long);
  expect(long).toBeGreaterThan(other);
  expect([...rank('nothing')]).toEqual([0, 0, 0]);
});
