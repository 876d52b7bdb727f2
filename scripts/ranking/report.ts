// Prints how well real listings meet their own: through a service that runs in this process (served.ts), or with
// --formula by the formula alone. scripts/quality tells the options.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { showProgress } from '../../src/cli/demo/progress.ts';
import { printFormula } from './formula.ts';
import type { Half } from './halves.ts';
import { readListings } from './listings.ts';
import { type Market, markets } from './markets.ts';
import { type Results, resultsOf, type TaskResult } from './results.ts';
import { matchesOf, stepsOf } from './served.ts';
import { figuresOf, printFigures } from './tables.ts';

const OPTIONS = {
  tuning: { type: 'boolean', default: false },
  formula: { type: 'boolean', default: false },
  data: { type: 'string' },
  json: { type: 'string' },
  beside: { type: 'string' },
} as const;

function fail(problem: string): never {
  console.error(problem);
  process.exit(2);
}

function given(): ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'] {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}; --help lists the options`);
  }
}

/** The results of an earlier run on the same half. */
function earlier(file: string, half: Half): Results {
  if (!existsSync(file)) fail(`${file} is not there; --json FILE writes one`);
  const before = JSON.parse(readFileSync(file, 'utf8')) as Results;
  return before.half === half ? before : fail(`${file} holds the ${before.half} half, and this is the ${half} half`);
}

async function run(all: readonly Market[], half: Half): Promise<Results> {
  const steps = all.reduce((sum, { listings }) => sum + stepsOf(listings.length), 0);
  const progress = showProgress('published and matched', steps);
  const tasks: TaskResult[] = [];
  for (const market of all) tasks.push(...resultsOf(market, await matchesOf(market.listings, progress)));
  progress.done();
  return { half, tasks };
}

function sizes({ tasks }: Results): object {
  return Object.fromEntries(
    tasks.map(({ name, service, seeks, offers }) => [
      name,
      { queries: Object.keys(service).length, seeks: Object.keys(seeks).length, offers: Object.keys(offers).length },
    ]),
  );
}

const { tuning, formula, data, json, beside } = given();
const half: Half = tuning ? 'tuning' : 'reporting';
const rows = readListings(data);
if (!rows) fail(`${data ?? 'shared/data/listings.jsonl'} is not there: nothing to measure on`);
if (formula) {
  printFormula(rows, half);
} else {
  const before = beside === undefined ? null : earlier(beside, half);
  const results = await run(markets(rows, half), half);
  const figures = figuresOf(results);
  if (json !== undefined) writeFileSync(json, JSON.stringify({ ...results, figures }));
  console.log(`The ${half} half, with 95 % intervals`);
  console.table(sizes(results));
  printFigures(figures, false);
  if (before) {
    console.log(`\nDifferences to ${beside}; a star marks those that are no noise`);
    printFigures(figuresOf(results, before), true);
  }
}
process.exit(0);
