// The backup thread: makes a backup, restores it into a temporary folder, and returns the result.
import { createBackup, placeOf } from './create.ts';
import type { BackupAnswered, BackupAsked } from './thread.ts';
import { findBackup } from './unpack.ts';
import { verifyBackup } from './verify.ts';

declare const self: Worker;

const silent = (): void => {};

async function backUp({ config, made_at }: BackupAsked): Promise<BackupAnswered> {
  try {
    const made = await createBackup(config, placeOf(config), made_at, silent);
    const found = await findBackup(config, made.address);
    return { made, proof: await verifyBackup(config, found, made_at, silent) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

self.onmessage = ({ data }: MessageEvent<BackupAsked>): void => {
  void backUp(data).then((answer) => self.postMessage(answer));
};
