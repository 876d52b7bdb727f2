// A disk of its own, of a few MiB, for what is to fill one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Writes as much as there is room for; answers the file that takes it. */
  fill(): string;
  remove(): void;
}

/** Null where only an administrator may have one. */
export function smallDisk(mib: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-disk-'));
  const { exitCode } = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
  if (exitCode !== 0) {
    rmSync(folder, { recursive: true });
    return null;
  }
  return {
    folder,
    fill: () => {
      const filler = join(folder, 'filler');
      for (let bytes = mib << 20; bytes >= 512; ) {
        try {
          writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' });
        } catch {
          bytes >>= 1;
        }
      }
      return filler;
    },
    remove: () => {
      Bun.spawnSync(['umount', '-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
