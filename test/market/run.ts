// scripts/market: plays the tasks and prints what came of them, beside what is asked.
import { showProgress } from '../../src/cli/demo/progress.ts';
import { leave, wholeNumber, wordsGiven } from '../support/words-given.ts';
import { contactRounds } from './contact.ts';
import { figuresOf } from './figures.ts';
import { againstOthers } from './others.ts';
import { type Played, playServed } from './served.ts';
import { type Task, tasksOf } from './tasks.ts';

const SEED = 20_261_128;
const EQUAL = [28_000, 28_000, 28_000] as const;
const THREE = [20_000, 28_000, 36_000] as const;
const ROUNDS = 600;
const AGAINST = 400;
const MEAN_MOST_CENTS = 30_000;
const MESSAGES_MOST = 12;
const FIRST_MOST = 1.2;

const share = (part: number, whole: number): string => (whole === 0 ? '–' : ((100 * part) / whole).toFixed(1));
const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
const met = (holds: boolean): string => (holds ? 'yes' : 'NO');

async function tasks(seed: number): Promise<void> {
  const all = tasksOf(seed);
  const progress = showProgress('tasks played', all.length);
  const played: [Task, Played][] = [];
  for (const task of all) {
    played.push([task, await playServed(task)]);
    progress.step();
  }
  progress.done();
  console.log(`${all.length} tasks in the service, seed ${seed}`);
  console.table(
    Object.fromEntries(
      figuresOf(played).map((got) => [
        got.kind,
        {
          tasks: got.tasks,
          'agree %': share(got.did, got.could),
          'welfare %': share(got.gained, got.best),
          'outside bounds': got.beyond,
          'deals too many': got.twice,
          'messages a side': got.messages,
          'private figures': got.told,
          'minutes until the last deal': Math.round(got.minutes),
          'ms a task': Math.round(got.ms / got.tasks),
        },
      ]),
    ),
  );
}

async function contact(seed: number, rounds: number): Promise<void> {
  const progress = showProgress('rounds of three equal sellers', rounds);
  const { wins, ...got } = await contactRounds(rounds, EQUAL, seed, () => progress.step());
  progress.done();
  const [first, , last] = wins;
  const times = first / Math.max(1, last);
  console.log(`${rounds} rounds of three equal sellers in the service, seed ${seed}`);
  console.log(
    `  won by the one contacted first, second, last: ${wins.join(', ')}; none ${got.none}; ` +
      `first beside last ${times.toFixed(2)}, at most ${FIRST_MOST}: ${met(times <= FIRST_MOST)}`,
  );
  console.log(`  messages a side ${got.messages}, private figures ${got.told}, ${Math.round(got.ms)} ms a round`);
}

async function price(seed: number, rounds: number): Promise<void> {
  const progress = showProgress('rounds of three floors', rounds);
  const got = await contactRounds(rounds, THREE, seed, () => progress.step());
  progress.done();
  console.log(`${rounds} rounds of floors of $200, $280 and $360 in the service, seed ${seed}`);
  console.log(
    `  mean price ${dollars(got.mean_cents)}, at most ${dollars(MEAN_MOST_CENTS)}: ${met(got.mean_cents <= MEAN_MOST_CENTS)}; ` +
      `none ${got.none}; last deal after ${Math.round(got.minutes)} minutes; messages a side ${got.messages}, ` +
      `at most ${MESSAGES_MOST}: ${met(got.messages <= MESSAGES_MOST)}`,
  );
}

function others(seed: number): void {
  const rows = againstOthers(AGAINST, seed);
  const places = Object.keys(rows[0]?.utility ?? {});
  const means = places.map((place) => [
    place,
    (rows.reduce((sum, { utility }) => sum + (utility[place] ?? 0), 0) / rows.length).toFixed(3),
  ]);
  console.log(`${AGAINST} tasks against each opponent, by the pure negotiator in words, seed ${seed}: mean utility`);
  console.table(
    Object.fromEntries([
      ...rows.map(({ opponent, utility, agreed, beyond }) => [
        opponent,
        {
          ...Object.fromEntries(places.map((place) => [place, (utility[place] ?? 0).toFixed(3)])),
          'ours agrees %': (100 * (agreed['ours'] ?? 0)).toFixed(1),
          'outside bounds': beyond,
        },
      ]),
      ['all', Object.fromEntries(means)],
    ]),
  );
}

const PARTS = ['tasks', 'contact', 'price', 'others'] as const;

const { values, positionals } = wordsGiven({
  options: { seed: { type: 'string' }, rounds: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.find((part) => !PARTS.some((known) => known === part));
if (unknown !== undefined) leave(`there is no part ${unknown}; it takes ${PARTS.join(', ')}`);
const wanted = (part: (typeof PARTS)[number]): boolean => positionals.length === 0 || positionals.includes(part);
const seed = wholeNumber('--seed', values.seed, SEED, 1);
const rounds = wholeNumber('--rounds', values.rounds, ROUNDS, 6);
if (wanted('others')) others(seed);
if (wanted('price')) await price(seed, Math.min(rounds, 72));
if (wanted('tasks')) await tasks(seed);
if (wanted('contact')) await contact(seed, rounds);
process.exit(0);
