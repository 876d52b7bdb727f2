// Makes and verifies a backup in a thread of its own, so that no request waits for it.
import { nameOf } from '../../outbound/backup/place.ts';
import { type BackupConfig, type Made, placeOf, withScratch } from './create.ts';
import type { Proof } from './verify.ts';

/** The wait for a thread's end; one that copies the database ends only after that. */
const END_MS = 2_000;

export interface BackupAsked {
  readonly config: BackupConfig;
  readonly made_at: number;
}

export type BackupAnswered = { readonly made: Made; readonly proof: Proof } | { readonly failed: string };

export interface BackupThread {
  readonly answer: Promise<BackupAnswered>;
  /** Ends it; an incomplete backup is discarded. */
  stop(): void;
}

export function backupInThread({ config, made_at }: BackupAsked): BackupThread {
  const { promise, resolve } = Promise.withResolvers<BackupAnswered>();
  // Created here, so that it is removed also when the thread is ended.
  const answer = withScratch(config, async (scratchDir) => {
    const worker = new Worker(new URL('./backup-worker.ts', import.meta.url).href, { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<BackupAnswered>) => resolve(data);
    worker.onerror = ({ message }) => resolve({ failed: message });
    const gone = new Promise((done) => worker.addEventListener('close', done));
    const asked: BackupAsked = { config: { ...config, scratchDir }, made_at };
    worker.postMessage(asked);
    const answered = await promise;
    worker.terminate();
    await Promise.race([gone, Bun.sleep(END_MS)]);
    await placeOf(config).abandon(nameOf(made_at, config.backupPassphrase !== undefined));
    return answered;
  }).catch((error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }));
  return { answer, stop: () => resolve({ failed: 'the service was stopped meanwhile' }) };
}
