// The server that the demo talks to: one of its own, a child process in a temporary folder that goes with it, or one
// that runs already. Its own is given a bare environment, so that no setting of the caller sends real mail.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DemoProblem } from './problem.ts';

export interface DemoServer {
  readonly url: string;
  readonly internal_token: string;
  /** Resolves once the server is gone; one that ran before the demo goes on running. */
  stop(): Promise<void>;
}

const TOKEN_BYTES = 24;
/** A server that has not ended by then is ended. */
const STOP_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 30_000;

/** This program again, with the verb `serve`; inside the single binary the program is all that there is to name. */
function serveCommand(): string[] {
  const compiled = Bun.main.startsWith('/$bunfs/');
  return [process.execPath, ...(compiled ? [] : [join(import.meta.dir, '../meshwork.ts')]), 'serve'];
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  for (let text = ''; ; ) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    if (done || text.includes('\n')) return text;
  }
}

/** Starts a server on a free port of the loopback; it leaves nothing behind. */
export async function startOwn(): Promise<DemoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-demo-'));
  const internal_token = randomBytes(TOKEN_BYTES).toString('hex');
  const child = Bun.spawn(serveCommand(), {
    // A .env file in the caller's folder is not this server's.
    cwd: folder,
    env: {
      HOME: homedir(),
      TMPDIR: tmpdir(),
      DATA_DIR: join(folder, 'data'),
      HOST: '127.0.0.1',
      PORT: '0',
      INTERNAL_TOKEN: internal_token,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      LOG_FORMAT: 'text',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await child.exited;
    clearTimeout(late);
    rmSync(folder, { recursive: true, force: true });
  };
  const slow = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  const line = await firstLine(child.stdout);
  clearTimeout(slow);
  const url = line.match(/listening on (\S+)/)?.[1];
  if (url !== undefined) return { url, internal_token, stop };
  await stop();
  throw new DemoProblem(1, `the demo's own server did not start; "meshwork serve" in an empty folder shows why`);
}

/** A server that runs already. */
export function useRunning(url: string, internal_token: string): DemoServer {
  return { url: url.replace(/\/{1,9}$/, ''), internal_token, stop: () => Promise.resolve() };
}
