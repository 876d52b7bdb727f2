// The real server as a process of its own, for what only a process can show: kill -9, sockets, a second start.
import { join } from 'node:path';

const ENTRY = join(import.meta.dir, '../../src/cli/meshwork.ts');

export interface ServerChild {
  readonly url: string;
  readonly pid: number;
  /** Ends it; resolves with its exit code once it is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number>;
  /** Lets it stand still, or go on. */
  pause(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

const running = new Set<Bun.Subprocess>();

/** Kills what a failing test left behind; for `afterAll`. */
export function endServers(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts a server on a free port; resolves once it listens. `entry` is the product's own unless said. */
export async function startServer(
  data_dir: string,
  env: Record<string, string> = {},
  entry: readonly string[] = [ENTRY, 'serve'],
): Promise<ServerChild> {
  const child = Bun.spawn([process.execPath, ...entry], {
    cwd: data_dir,
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      DATA_DIR: data_dir,
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  running.add(child);
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes('\n')) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the server ended before it listened, with ${await child.exited}`);
    text += decoder.decode(value, { stream: true });
  }
  const url = text.match(/listening on (\S+)/)?.[1];
  if (!url) throw new Error(`the server said: ${text}`);
  return {
    url,
    pid: child.pid,
    end: (signal) => {
      child.kill(signal);
      return child.exited;
    },
    pause: (signal) => child.kill(signal),
  };
}
