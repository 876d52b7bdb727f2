// Golden digests: a line for each part of a generated document, so that a change names what it changes and the document itself stays
// out of the tree. `UPDATE_GOLDEN=1` writes the file anew.
import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** `name bytes hash`, a line for each part. */
function digestsOf(parts: Iterable<readonly [name: string, part: unknown]>): string {
  const lines = [...parts].map(([name, part]) => {
    const text = JSON.stringify(part);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
    return `${name} ${Buffer.byteLength(text)} ${hash}`;
  });
  return `${lines.join('\n')}\n`;
}

/** The lines of the parts as they are now, and as the golden file has them. */
export async function withGolden(
  file: string,
  parts: Iterable<readonly [name: string, part: unknown]>,
): Promise<{ readonly now: string[]; readonly golden: string[] }> {
  const path = join(import.meta.dir, '../golden', file);
  const now = digestsOf(parts);
  if (process.env['UPDATE_GOLDEN']) await Bun.write(path, now);
  return { now: now.split('\n'), golden: (await Bun.file(path).text()).split('\n') };
}
