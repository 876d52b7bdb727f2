// Verifies a backup: restores it into a folder of its own and runs all checks on it.
import { join } from 'node:path';
import { DATABASE_FILE } from '../../../db/sqlite/connection.ts';
import { contentsOf, noteIn, proveDatabase, refuseNewer } from '../../../db/sqlite/copy.ts';
import { BackupLocked, BackupProblem } from '../../outbound/backup/problem.ts';
import { checkValues, loadSecrets, SECRETS_NOTE, strangeAmong } from '../../outbound/secrets.ts';
import { type BackupConfig, expectRoom, type Manifest, type Say, withScratch } from './create.ts';
import { type Found, unpackBackup } from './unpack.ts';

export interface Proof {
  /** `inconclusive` where a check could not be made, so that nothing is known. */
  readonly result: 'ok' | 'wrong' | 'inconclusive';
  /** The found problems, and failed checks. */
  readonly problems: readonly string[];
  readonly manifest: Manifest | null;
}

/** The problems of a folder's secrets, by the check values in its database. */
async function secretProblems(folder: string, internalToken: string | undefined): Promise<string[]> {
  const known = noteIn(join(folder, DATABASE_FILE), SECRETS_NOTE);
  try {
    const secrets = await loadSecrets(folder, internalToken ?? 'not a part of a backup');
    const strange = known === null ? [] : strangeAmong(known, checkValues(secrets));
    const lacking = (name: string): boolean => secrets.made.includes(name);
    return strange.map((name) => `${name} ${lacking(name) ? 'is missing' : 'is not that of the database'}`);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** The differences between the database and the manifest. */
function differences(folder: string, manifest: Manifest): string[] {
  const { rows, ledger, head } = contentsOf(join(folder, DATABASE_FILE));
  const said = { ...manifest.rows, ...manifest.ledger, ...manifest.head };
  const held: Readonly<Record<string, number | string | null>> = { ...rows, ...ledger, ...head };
  return Object.entries(said)
    .filter(([name, value]) => held[name] !== value)
    .map(([name, value]) => `${name}: the manifest says ${value}, the database ${held[name]}`);
}

/** A file that cannot be read as a backup is wrong. A newer version, another passphrase or a full disk says nothing of it. */
function cutOff(error: unknown, manifest: Manifest | null): Proof {
  const isWrong = error instanceof BackupProblem && !(error instanceof BackupLocked) && error.cause === undefined;
  const problem = error instanceof Error ? error.message : String(error);
  return { result: isWrong ? 'wrong' : 'inconclusive', problems: [problem], manifest };
}

async function proveFolder(folder: string, config: BackupConfig, manifest: Manifest, now_ms: number, say: Say) {
  say('looking at its secrets');
  const problems = await secretProblems(folder, config.internalToken);
  const found = await proveDatabase(join(folder, DATABASE_FILE), now_ms, (what) => say(`looking at ${what}`));
  return [
    ...problems,
    ...found.map(({ about, problem }) => `${about}: ${problem}`),
    ...(found.some(({ about }) => about === 'database') ? [] : differences(folder, manifest)),
  ];
}

/** Goes through a backup. */
export async function verifyBackup(config: BackupConfig, found: Found, now_ms: number, say: Say): Promise<Proof> {
  return withScratch(config, async (scratch) => {
    let manifest: Manifest | null = null;
    try {
      manifest = await unpackBackup(found, config.backupPassphrase, scratch, say, {
        accept: ({ parts }) =>
          expectRoom(
            scratch,
            parts.map(({ bytes }) => bytes),
          ),
        durable: false,
      });
      refuseNewer(manifest.schema, manifest.version);
      const problems = await proveFolder(scratch, config, manifest, now_ms, say);
      return { result: problems.length === 0 ? 'ok' : 'wrong', problems, manifest };
    } catch (error) {
      return cutOff(error, manifest);
    }
  });
}
