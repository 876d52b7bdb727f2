// meshwork update FILE --sha256 SUM: replaces this binary with a new one, and restores the old one if the new one does not become ready.
// Nothing is downloaded. DATA_DIR/update.json has the progress, so that the next run finishes an interrupted one.

import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { defineCommand } from 'citty';
import { type Before, backUpBefore, bringBack } from '../compose/update.ts';
import type { Config } from '../config.ts';
import { serverProcess } from './running-server.ts';
import { isReady, obstacleIn, type Served, serveAgain, servedProcess, stopServing } from './served-process.ts';
import { expectArguments, leave, refuseForeign, settings } from './settings.ts';

const READY_MS = 60_000;
/** What a dry run of a migration prints where there is none. */
const UP_TO_DATE = 'the database is up to date';

interface Note {
  readonly binary: string;
  readonly old_sum: string;
  readonly new_sum: string;
  readonly before: Before;
  /** The time limit of the new one's start, including its backup and migration. */
  readonly wait_ms: number;
  /** The previous service, and how it was started; null when none ran. */
  readonly served: Omit<Served, 'out' | 'err'> | null;
}

const say = (what: string): void => console.error(`meshwork: ${what}`);
const noteFile = ({ dataDir }: Config): string => join(dataDir, 'update.json');
const keptAs = (binary: string): string => `${binary}.old`;
const draftOf = (path: string): string => `${path}.new`;

async function sumOf(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk);
  return hash.digest('hex');
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

/** Copies a file next to a binary, to replace it by a rename. */
function draw(binary: string, file: string): string {
  const draft = draftOf(binary);
  rmSync(draft, { force: true });
  copyFileSync(file, draft);
  chmodSync(draft, statSync(binary).mode);
  sync(draft);
  return draft;
}

/** At each moment the old binary or the new one is there as a whole. */
function swap(binary: string): void {
  rmSync(keptAs(binary), { force: true });
  linkSync(binary, keptAs(binary));
  renameSync(draftOf(binary), binary);
}

/** Copies the file and refuses a copy with another checksum, or that does not run on this machine; the checked copy is the one that is used. */
async function expectBinary(binary: string, file: string, sum: string): Promise<void> {
  const draft = draw(binary, file);
  const found = await sumOf(draft);
  if (found !== sum) throw new Error(`${file} has another sum: ${found}; nothing was changed`);
  const tried = Bun.spawnSync([draft, 'version'], { timeout: 30_000, stdout: 'pipe', stderr: 'pipe' });
  if (!tried.success || !tried.stdout.toString().startsWith('meshwork '))
    throw new Error(`${file} does not run on this machine as meshwork; nothing was changed`);
}

/** Back to the old binary, and to the database that it opens. */
async function putBack(
  config: Config,
  { binary, before, wait_ms, served }: Note,
  outputs: Pick<Served, 'out' | 'err'>,
): Promise<void> {
  await stopServing(config);
  const problem = await bringBack(config, before, Date.now(), say);
  if (problem !== null) leave(1, problem);
  renameSync(draw(binary, keptAs(binary)), binary);
  rmSync(noteFile(config));
  if (served === null) return;
  const ready = await serveAgain(config, binary, { ...served, ...outputs }, wait_ms);
  say(ready ? 'the old binary is back and serves' : `the old binary is back and does not get ready: look at the log`);
}

/** Finishes an update that was cut off: done where the new one serves, else put back. */
async function finish(config: Config): Promise<boolean> {
  if (!existsSync(noteFile(config))) return false;
  // Ours: the folder is private to the service.
  const note = JSON.parse(readFileSync(noteFile(config), 'utf8')) as Note;
  if ((await sumOf(note.binary)) === note.old_sum) {
    rmSync(draftOf(note.binary), { force: true });
    rmSync(noteFile(config));
    say('an update was cut off before the binary was changed');
    return true;
  }
  const log = openSync(join(config.dataDir, 'update.log'), 'a', 0o600);
  const { served, binary, wait_ms } = note;
  const again = { out: log, err: log };
  // The process of before answers too, until it is stopped.
  let ready = serverProcess(config)?.pid !== served?.pid && (await isReady(config));
  if (!ready && served !== null) {
    await stopServing(config);
    ready = await serveAgain(config, binary, { ...served, ...again }, wait_ms);
  }
  if (!ready) await putBack(config, note, again);
  rmSync(noteFile(config), { force: true });
  say(
    ready ? 'an update that was cut off is done: the new binary serves' : 'an update that was cut off was taken back',
  );
  return true;
}

