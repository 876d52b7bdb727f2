// A server to administer through: the one that holds DATA_DIR, else one of our own for as long as the verb takes, on a
// free port of the loopback. Either way an act has one path, with the same checks, caches and single writer.

import { addresses, type Config, UnusableSetting } from '../config.ts';
import { runningServer } from './running-server.ts';
import { leave } from './settings.ts';

interface Reached {
  readonly url: string;
  /** Whether it ran before this verb. */
  readonly running: boolean;
  release(): Promise<void>;
}

/** Reaches the running server or starts one; the caller releases it. */
export async function reachServer(config: Config): Promise<Reached> {
  const found = runningServer(config);
  if (found !== undefined) return { url: found, running: true, release: () => Promise.resolve() };
  const { start } = await import('../main.ts');
  // Links name the service's own address all the same, not the free port of these few moments.
  const { baseUrl } = addresses(config, config.port);
  const own = await start({ ...config, baseUrl, host: '127.0.0.1', port: 0, logLevel: 'warn' }).catch(
    (error: unknown) => {
      if (error instanceof UnusableSetting) leave(2, error.message);
      throw error;
    },
  );
  const url = runningServer(config);
  if (url === undefined) throw new Error('the server that was started did not note its address in DATA_DIR');
  return { url, running: false, release: () => own.stop() };
}
