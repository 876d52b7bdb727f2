// The last backup of this machine and how it was proved, as the service and the command line have written it down.
import { noteById } from '../../../db/queries/turn.ts';
import type { Contents } from '../../../db/sqlite/copy.ts';
import type { Read } from '../../../db/store.ts';

/** The service note that holds it. */
export const BACKUP_NOTE = 'backup';

export interface BackupStanding {
  /** The last backup in BACKUP_DIR, or null. */
  readonly last:
    | (Pick<Contents, 'rows' | 'ledger' | 'head'> & {
        readonly name: string;
        /** Where it lies, with its name. */
        readonly address: string;
        readonly made_at: number;
        readonly bytes: number;
        readonly encrypted: boolean;
      })
    | null;
  /** The result of the last verification; `inconclusive` when a check could not be made. */
  readonly proof: {
    readonly name: string;
    readonly at_ms: number;
    readonly result: 'ok' | 'wrong' | 'inconclusive';
    readonly problems: readonly string[];
  } | null;
  /** Why the last try made none; null once one was made. */
  readonly failure: { readonly at_ms: number; readonly reason: string } | null;
}

/** Null before the first try. */
export async function readBackup(read: Read): Promise<BackupStanding | null> {
  const note = await read(noteById, { id: BACKUP_NOTE });
  // Written by compose/backup/record.ts alone.
  return note && (note.value as unknown as BackupStanding);
}
