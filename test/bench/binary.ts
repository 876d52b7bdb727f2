// The single binary as a job starts it: made of this checkout, with a folder and a port of its own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onServerCore } from './children.ts';
import type { Bench } from './job.ts';
import { monotonicMs } from './monotonic.ts';
import { freePort } from './nchan.ts';
import { cpuTime } from './process-figures.ts';

const ROOT = join(import.meta.dir, '../..');
export const BINARY = join(ROOT, 'dist/meshwork');
const START_MAX_MS = 30_000;

const REQUEST = 'GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';

/** Whether the server answers 200 now. */
function answered(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = {
    open: (s: { write(text: string): number }) => void s.write(REQUEST),
    data: (s: { end(): void }, chunk: Buffer) => {
      resolve(chunk.toString('latin1', 0, 12) === 'HTTP/1.1 200');
      s.end();
    },
    close: () => resolve(false),
    error: () => resolve(false),
    connectError: () => resolve(false),
  };
  Bun.connect({ hostname: '127.0.0.1', port, socket }).catch(() => resolve(false));
  return promise;
}

/** The binary, once it answers. */
export interface Started {
  readonly port: number;
  readonly took_ms: number;
  /** CPU time until then, of all threads; what else the machine does is not in it. */
  readonly cpu_ms: number;
  readonly pid: number;
  readonly data_dir: string;
  stop(): Promise<void>;
}

/** Starts the binary in a folder; it ends with the job. */
export async function startBinary(bench: Bench, data_dir: string): Promise<Started> {
  const port = await freePort();
  const env = { PORT: String(port), DATA_DIR: data_dir, LOG_LEVEL: 'warn' };
  const started_ms = monotonicMs();
  const child = Bun.spawn(onServerCore([BINARY, 'serve']), {
    cwd: bench.folder,
    env,
    stdout: 'ignore',
    stderr: 'inherit',
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await child.exited;
  };
  bench.after(stop);
  while (!(await answered(port))) {
    if (child.exitCode !== null || monotonicMs() - started_ms > START_MAX_MS)
      throw new Error('the binary did not start');
    await Bun.sleep(1);
  }
  const took_ms = monotonicMs() - started_ms;
  return { port, took_ms, cpu_ms: cpuTime(child.pid) / 1_000, pid: child.pid, data_dir, stop };
}

export async function buildBinary(): Promise<void> {
  const child = Bun.spawn([join(ROOT, 'scripts/build')], { cwd: ROOT, stdout: 'ignore', stderr: 'inherit' });
  if ((await child.exited) !== 0 || !existsSync(BINARY)) throw new Error('scripts/build failed');
}
