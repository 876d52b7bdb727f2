// The figures of a run as tables, and beside those of an earlier run: a difference counts as a gain when its interval,
// made of the same queries in pairs, leaves out zero.

import { type Figure, meanOf, minus, type Resampled, withInterval } from './measures.ts';
import { countsOf, MEASURES, measured, type Results, SHARES, spreadOf, type TaskResult } from './results.ts';

const SIDES = ['seeks', 'offers', 'both'] as const;
const QUANTILES = SHARES.map((share) => `p${share * 100}`);
type Ranker = 'service' | 'bm25';

type Line = Readonly<Record<string, Figure>>;

/** The figures of a run, as they are written down. */
export interface Figures {
  /** Ranking, by ranker, task (`mean` for all) and measure. */
  readonly ranking: Readonly<Record<Ranker, Readonly<Record<string, Line>>>>;
  /** Matches a listing, by task (`all` for all) and side with quantile. */
  readonly matches: Readonly<Record<string, Line>>;
}

type Pair = readonly [now: TaskResult, before: TaskResult | null];

function line(names: readonly string[], figures: readonly Resampled[]): Line {
  return Object.fromEntries(figures.map((figure, at) => [names[at] ?? '', withInterval(figure)]));
}

const shared = (a: object, b: object): string[] => Object.keys(a).filter((id) => id in b);

/** Of one task's ranking, the figures, or their differences to those of before. */
function rankingOf([now, before]: Pair, ranker: Ranker): Resampled[] {
  const ids = shared(now[ranker], (before ?? now)[ranker]);
  const figures = measured(now[ranker], ids);
  if (!before) return figures;
  const earlier = measured(before[ranker], ids);
  return figures.map((figure, at) => minus(figure, earlier[at] ?? figure));
}

function rankingLines(pairs: readonly Pair[], ranker: Ranker): Record<string, Line> {
  const all = pairs.map((pair) => rankingOf(pair, ranker));
  const means = MEASURES.map((_, at) => meanOf(all.flatMap((figures) => figures[at] ?? [])));
  const tasks = pairs.map(([{ name }], i) => [name, line(MEASURES, all[i] ?? [])]);
  return { ...Object.fromEntries(tasks), mean: line(MEASURES, means) };
}

/** All tasks' listings as if they were of one. */
function pooled(tasks: readonly TaskResult[]): TaskResult {
  const all = (side: 'seeks' | 'offers'): Record<string, number> =>
    Object.fromEntries(tasks.flatMap((task) => Object.entries(task[side]).map(([id, n]) => [`${task.name} ${id}`, n])));
  return { name: 'all', service: {}, bm25: {}, seeks: all('seeks'), offers: all('offers') };
}

function matchesLine([now, before]: Pair): Line {
  const lines = SIDES.map((side) => {
    const counts = countsOf(now, side);
    const earlier = before && countsOf(before, side);
    const ids = shared(counts, earlier ?? counts);
    const figures = spreadOf(counts, ids);
    const than = earlier && spreadOf(earlier, ids);
    const told = than ? figures.map((figure, at) => minus(figure, than[at] ?? figure)) : figures;
    return line(
      QUANTILES.map((name) => `${side} ${name}`),
      told,
    );
  });
  return Object.assign({}, ...lines);
}

/** The figures of a run; with an earlier run, the differences to it, over the queries that both have. */
export function figuresOf(now: Results, before: Results | null = null): Figures {
  const earlier = new Map(before?.tasks.map((task) => [task.name, task]));
  const pairs: Pair[] = now.tasks
    .filter(({ name }) => !before || earlier.has(name))
    .map((task) => [task, earlier.get(task.name) ?? null]);
  const all: Pair = [
    pooled(pairs.map(([task]) => task)),
    before && pooled(pairs.flatMap(([, task]) => (task ? [task] : []))),
  ];
  return {
    ranking: { service: rankingLines(pairs, 'service'), bm25: rankingLines(pairs, 'bm25') },
    matches: Object.fromEntries([...pairs, all].map((pair) => [pair[0].name, matchesLine(pair)])),
  };
}

const share = (value: number): string => value.toFixed(3).replace(/^(-?)0\./, '$1.');
const signed = (text: string): string => (text.startsWith('-') ? text : `+${text}`);

function cell({ value, low, high }: Figure, write: (value: number) => string, difference: boolean): string {
  if (!difference) return `${write(value)} (${write(low)}–${write(high)})`;
  const sure = low > 0 || high < 0 ? ' *' : '';
  return `${signed(write(value))} (${signed(write(low))} to ${signed(write(high))})${sure}`;
}

function print(title: string, lines: Readonly<Record<string, Line>>, columns: readonly string[], difference: boolean) {
  const write = title.startsWith('matches') ? String : share;
  const rows = Object.entries(lines).map(([name, figures]) => {
    const cells = columns.flatMap((column) => {
      const figure = figures[column];
      return figure ? [[column, cell(figure, write, difference)]] : [];
    });
    return [name, Object.fromEntries(cells)];
  });
  console.log(`\n${title}`);
  console.table(Object.fromEntries(rows));
}

/** Prints figures with their 95 % intervals. `difference`: they are differences, and a star marks what is no noise. */
export function printFigures({ ranking, matches }: Figures, difference: boolean): void {
  const [recalls, shares] = [MEASURES.filter((name) => !name.startsWith('share')), MEASURES.slice(4)];
  print('through the service', ranking.service, recalls, difference);
  print('through the service, of all that is right', ranking.service, shares, difference);
  if (!difference) {
    print('BM25 over the same texts, its first 30', ranking.bm25, recalls, difference);
    print('BM25, of all that is right', ranking.bm25, shares, difference);
  }
  for (const side of SIDES) {
    const columns = QUANTILES.map((name) => `${side} ${name}`);
    print(`matches a listing, ${side === 'both' ? 'seeks and offers together' : side}`, matches, columns, difference);
  }
}
