// The formula alone, without a service: NDCG@10 of closeness in meaning and in words over every text, beside BM25.

import type { Half } from './halves.ts';
import type { Row } from './listings.ts';
import { bestFirst, mean, ndcg } from './measures.ts';
import { blend, bm25, byVector, byWords, WORDS_WEIGHT } from './rankers.ts';
import { rankingTasks, type Task } from './tasks.ts';

/** Weights of closeness in words beside closeness of vectors that are worth comparing; the last is the product's. */
const WEIGHTS = [0.5, 1, 2, 3, WORDS_WEIGHT];

/** Mean NDCG@10 of each ranker over the queries of a task. */
function measure(task: Task, weights: readonly number[]): Map<string, number> {
  const base = { bm25: bm25(task.documents), vector: byVector(task.documents), words: byWords(task.documents) };
  const sums = new Map<string, number>();
  for (const { text, gains } of task.queries) {
    const [vector, words] = [base.vector(text), base.words(text)];
    const scores: [string, Float64Array][] = [
      ['bm25', base.bm25(text)],
      ['vector', vector],
      ['words', words],
    ];
    for (const weight of weights) scores.push([`vector + ${weight} words`, blend(vector, weight, words)]);
    for (const [name, all] of scores) {
      sums.set(name, (sums.get(name) ?? 0) + ndcg(bestFirst(all), gains) / task.queries.length);
    }
  }
  return sums;
}

/** Prints the table of one half, on the tuning half with several weights. */
export function printFormula(rows: readonly Row[], half: Half): void {
  const columns = new Map<string, number[]>();
  const lines = rankingTasks(rows, half).map((task) => {
    const { queries, documents } = task;
    const cells: Record<string, string> = { queries: String(queries.length), texts: String(documents.length) };
    for (const [name, value] of measure(task, half === 'tuning' ? WEIGHTS : WEIGHTS.slice(-1))) {
      cells[name] = value.toFixed(3);
      columns.set(name, [...(columns.get(name) ?? []), value]);
    }
    return [task.name, cells];
  });
  const means = Object.fromEntries(Array.from(columns, ([name, values]) => [name, mean(values).toFixed(3)]));
  console.log(`NDCG@10 of the formula alone, ${half} half`);
  console.table(Object.fromEntries([...lines, ['mean', means]]));
}
