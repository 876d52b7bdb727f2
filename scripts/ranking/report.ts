// Prints how well the embedder ranks real listings beside BM25 over the same text: NDCG@10 on the half of the queries
// that no weight was chosen on. `--tuning` shows the other half, with several blends.

import { readListings } from './listings.ts';
import { blend, bm25, byVector, byWords, ndcg, WORDS_WEIGHT } from './rankers.ts';
import { rankingTasks, type Task } from './tasks.ts';

const tuning = process.argv.includes('--tuning');
const rows = readListings();
if (!rows) {
  console.error('shared/data/listings.jsonl is not beside this checkout: nothing to measure on');
  process.exit(1);
}

/** Weights of closeness in words beside closeness of vectors; the last is the product's. */
const WEIGHTS = tuning ? [0.5, 1, 2, 3, WORDS_WEIGHT] : [WORDS_WEIGHT];

/** Mean NDCG@10 of each ranker over the queries of a task. */
function measure(task: Task): Map<string, number> {
  const base = { bm25: bm25(task.documents), vector: byVector(task.documents), words: byWords(task.documents) };
  const sums = new Map<string, number>();
  for (const { text, gains } of task.queries) {
    const [vector, words] = [base.vector(text), base.words(text)];
    const scores: [string, Float64Array][] = [
      ['bm25', base.bm25(text)],
      ['vector', vector],
      ['words', words],
    ];
    for (const weight of WEIGHTS) scores.push([`vector + ${weight} words`, blend(vector, weight, words)]);
    for (const [name, all] of scores) sums.set(name, (sums.get(name) ?? 0) + ndcg(all, gains) / task.queries.length);
  }
  return sums;
}

const columns = new Map<string, number[]>();
const lines = rankingTasks(rows, tuning ? 0 : 1).map((task) => {
  const cells: Record<string, string> = { queries: String(task.queries.length), texts: String(task.documents.length) };
  for (const [name, value] of measure(task)) {
    cells[name] = value.toFixed(3);
    columns.set(name, [...(columns.get(name) ?? []), value]);
  }
  return [task.name, cells];
});
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const means = Object.fromEntries(Array.from(columns, ([name, values]) => [name, mean(values).toFixed(3)]));
console.log(`NDCG@10, ${tuning ? 'the half that weights are chosen on' : 'the half held out'}`);
console.table(Object.fromEntries([...lines, ['mean', means]]));
