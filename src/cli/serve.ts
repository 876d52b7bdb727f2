// meshwork serve: serves until SIGTERM or SIGINT, then stops in order and exits 0 within ten seconds.

import { defineCommand } from 'citty';
import { type Config, UnusableSetting } from '../config.ts';
import { callServer, internalToken } from './running-server.ts';
import { expectOptions, leave, settings } from './settings.ts';

/** A little less than the documented ten seconds, after which supervisors kill the process. */
const STOP_TIMEOUT_MS = 9_000;

/** Resolves at the first SIGTERM or SIGINT, one that comes during the start too; the second one ends the process. */
function waitForStop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const onSignal = (): void => {
    asked += 1;
    if (asked > 1) process.exit(1);
    resolve();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return promise;
}

/** Prints the setup link while there is no administrator; the server refuses it otherwise. */
async function printSetUp(config: Config, url: string): Promise<void> {
  const token = internalToken(config);
  if (config.adminEmails.length > 0 || token === undefined) return;
  const headers = { 'Content-Type': 'application/json', 'X-Internal-Token': token };
  const answer = await callServer('POST', `${url}/internal/admin/set-up`, headers, '{}').catch(() => undefined);
  if (answer?.status !== 201) return;
  // Ours, by its status.
  const link = JSON.parse(answer.body) as { readonly url: string };
  console.log(`this service has no administrator yet; within 30 minutes, open ${link.url}`);
}

export const serve = defineCommand({
  meta: { name: 'serve', description: 'serve until SIGTERM or SIGINT; settings are variables, see config show' },
  args: {
    'new-secrets': {
      type: 'boolean',
      description: 'start with other secrets than those of the database, and give up what hangs on them',
    },
    'accept-loss': {
      type: 'string',
      description:
        'start although writes that were acknowledged are missing, as the refusal names them; what was due then waits, as after a restore',
      valueHint: 'CODE',
    },
  },
  run: async ({ args, rawArgs }) => {
    const given = rawArgs.filter((argument) => argument !== '--new-secrets');
    expectOptions(given, ['accept-loss'], 0);
    const config = settings();
    const stopping = waitForStop();
    // Loaded only now, so that an invalid setting is reported at once.
    const { start } = await import('../main.ts');
    const accepted = { new_secrets: args['new-secrets'] === true, loss: args['accept-loss'] };
    const server = await start(config, {}, accepted).catch((error: unknown) => {
      leave(
        error instanceof UnusableSetting && !error.may_pass ? 2 : 1,
        error instanceof Error ? error.message : 'could not start',
      );
    });
    console.log(`listening on ${server.url}`);
    await printSetUp(config, server.url);
    await stopping;
    // Acknowledged writes are on disk already, so an interrupted stop loses none of them.
    await Promise.race([server.stop(), Bun.sleep(STOP_TIMEOUT_MS)]);
    process.exit(0);
  },
});
