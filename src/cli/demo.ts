// meshwork demo: loads listings as agents through the API only, shows matches with their reasons, and takes one pair from match
// to answer. It uses a server of its own in a temporary folder, or a running one (--url).

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { openClient } from './demo/client.ts';
import { readSamples, type Sample } from './demo/listings.ts';
import { runLive } from './demo/live.ts';
import { type Loaded, type LoadResult, load, namesFor } from './demo/load.ts';
import { asksFor, collectMatches, type Found, pickBest, readInFull, type Shown } from './demo/matches.ts';
import { DemoProblem } from './demo/problem.ts';
import { bar, showProgress } from './demo/progress.ts';
import { countText, fit, lineWidth, wrap } from './demo/table.ts';
import { walkPair } from './demo/walk.ts';
import { leave, settings } from './settings.ts';

// The report of the loading: the number of live listings and why others are not, the matched kinds, and the best matches with
// their reasons.

const SCORE_CELLS = 10;
/** The score's number, its bar, and the gaps between the columns. */
const LEFT_CELLS = 5 + SCORE_CELLS + 2;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function tally(keys: Iterable<string>): [string, number][] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** Why a listing is not live, in words. */
function whyNot({ status, missing }: Loaded): string {
  if (status === 'draft' && missing.length > 0) return `draft, without ${missing.join(' and ')}`;
  if (status === 'pending_verification') return 'held until its site is proven by DNS';
  return status;
}

function loadingLines({ accounts, loaded, refused, took_ms }: LoadResult): string[] {
  const live = loaded.filter(({ status }) => status === 'live');
  const waiting = tally(loaded.filter(({ status }) => status !== 'live').map(whyNot));
  const drafts = loaded.filter(({ status }) => status === 'draft').length;
  const rate = Math.round((loaded.length / took_ms) * 1000);
  const types = tally(live.map(({ sample }) => sample.card_type)).map(([type, n]) => `${type} ${n}`);
  return [
    `${countText(loaded.length, 'agent')} of ${countText(accounts, 'account')}, signed up and verified in ` +
      `${seconds(took_ms)} (${rate} listings a second, each matched before its answer)`,
    `live     ${live.length}: ${types.join(', ')}`,
    `drafts   ${drafts}`,
    ...waiting.map(([why, n]) => `         ${n} ${why}`),
    ...[...refused].map(([code, { count, headline }]) => `refused  ${count} ${code}, such as “${headline}”`),
  ];
}

/** How often which card types met. */
function pairingLines(matches: readonly Found[]): string[] {
  const pairs = tally(matches.map(({ offer, seek }) => `${offer.sample.card_type} – ${seek.sample.card_type}`));
  const most = pairs[0]?.[1] ?? 1;
  return pairs.map(([name, n]) => `${name.padEnd(32)} ${String(n).padStart(7)}  ${bar(n / most, 20).trimEnd()}`);
}

function amountOf({ sample }: Loaded): string {
  const cents = sample.body.price_cents ?? sample.body.budget_cents;
  if (typeof cents !== 'number') return 'no amount';
  const money = `$${(cents / 100).toLocaleString('en-US', { maximumFractionDigits: 2 })}`;
  const { price_period: period = 'once' } = sample.body;
  return period === 'once' ? money : `${money} a ${String(period)}`;
}

function place(loaded: Loaded): string {
  const { geo } = loaded.sample.body;
  return [`@${loaded.agent.handle}`, amountOf(loaded), geo].filter(Boolean).join(' · ');
}

