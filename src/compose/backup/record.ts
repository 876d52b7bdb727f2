// Updates the service note of backups after each one.
import { join } from 'node:path';
import { DATABASE_FILE } from '../../../db/sqlite/connection.ts';
import { hasDatabase, noteIn, writeNoteIn } from '../../../db/sqlite/copy.ts';
import { BACKUP_NOTE, type BackupStanding } from '../../steps/backup/standing.ts';
import type { Made } from './create.ts';
import type { Proof } from './verify.ts';

/** As many problems as are worth keeping. */
const PROBLEMS_MAX = 20;

const NONE: BackupStanding = { last: null, proof: null, failure: null };

export type Outcome =
  | { readonly made: Made }
  | { readonly name: string; readonly proof: Proof; readonly at_ms: number }
  | { readonly reason: string; readonly at_ms: number };

/** The note after an outcome. */
export function recorded(before: BackupStanding | null, outcome: Outcome): BackupStanding {
  const known = before ?? NONE;
  if ('reason' in outcome) return { ...known, failure: { at_ms: outcome.at_ms, reason: outcome.reason } };
  if ('made' in outcome) {
    const { name, address, bytes, manifest, encrypted } = outcome.made;
    const { made_at, rows, ledger, head } = manifest;
    return { ...known, last: { name, address, made_at, bytes, encrypted, rows, ledger, head }, failure: null };
  }
  const { name, at_ms, proof } = outcome;
  const problems = proof.problems.slice(0, PROBLEMS_MAX);
  return { ...known, proof: { name, at_ms, result: proof.result, problems } };
}

/** Notes an outcome in the database of a data folder, whether a service runs on it or not. A proof of another backup than the last says
 * nothing of that, and is not noted. */
export function noteOutcome(data_dir: string, outcome: Outcome): void {
  if (!hasDatabase(data_dir)) return;
  const file = join(data_dir, DATABASE_FILE);
  // This file alone writes it.
  const before = noteIn(file, BACKUP_NOTE) as unknown as BackupStanding | null;
  if ('proof' in outcome && before?.last?.name !== outcome.name) return;
  writeNoteIn(file, BACKUP_NOTE, { ...recorded(before, outcome) }, false);
}
