// A whole server on a real socket, composed as in production by main: free port, temporary folder, no logs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isConfigProblem, readConfig } from '../../src/config.ts';
import { start } from '../../src/main.ts';

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly data_dir: string;
  stop(): Promise<void>;
}

/** Starts a server; `env` adds to, or replaces, its settings. */
export async function startTestServer(env: Record<string, string> = {}): Promise<TestServer> {
  const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-server-'));
  const settings = { DATA_DIR: data_dir, PORT: '0', LOG_LEVEL: 'silent', RATE_LIMITS: 'off', ...env };
  const config = readConfig(settings);
  if (isConfigProblem(config)) throw new Error(config.problem);
  const running = await start(config);
  // Where it listens, which BASE_URL need not tell.
  const note: { url: string } = await Bun.file(join(data_dir, 'server.json')).json();
  return {
    url: running.url,
    port: Number(new URL(note.url).port),
    data_dir,
    stop: async () => {
      await running.stop();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}