/** Refuses a new binary that would migrate a database server, unless that was backed up: only the binary can be put back. */
function expectDumped({ databaseUrl }: Config, binary: string, is_dumped: boolean): void {
  if (databaseUrl === undefined) return;
  const tried = Bun.spawnSync([draftOf(binary), 'migrate', '--dry-run'], { stdout: 'pipe', stderr: 'pipe' });
  const [told, problem] = [tried.stdout.toString().trim(), tried.stderr.toString().trim()];
  if (tried.success && told === UP_TO_DATE) return;
  const pending = `the new version would migrate the database of DATABASE_URL, and an update puts back the binary alone (${tried.success ? told : problem})`;
  if (!is_dumped)
    throw new Error(`${pending}. Back the database up, see meshwork backup create; then add --database-backed-up`);
  say(`${pending}; a backup of it was made, as --database-backed-up says`);
}

async function update(config: Config, binary: string, new_sum: string): Promise<void> {
  const served = servedProcess(config);
  const began = performance.now();
  const before = await backUpBefore(config, Date.now(), say);
  const wait_ms = READY_MS + 2 * Math.ceil(performance.now() - began);
  const how = served && { pid: served.pid, cwd: served.cwd, env: served.env, unit: served.unit };
  const note: Note = { binary, old_sum: await sumOf(binary), new_sum, before, wait_ms, served: how };
  const draft = draftOf(noteFile(config));
  writeFileSync(draft, JSON.stringify(note), { mode: 0o600 });
  sync(draft);
  renameSync(draft, noteFile(config));
  swap(binary);
  if (!served) {
    rmSync(noteFile(config));
    return console.log(`${binary} is the new one, and the old one is ${keptAs(binary)}; no service runs`);
  }
  await stopServing(config);
  if (await serveAgain(config, binary, served, wait_ms)) {
    rmSync(noteFile(config));
    return console.log(`the new binary serves; the old one is ${keptAs(binary)}`);
  }
  say('the new binary did not get ready in time');
  await putBack(config, note, served);
  process.exitCode = 1;
}

/** The binary to replace: this one, unless it is a checkout's. */
function binaryOf(given: string | undefined): string {
  const binary = resolve(given ?? process.execPath);
  if (given === undefined && /^bun(-|$)/.test(basename(binary)))
    leave(2, 'this is a checkout: name the binary with --binary');
  return existsSync(binary) ? binary : leave(2, `${binary} is not there`);
}

export const updateVerb = defineCommand({
  meta: {
    name: 'update',
    description: 'take a new binary in the place of this one; put the old one back where it does not get ready',
  },
  args: {
    file: {
      type: 'positional',
      description: 'the new binary; without one an update that was cut off is finished',
      required: false,
    },
    sha256: { type: 'string', description: 'its sum, as the release tells it' },
    binary: { type: 'string', description: 'the binary to replace; this one unless said' },
    'database-backed-up': {
      type: 'boolean',
      description: 'with DATABASE_URL: let the new version migrate, since you have a backup to go back to',
    },
  },
  run: async ({ args, rawArgs }) => {
    const options = rawArgs.filter((argument) => argument.startsWith('-'));
    const strange = options.filter((argument) => !/^--(sha256|binary)(=|$)|^--database-backed-up$/.test(argument));
    expectArguments(strange, 0);
    const config = settings();
    refuseForeign(config.dataDir);
    if (args.file !== undefined && args.sha256 === undefined) leave(2, 'the sum of the file is needed: --sha256 SUM');
    const binary = args.file === undefined ? '' : binaryOf(args.binary);
    if (binary !== '' && resolve(args.file ?? '') === draftOf(binary))
      leave(2, `${args.file} is the name of a draft: name the new binary otherwise`);
    try {
      const obstacle = obstacleIn(config);
      if (obstacle !== null) leave(1, obstacle);
      const finished = await finish(config);
      if (args.file === undefined || args.sha256 === undefined) {
        if (!finished) say('no update was cut off');
        return;
      }
      if (!existsSync(args.file)) leave(2, `${args.file} is not there`);
      const sum = args.sha256.toLowerCase();
      await expectBinary(binary, args.file, sum);
      expectDumped(config, binary, args['database-backed-up'] === true);
      await update(config, binary, sum);
    } catch (error) {
      if (binary !== '') rmSync(draftOf(binary), { force: true });
      leave(1, error instanceof Error ? error.message : String(error));
    }
    process.exit();
  },
});
