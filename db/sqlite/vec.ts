// Loads sqlite-vec. The shared object is embedded in the single binary, where SQLite cannot open it: it is written to
// a file beside the database, loaded, and unlinked at once: a folder for temporary files may forbid to run what lies there.
import type { Database } from 'bun:sqlite';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getLoadablePath } from 'sqlite-vec';
import { VEC_ASSET } from './vec-asset.ts';

/** Loads the extension into a connection to a database of `folder`; throws when the platform has no build of it. */
export function loadVec(db: Database, folder: string): void {
  if (VEC_ASSET === null) {
    db.loadExtension(getLoadablePath());
    return;
  }
  const file = join(folder, 'vec0.so');
  try {
    writeFileSync(file, readFileSync(VEC_ASSET), { mode: 0o700 });
    db.loadExtension(file);
  } finally {
    rmSync(file, { force: true });
  }
}
