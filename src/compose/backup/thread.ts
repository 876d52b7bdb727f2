// Makes and proves a backup in a thread of its own, so that no request waits for it.
import { type BackupConfig, type Made, withScratch } from './create.ts';
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

export function backupInThread({ config, made_at }: BackupAsked): BackupThread {
  const { promise, resolve } = Promise.withResolvers<BackupAnswered>();
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url).href, { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<BackupAnswered>) => resolve(data);
  worker.onerror = ({ message }) => resolve({ failed: message });
  // Lent here, so that nothing of it is left when the thread is ended.
  const answer = withScratch(config, (scratchDir) => {
    const asked: BackupAsked = { config: { ...config, scratchDir }, made_at };
    worker.postMessage(asked);
    return promise;
  })
    .catch((error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }))
    .finally(() => worker.terminate());
  return { answer, stop: () => resolve({ failed: 'the service was stopped meanwhile' }) };
}
