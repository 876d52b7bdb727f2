// meshwork backup create|list|verify|restore: copies of one machine's database and secrets, proved and put back.

import { defineCommand } from 'citty';
import { createBackup, placeOf } from '../compose/backup/create.ts';
import { noteOutcome, type Outcome } from '../compose/backup/record.ts';
import { type Restored, restoreBackup } from '../compose/backup/restore.ts';
import { backupsIn, findBackup } from '../compose/backup/unpack.ts';
import { verifyBackup } from '../compose/backup/verify.ts';
import type { Config } from '../config.ts';
import { expectArguments, leave, orLeave, refuseForeign, settings } from './settings.ts';
import { tableOf } from './table.ts';

const say = (what: string): void => console.error(`meshwork: ${what}`);

const whole = (n: number): string => n.toLocaleString('en-US');
const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

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

/** Stores the note of the last backup, for metrics, the doctor and administrators. */
function note({ dataDir }: Config, outcome: Outcome): void {
  try {
    noteOutcome(dataDir, outcome);
  } catch (error) {
    say(`this could not be noted in ${dataDir}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Where the database is PostgreSQL: says what to use in place of a verb. */
async function advise({ databaseDirectUrl }: Config, url: string): Promise<void> {
  const { dumpAdvice } = await import('../compose/backup/on-postgres.ts');
  // pg_dump needs a session; a pooler in transaction mode gives it another connection after each statement.
  const variable = databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  console.log((await orLeave(() => dumpAdvice(databaseDirectUrl ?? url, variable, Date.now()))).join('\n'));
}

async function verifyLive(url: string): Promise<void> {
  const { problemsOnPostgres } = await import('../compose/backup/on-postgres.ts');
  say('looking at the rows and the ledger of the database');
  const problems = await orLeave(() => problemsOnPostgres(url, Date.now()));
  for (const problem of problems) console.log(`  ${problem}`);
  console.log(`the database: ${problems.length === 0 ? 'ok' : 'wrong'}`);
  if (problems.length > 0) process.exitCode = 1;
}

async function mark(url: string | undefined): Promise<void> {
  if (url === undefined) leave(2, '--mark is for PostgreSQL; a restore of DATA_DIR marks by itself');
  const { markOnPostgres } = await import('../compose/backup/on-postgres.ts');
  console.log(`the database is marked as restored, epoch ${await orLeave(() => markOnPostgres(url, Date.now()))}`);
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
    if (config.databaseUrl !== undefined) return advise(config, config.databaseUrl);
    refuseForeign(config.dataDir);
    warnOfClear(config);
    const made = await orLeave(async () => createBackup(config, placeOf(config, args.to), Date.now(), say));
    if (args.to === undefined) note(config, { made });
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
    if (config.databaseUrl !== undefined) return advise(config, config.databaseUrl);
    const kept = await orLeave(async () => backupsIn(placeOf(config, args.from)));
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
    if (config.databaseUrl !== undefined) return verifyLive(config.databaseUrl);
    refuseForeign(config.dataDir);
    const found = await orLeave(() => findBackup(config, args.backup));
    const { result, problems, manifest } = await orLeave(() => verifyBackup(config, found, Date.now(), say));
    note(config, { name: found.name, proof: { result, problems, manifest }, at_ms: Date.now() });
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
    mark: {
      type: 'boolean',
      description: 'begin a new epoch of a PostgreSQL database that was restored by its own means',
    },
  },
  run: async ({ args, rawArgs }) => {
    expectOnly(rawArgs, ['--to', '--replace', '--mark'], 1);
    const config = settings();
    if (args.mark === true) return mark(config.databaseUrl);
    if (config.databaseUrl !== undefined) return advise(config, config.databaseUrl);
    const folder = args.to ?? config.dataDir;
    refuseForeign(config.dataDir);
    refuseForeign(folder, folder);
    const asked = { folder, replace: args.replace === true, now_ms: Date.now() };
    const find = () => findBackup(config, args.backup);
    console.log(told(folder, await orLeave(() => restoreBackup(config, find, asked, say))));
  },
});

export const backup = defineCommand({
  meta: { name: 'backup', description: 'back up the database and the secrets, prove backups, put them back' },
  subCommands: { create, list, verify, restore },
});
