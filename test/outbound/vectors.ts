// Reads the published cryptographic vectors that lie beside a development checkout. A clone elsewhere has no such
// folder: a test then says loudly that it skipped, and passes.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dir, '../../../shared/corpora/wycheproof');

/** A group of vectors: a key (whatever its file calls it) and its cases. */
export interface VectorGroup<Case> {
  readonly comment?: string;
  readonly private?: unknown;
  readonly public?: unknown;
  readonly publicKey?: { readonly pk: string };
  readonly tests: readonly (Case & { readonly tcId: number })[];
}

/** The file's groups, or null (with a warning) where the folder is missing. */
export async function wycheproof<Case>(name: string): Promise<{ testGroups: readonly VectorGroup<Case>[] } | null> {
  const path = join(FOLDER, name);
  if (existsSync(path)) return await Bun.file(path).json();
  console.warn(`SKIPPED: no ${name} beside this checkout; its published vectors were not run`);
  return null;
}
