// Writes one message into the outbox directory: private (0600), whole or not at all, on disk before the answer. The
// same message written twice is one file, so a redrive after a crash leaves no double.

import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes `<dir>/<name>`, making the directory (0700) when it is missing. `name` is made of a checked id. */
export async function writeOutboxFile(dir: string, name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const draft = join(dir, `.${name}.new`);
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(dir, name));
}
