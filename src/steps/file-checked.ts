// How the last check of the database file ended.
import { noteById } from '../../db/queries/turn.ts';
import type { Read } from '../../db/store.ts';
import { FILE_CHECK_NOTE } from './file-check.ts';

export interface FileCheckNote {
  readonly at_ms: number;
  readonly problems: number;
}

/** Null before the first. */
export async function readFileCheck(read: Read): Promise<FileCheckNote | null> {
  const note = await read(noteById, { id: FILE_CHECK_NOTE });
  // `noteFileCheck` wrote it.
  return note ? (note.value as unknown as FileCheckNote) : null;
}
