// Makes and proves a backup in a thread of its own, so that no request waits for it.
import type { BackupConfig, Made } from './create.ts';
import type { Proof } from './verify.ts';

export interface BackupAsked {
  readonly config: BackupConfig;
  readonly made_at: number;
}

export type BackupAnswered = { readonly made: Made; readonly proof: Proof } | { readonly failed: string };

export interface BackupThread {
  readonly answer: Promise<BackupAnswered>;
  /** Ends it; a backup that is not whole is none. */
  stop(): void;
}

export function backupInThread(asked: BackupAsked): BackupThread {
  const { promise, resolve } = Promise.withResolvers<BackupAnswered>();
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url).href, { type: 'module' });
  const stop = (): void => {
    worker.terminate();
    resolve({ failed: 'the service was stopped meanwhile' });
  };
  worker.onmessage = ({ data }: MessageEvent<BackupAnswered>) => {
    resolve(data);
    worker.terminate();
  };
  worker.onerror = ({ message }) => resolve({ failed: message });
  worker.postMessage(asked);
  return { answer: promise, stop };
}
