// The state of the process and its machine, for administrators.
import { statfs } from 'node:fs/promises';
import manifest from '../../package.json' with { type: 'json' };
import type { HostLook } from '../contract/ports.ts';
import type { Log } from '../log.ts';
import type { World } from './world.ts';

/** The free bytes of the data folder's disk; null when unknown. */
async function freeBytes(data_dir: string): Promise<number | null> {
  const told = await statfs(data_dir).catch(() => null);
  return told && told.bavail * told.bsize;
}

export function hostOf(
  { store, clock, settings }: Pick<World, 'store' | 'clock' | 'settings'>,
  log: Log,
): { look(): Promise<HostLook> } {
  const started_at_ms = clock.now();
  return {
    look: async () => {
      const [free, sizes, ready] = await Promise.all([
        freeBytes(settings.data_dir),
        store.sizes().catch(() => ({ database: null, log: null })),
        store.ready(),
      ]);
      const errors = log.recentErrors?.() ?? [];
      return { version: manifest.version, started_at_ms, free, ...sizes, ready, errors };
    },
  };
}
