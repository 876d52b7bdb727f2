// Loads sqlite-vec. The shared object is embedded in the single binary, where SQLite cannot open it: it is written to
// a private temporary file, loaded, and unlinked at once.
import type { Database } from 'bun:sqlite';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getLoadablePath } from 'sqlite-vec';
import { VEC_ASSET } from './vec-asset.ts';

/** Loads the extension into a connection; throws when the platform has no build of it. */
export function loadVec(db: Database): void {
  if (VEC_ASSET === null) {
    db.loadExtension(getLoadablePath());
    return;
  }
  const dir = mkdtempSync(join(tmpdir(), 'meshwork-'));
  const file = join(dir, 'vec0.so');
  try {
    writeFileSync(file, readFileSync(VEC_ASSET), { mode: 0o700 });
    db.loadExtension(file);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
