// meshwork update FILE --sha256 SUM: takes a new binary in the place of this one, and puts the old one back where the new one does not get
// ready. Nothing is downloaded. What is under way stands in DATA_DIR/update.json, so that one that was cut off is finished by the next.

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
import { isOurs, isReady, type Served, serveAgain, servedProcess, stopServing } from './served-process.ts';
import { expectArguments, leave, settings } from './settings.ts';

const READY_MS = 60_000;

interface Note {
  readonly binary: string;
  readonly old_sum: string;
  readonly new_sum: string;
  readonly before: Before;
  /** How the service was started; null where none ran. */
  readonly served: Omit<Served, 'out' | 'err' | 'pid'> | null;
}

const say = (what: string): void => console.error(`meshwork: ${what}`);
const noteFile = ({ dataDir }: Config): string => join(dataDir, 'update.json');
const keptAs = (binary: string): string => `${binary}.old`;

async function sumOf(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk);
  return hash.digest('hex');
}

/** Writes a file whole or not at all. */
function putFile(path: string, write: (draft: string) => void): void {
  const draft = `${path}.new`;
  write(draft);
  const file = openSync(draft, 'r');
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
}

/** At each moment the old binary or the new one is there as a whole. */
function swap(binary: string, file: string): void {
  const { mode } = statSync(binary);
  putFile(binary, (draft) => {
    copyFileSync(file, draft);
    chmodSync(draft, mode);
    rmSync(keptAs(binary), { force: true });
    linkSync(binary, keptAs(binary));
  });
}

function putOldBack(binary: string): void {
  const { mode } = statSync(keptAs(binary));
  putFile(binary, (draft) => {
    copyFileSync(keptAs(binary), draft);
    chmodSync(draft, mode);
  });
}

/** Refuses a file that is not what was meant, or does not run on this machine. */
async function expectBinary(file: string, sum: string): Promise<void> {
  if (!existsSync(file)) leave(2, `${file} is not there`);
  const found = await sumOf(file);
  if (found !== sum.toLowerCase()) leave(1, `${file} has another sum: ${found}; nothing was changed`);
  const tried = Bun.spawnSync([resolve(file), 'version'], { timeout: 30_000, stdout: 'pipe', stderr: 'pipe' });
  if (!tried.success || !tried.stdout.toString().startsWith('meshwork '))
    leave(1, `${file} does not run on this machine as meshwork (is it executable?); nothing was changed`);
}

/** Back to the old binary, and to the database that it opens. */
async function putBack(
  config: Config,
  { binary, before, served }: Note,
  outputs: Pick<Served, 'out' | 'err'>,
): Promise<void> {
  await stopServing(config);
  const problem = await bringBack(config, before, Date.now(), say);
  if (problem !== null) leave(1, problem);
  putOldBack(binary);
  rmSync(noteFile(config));
  if (served === null) return;
  const ready = await serveAgain(config, binary, { ...served, ...outputs, pid: 0 }, READY_MS);
  say(ready ? 'the old binary is back and serves' : `the old binary is back and does not get ready: look at the log`);
}

/** Finishes an update that was cut off: done where the new one serves, else put back. */
async function finish(config: Config): Promise<boolean> {
  if (!existsSync(noteFile(config))) return false;
  // Ours: the folder is private to the service.
  const note = JSON.parse(readFileSync(noteFile(config), 'utf8')) as Note;
  if ((await sumOf(note.binary)) === note.old_sum) {
    rmSync(noteFile(config));
    say('an update was cut off before the binary was changed');
    return true;
  }
  const log = openSync(join(config.dataDir, 'update.log'), 'a', 0o600);
  const { served, binary } = note;
  const again = { out: log, err: log };
  const anew = served && { ...served, ...again, pid: 0 };
  const ready = (await isReady(config)) || (anew !== null && (await serveAgain(config, binary, anew, READY_MS)));
  if (!ready) await putBack(config, note, again);
  rmSync(noteFile(config), { force: true });
  say(
    ready ? 'an update that was cut off is done: the new binary serves' : 'an update that was cut off was taken back',
  );
  return true;
}

async function update(config: Config, binary: string, file: string, new_sum: string): Promise<void> {
  const served = servedProcess(config);
  if (served && served.unit === null && !isOurs(served)) leave(1, 'run it as the user of the service');
  if (config.databaseUrl !== undefined)
    say('DATABASE_URL is set: back that database up by its own means before (pg_dump)');
  const before = await backUpBefore(config, Date.now(), say);
  const how = served && { cwd: served.cwd, env: served.env, unit: served.unit };
  const note: Note = { binary, old_sum: await sumOf(binary), new_sum, before, served: how };
  putFile(noteFile(config), (draft) => writeFileSync(draft, JSON.stringify(note), { mode: 0o600 }));
  swap(binary, file);
  if (!served) {
    rmSync(noteFile(config));
    return console.log(`${binary} is the new one, and the old one is ${keptAs(binary)}; no service runs`);
  }
  await stopServing(config);
  if (await serveAgain(config, binary, served, READY_MS)) {
    rmSync(noteFile(config));
    return console.log(`the new binary serves; the old one is ${keptAs(binary)}`);
  }
  say('the new binary did not get ready within a minute');
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
  },
  run: async ({ args, rawArgs }) => {
    const options = rawArgs.filter((argument) => argument.startsWith('-'));
    const strange = options.filter((argument) => !/^--(sha256|binary)(=|$)/.test(argument));
    expectArguments(strange, 0);
    const config = settings();
    if (args.file !== undefined && args.sha256 === undefined) leave(2, 'the sum of the file is needed: --sha256 SUM');
    const binary = args.file === undefined ? '' : binaryOf(args.binary);
    try {
      const finished = await finish(config);
      if (args.file === undefined || args.sha256 === undefined) {
        if (!finished) say('no update was cut off');
        return;
      }
      await expectBinary(args.file, args.sha256);
      await update(config, binary, args.file, args.sha256.toLowerCase());
    } catch (error) {
      leave(1, error instanceof Error ? error.message : String(error));
    }
    process.exit();
  },
});
