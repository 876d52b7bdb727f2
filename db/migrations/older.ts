// Which releases can serve beside a migration: each names the oldest.
import type { Migration } from './steps.ts';

/** Nodes serve that a migration has no room for. */
export class OlderNodes extends Error {
  constructor({ version, name, oldest }: Older) {
    super(
      `a node of release ${version} serves it, and ${name} needs ${oldest} or later: stop the older nodes first, or run meshwork migrate --while-older-nodes-run`,
    );
  }
}

interface Older {
  readonly version: string;
  readonly name: string;
  readonly oldest: string;
}

/** By their numbers, not as text: 0.10.0 is later than 0.9.0. */
function isOlder(version: string, than: string): boolean {
  const [own = [], other = []] = [version, than].map((text) => text.split('.').map(Number));
  const at = other.findIndex((part, index) => part !== (own[index] ?? 0));
  return at >= 0 && (own[at] ?? 0) < (other[at] ?? 0);
}

/** The first release that could not serve on; null where all can. */
export function olderAmong(versions: readonly string[], migrations: readonly Migration[]): Older | null {
  for (const { name, oldest } of migrations) {
    if (oldest === undefined) continue;
    const version = versions.find((each) => isOlder(each, oldest));
    if (version !== undefined) return { version, name, oldest };
  }
  return null;
}
