// meshwork demo: loads listings as agents through the API alone, shows whom matching brings together and why, and
// walks one pair from match to answer. It uses a server of its own in a temporary folder, or one that runs (--url).

import { defineCommand } from 'citty';
import { openClient } from './demo/client.ts';
import { readSamples, type Sample } from './demo/listings.ts';
import { type Loaded, load, namesFor } from './demo/load.ts';
import { asksFor, collectMatches, pickBest, readInFull } from './demo/matches.ts';
import { DemoProblem } from './demo/problem.ts';
import { showProgress } from './demo/progress.ts';
import { loadingLines, matchLines, pairingLines } from './demo/report.ts';
import { type DemoServer, startOwn, useRunning } from './demo/server.ts';
import { walkPair } from './demo/walk.ts';
import { leave, settings } from './settings.ts';

const ARGUMENTS = {
  data: { type: 'string', description: 'a file of JSON lines, one listing each; when left out, 60 of its own' },
  rows: { type: 'string', description: 'load the first so many listings; all when left out' },
  top: { type: 'string', description: 'matches in the table', default: '12' },
  url: { type: 'string', description: 'a server that runs, instead of one of its own' },
  'internal-token': {
    type: 'string',
    description: "that server's token; INTERNAL_TOKEN when left out",
  },
  keep: { type: 'boolean', description: 'keep its own server running at the end, until Ctrl-C' },
} as const;

/** Far above what the demo loads in a sensible time. */
const ROWS_MAX = 1_000_000;

interface Options {
  readonly samples: readonly Sample[];
  readonly top: number;
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly keep: boolean;
}

function wholeNumber(name: string, text: string): number {
  const n = Number(text);
  if (/^\d{1,7}$/.test(text) && n >= 1 && n <= ROWS_MAX) return n;
  throw new DemoProblem(2, `--${name} takes a whole number from 1 on, not "${text}"`);
}

/** Refuses what is no option: a mistyped one must not be taken for its effect. */
function checkNames(raw: readonly string[]): void {
  const names = raw.filter((text) => text.startsWith('-')).map((text) => text.replace(/^-+/, '').split('=')[0] ?? '');
  const unknown = names.find((name) => !Object.hasOwn(ARGUMENTS, name.replace(/^no-/, '')));
  if (unknown !== undefined) throw new DemoProblem(2, `there is no option --${unknown}; see --help`);
}

const say = (line: string): void => console.log(line);

function heading(text: string): void {
  say(`\n${text}\n`);
}

async function runFirst(client: ReturnType<typeof openClient>, loaded: readonly Loaded[]): Promise<void> {
  const one = loaded.find(asksFor);
  if (!one) return;
  const body = { listing_id: one.listing_id, limit: 1 };
  const run = await client.expect('POST', '/api/matching/run', one.agent.account, body);
  say(
    `POST /api/matching/run for “${one.sample.headline}” looked at ${String(run.body.considered)} candidates in ` +
      `${String(run.body.took_ms)} ms.`,
  );
}

async function show(server: DemoServer, { samples, top, url }: Options): Promise<void> {
  const client = openClient(server.url);
  const names = namesFor(url === undefined ? null : Date.now().toString(36));
  const loading = showProgress('listings', samples.length);
  const result = await load(client, server.internal_token, samples, names, loading);
  loading.done();
  heading('What was loaded');
  for (const line of loadingLines(result)) say(line);
  const asked = result.loaded.filter(asksFor);
  const reading = showProgress('inboxes', asked.length);
  const matches = await collectMatches(client, result.loaded, reading);
  reading.done();
  heading(`Who met whom: ${matches.length.toLocaleString('en-US')} matches`);
  for (const line of pairingLines(matches)) say(line);
  await runFirst(client, asked);
  const best = await readInFull(client, pickBest(matches, top));
  heading(`The best ${best.length}, each listing once`);
  for (const line of matchLines(best)) say(line);
  say('Reading a match in full counts to the 10 matches a month of the Free plan, which all these accounts have.');
  const [pair] = best;
  if (!pair) throw new DemoProblem(1, 'none of these listings matched; load more rows, offers and seeks of one field');
  heading('One pair, from match to answer');
  await walkPair(client, pair, say);
  client.close();
}

function closingLines(own: boolean, url: string): void {
  heading('Where to go next');
  if (own) say('./scripts/serve      starts a server that stays; its API reference is at http://127.0.0.1:3000/docs');
  else say(`${url}/docs  is the API reference of this server`);
  say('README.md            has the first calls to make, and how the service is built');
}

async function run(options: Options): Promise<void> {
  const { url, token } = options;
  if (url !== undefined && token === undefined) {
    throw new DemoProblem(2, '--url needs --internal-token (it is in DATA_DIR/internal-token of that server)');
  }
  const server = url === undefined ? await startOwn() : useRunning(url, token ?? '');
  const stopped = Promise.withResolvers<void>();
  const onSignal = (): void => stopped.resolve();
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    const ended = await Promise.race([
      show(server, options).then(() => 'shown'),
      stopped.promise.then(() => 'stopped'),
    ]);
    if (ended === 'stopped') throw new DemoProblem(1, 'stopped');
    closingLines(url === undefined && !options.keep, server.url);
    if (options.keep && url === undefined) {
      say(`\nStill serving at ${server.url} until Ctrl-C; the internal token is ${server.internal_token}`);
      await stopped.promise;
    }
  } finally {
    await server.stop();
  }
}

export const demo = defineCommand({
  meta: { name: 'demo', description: 'load listings as agents and show how they are matched and talk' },
  args: ARGUMENTS,
  run: async ({ args, rawArgs }) => {
    try {
      checkNames(rawArgs);
      const { url } = args;
      const token = args['internal-token'] ?? (url === undefined ? undefined : settings().internalToken);
      const samples = readSamples(args.data, args.rows === undefined ? ROWS_MAX : wholeNumber('rows', args.rows));
      await run({ samples, top: wholeNumber('top', args.top), url, token, keep: args.keep === true });
      process.exit(0);
    } catch (error) {
      if (error instanceof DemoProblem) leave(error.status, error.message);
      throw error;
    }
  },
});
