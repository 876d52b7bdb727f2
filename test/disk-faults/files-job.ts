// Runs in a process of its own, with the recorder: letters and backups on a disk that is broken or full at each of their calls in turn.
// Prints what was answered and what lay in the folder, a line each, then what came of the same on a disk that is whole again.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBackup, placeOf } from '../../src/compose/backup/create.ts';
import { createOutboxMailer } from '../../src/outbound/mailer/outbox.ts';
import { FROM, letter } from '../outbound/message.ts';
import { EIO, ENOSPC, type Kind, recorderOf } from './recorder.ts';

export interface AskedFiles {
  readonly what: 'letter' | 'backup';
  /** Where files may be made; `data` in it holds a database. */
  readonly folder: string;
}

export interface MetFiles {
  readonly error: number;
  readonly call: number;
  /** What was answered; null where all went well. */
  readonly refused: string | null;
  /** What lay in the place then, and after another try on a disk that is whole. */
  readonly left: readonly string[];
  readonly later: readonly string[];
}

const WRITING: readonly Kind[] = ['open', 'write', 'truncate', 'sync'];
const [library = '', asked = ''] = process.argv.slice(2);
// From the test that has started this job.
const { what, folder } = JSON.parse(asked) as AskedFiles;
const recorder = recorderOf(library);

interface Attempt {
  readonly place: string;
  /** Why it was refused; null where it was not. */
  run(): Promise<string | null>;
}

/** The name that a letter has is that of its id. */
function letterIn(place: string): Attempt {
  const mailer = createOutboxMailer(place, FROM);
  return {
    place: join(place, 'outbox'),
    run: async () => {
      const result = await mailer.send(letter());
      return result.sent ? null : result.reason;
    },
  };
}

function backupIn(place: string): Attempt {
  const scratchDir = recorder.aside(() => mkdtempSync(join(folder, 'scratch-')));
  const config = { dataDir: join(folder, 'data'), internalToken: undefined, backupDir: place, scratchDir };
  const s3 = { s3Endpoint: undefined, s3Region: undefined, s3AccessKeyId: undefined, s3SecretAccessKey: undefined };
  const whole = { ...config, ...s3, backupPassphrase: undefined };
  return {
    place,
    run: () =>
      createBackup(whole, placeOf(whole), Date.UTC(2026, 0, 1), () => {}).then(
        () => null,
        (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
      ),
  };
}

/** The names and sizes of what lies in a folder. */
function lying(place: string): string[] {
  return recorder.aside(() => readdirSync(place).map((name) => `${name} ${readFileSync(join(place, name)).length}`));
}

async function meet(error: number, call: number): Promise<{ met: MetFiles; reached: boolean }> {
  const place = mkdtempSync(join(folder, 'place-'));
  mkdirSync(join(place, 'outbox'), { recursive: true });
  const { place: where, run } = what === 'letter' ? letterIn(place) : backupIn(join(place, 'outbox'));
  recorder.watch(place);
  recorder.fail({ first: call, last: call, error, kinds: WRITING });
  const refused = await run();
  const reached = recorder.calls() >= call;
  recorder.fail({ first: 0, last: -1, error: 0, kinds: WRITING });
  const left = lying(where);
  if (refused !== null) await run();
  return { met: { error, call, refused, left, later: lying(where) }, reached };
}

for (const error of [EIO, ENOSPC]) {
  for (let call = 1; ; call += 1) {
    const { met, reached } = await meet(error, call);
    process.stdout.write(`${JSON.stringify(met)}\n`);
    if (!reached) break;
  }
}
process.exit(0);
