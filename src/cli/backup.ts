// meshwork backup create|list|verify|restore: copies of one machine's database and secrets, proved and put back.

import { defineCommand } from 'citty';
import { createBackup, placeOf } from '../compose/backup/create.ts';
import { type Restored, restoreBackup } from '../compose/backup/restore.ts';
import { findBackup } from '../compose/backup/unpack.ts';
import { verifyBackup } from '../compose/backup/verify.ts';
import type { Config } from '../config.ts';
import { expectArguments, leave, settings } from './settings.ts';

const say = (what: string): void => console.error(`meshwork: ${what}`);

const whole = (n: number): string => n.toLocaleString('en-US');
const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** Columns as wide as what is in them. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Does a verb's work; what stands in its way ends the process with one line. */
async function orLeave<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return leave(1, error instanceof Error ? error.message : String(error));
  }
}

/** The arguments without those that belong to a flag of the verb. */
function expectOnly(raw: readonly string[], flags: readonly string[], count: number): void {
  const rest: string[] = [];
  for (let at = 0; at < raw.length; at += 1) {
    const argument = raw[at] ?? '';
    const [flag = ''] = argument.split('=', 1);
    if (!flags.includes(flag)) rest.push(argument);
    else if (!argument.includes('=') && (flag === '--to' || flag === '--from')) at += 1;
  }
  expectArguments(rest, count);
}

function warnOfClear({ backupPassphrase }: Config): void {
  if (backupPassphrase === undefined)
    say('BACKUP_PASSPHRASE is not set: the secrets of the service lie in the backup in clear');
}

const create = defineCommand({
  meta: { name: 'create', description: 'make a backup; a running server goes on' },
  args: { to: { type: 'string', description: 'a folder or s3://bucket/prefix in place of BACKUP_DIR' } },
  run: async ({ args, rawArgs }) => {
    expectOnly(rawArgs, ['--to'], 0);
    const config = settings();
    warnOfClear(config);
    const made = await orLeave(async () => createBackup(config, placeOf(config, args.to), Date.now(), say));
    for (const name of made.missing) say(`${name} is not in ${config.dataDir}, and so not in the backup`);
    console.log(`${made.address} (${whole(made.bytes)} bytes)`);
  },
});

const list = defineCommand({
  meta: { name: 'list', description: 'list the backups of a place, the newest first' },
  args: { from: { type: 'string', description: 'a folder or s3://bucket/prefix in place of BACKUP_DIR' } },
  run: async ({ args, rawArgs }) => {
    expectOnly(rawArgs, ['--from'], 0);
    const config = settings();
    const kept = await orLeave(async () => placeOf(config, args.from).list());
    const rows = kept.map(({ name, made_at, bytes, encrypted }) => [
      ...[name, time(made_at), whole(bytes)],
      encrypted ? 'encrypted' : 'in clear',
    ]);
    console.log(rows.length === 0 ? 'no backup is there' : tableOf([['name', 'made at', 'bytes', ''], ...rows]));
  },
});

const NAMED = {
  type: 'positional',
  description: 'a file, the name of a backup, or latest',
  default: 'latest',
} as const;

const verify = defineCommand({
  meta: { name: 'verify', description: 'restore a backup into a scratch folder and look at all that must hold of it' },
  args: { backup: NAMED },
  run: async ({ args, rawArgs }) => {
    expectArguments(rawArgs, 1);
    const config = settings();
    const found = await orLeave(() => findBackup(config, args.backup));
    const { result, problems, manifest } = await orLeave(() => verifyBackup(config, found, Date.now(), say));
    if (manifest) {
      const { made_at, version, rows, ledger, head } = manifest;
      const figures = { ...rows, 'ledger accounts': ledger.accounts, 'held cents': ledger.held_cents };
      const texts = { 'made at': time(made_at), version, 'newest event': head.event, 'sealed until': head.sealed_day };
      console.log(
        tableOf([
          ...Object.entries(texts).map(([name, text]) => [name, text ?? 'none']),
          ...Object.entries(figures).map(([name, n]) => [name, whole(n)]),
        ]),
      );
    }
    for (const problem of problems) console.log(`  ${problem}`);
    console.log(`${found.name}: ${result}`);
    if (result !== 'ok') process.exitCode = 1;
  },
});

function told(folder: string, { manifest, replaced, epoch }: Restored): string {
  const from = manifest === null ? 'the restore that was cut off' : `the backup of ${time(manifest.made_at)}`;
  const before = replaced === null ? '' : `; what was there before is in ${replaced}`;
  return `${from} is in ${folder}, epoch ${epoch}${before}`;
}

const restore = defineCommand({
  meta: { name: 'restore', description: 'put a backup into a data folder that no service uses' },
  args: {
    backup: NAMED,
    to: { type: 'string', description: 'a folder in place of DATA_DIR' },
    replace: { type: 'boolean', description: 'move what is there into a folder replaced-…, which stays in it' },
  },
  run: async ({ args, rawArgs }) => {
    expectOnly(rawArgs, ['--to', '--replace'], 1);
    const config = settings();
    const folder = args.to ?? config.dataDir;
    const asked = { folder, replace: args.replace === true, now_ms: Date.now() };
    const find = () => findBackup(config, args.backup);
    console.log(told(folder, await orLeave(() => restoreBackup(config, find, asked, say))));
  },
});

export const backup = defineCommand({
  meta: { name: 'backup', description: 'back up the database and the secrets, prove backups, put them back' },
  subCommands: { create, list, verify, restore },
});