/** The matches as a table: the offer beside the seek, with the reasons below. */
function matchLines(matches: readonly Shown[]): string[] {
  const width = lineWidth();
  const half = Math.floor((width - LEFT_CELLS - 2) / 2);
  const indent = ' '.repeat(LEFT_CELLS);
  const row = (left: string, a: string, b: string): string => `${left}${fit(a, half)}  ${fit(b, half)}`.trimEnd();
  const lines = [row('score'.padEnd(LEFT_CELLS), 'offer', 'seek'), '─'.repeat(width)];
  for (const { score, offer, seek, reasons } of matches) {
    const left = `${score.toFixed(2)} ${bar(score, SCORE_CELLS)}`.padEnd(LEFT_CELLS);
    lines.push(row(left, offer.sample.headline, seek.sample.headline), row(indent, place(offer), place(seek)));
    for (const text of wrap(`→ ${reasons.join('; ')}`, width - LEFT_CELLS)) lines.push(indent + text);
    lines.push('');
  }
  return lines;
}

// The server that the demo talks to: one of its own, a child process in a temporary folder that goes with it, or one
// that runs already. Its own is given a bare environment, so that no setting of the caller sends real mail.

interface DemoServer {
  readonly url: string;
  readonly internal_token: string;
  /** Resolves once the server has ended; one that ran before the demo keeps running. */
  stop(): Promise<void>;
}

const TOKEN_BYTES = 24;
/** A server that has not ended by then is ended. */
const STOP_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 30_000;

/** This program again, with the verb `serve`; inside the single binary the program is all that there is to name. */
function serveCommand(): string[] {
  const compiled = Bun.main.startsWith('/$bunfs/');
  return [process.execPath, ...(compiled ? [] : [join(import.meta.dir, 'meshwork.ts')]), 'serve'];
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  for (let text = ''; ; ) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    if (done || text.includes('\n')) return text;
  }
}

/** Starts a temporary server on a free loopback port. */
async function startOwn(): Promise<DemoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-demo-'));
  const internal_token = randomBytes(TOKEN_BYTES).toString('hex');
  const child = Bun.spawn(serveCommand(), {
    // A .env file in the caller's folder is not this server's.
    cwd: folder,
    env: {
      HOME: homedir(),
      TMPDIR: tmpdir(),
      DATA_DIR: join(folder, 'data'),
      HOST: '127.0.0.1',
      PORT: '0',
      INTERNAL_TOKEN: internal_token,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      LOG_FORMAT: 'text',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await child.exited;
    clearTimeout(late);
    rmSync(folder, { recursive: true, force: true });
  };
  const slow = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  const line = await firstLine(child.stdout);
  clearTimeout(slow);
  const url = line.match(/listening on (\S+)/)?.[1];
  if (url !== undefined) return { url, internal_token, stop };
  await stop();
  throw new DemoProblem(1, `the demo's own server did not start; "meshwork serve" in an empty folder shows why`);
}

/** A server that runs already. */
function useRunning(url: string, internal_token: string): DemoServer {
  return { url: url.replace(/\/{1,9}$/, ''), internal_token, stop: () => Promise.resolve() };
}

const ARGUMENTS = {
  data: { type: 'string', description: 'a file of JSON lines, one listing each; when left out, 60 of its own' },
  rows: { type: 'string', description: 'load the first so many listings; all when left out' },
  top: { type: 'string', description: 'matches in the table', default: '12' },
  url: { type: 'string', description: 'a server that runs, instead of one of its own' },
  'internal-token': {
    type: 'string',
    description: "that server's token; INTERNAL_TOKEN when left out",
  },
  live: {
    type: 'boolean',
    description: 'forty agents on autopilot trade while you watch, until Ctrl-C; all else is left out',
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

/** Refuses unknown options, so that a mistyped one is not ignored. */
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

/** The demo world on a server of its own. */
async function live(): Promise<void> {
  const server = await startOwn();
  const stopped = Promise.withResolvers<void>();
  process.once('SIGINT', stopped.resolve).once('SIGTERM', stopped.resolve);
  const client = openClient(server.url);
  try {
    await Promise.race([runLive(client, server.internal_token, say), stopped.promise]);
    await stopped.promise;
  } finally {
    client.close();
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
      if (args.live === true) {
        await live();
        process.exit(0);
      }
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
