// meshwork healthcheck: exit 0 when the server is ready to serve, 1 when not; for container and service supervisors.

import { defineCommand } from 'citty';
import { callServer, expectedServer, runningServer } from './running-server.ts';
import { expectArguments, leave, settings } from './settings.ts';

export const healthcheck = defineCommand({
  meta: { name: 'healthcheck', description: 'exit 0 when the server is ready' },
  run: async ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    const config = settings();
    const url = runningServer(config) ?? expectedServer(config);
    const answer = await callServer('GET', `${url}/readyz`).catch(() => undefined);
    if (!answer) leave(1, `nothing answers at ${url}`);
    if (answer.status !== 200) leave(1, `not ready: ${url}/readyz answered ${answer.status}`);
    console.log('ready');
  },
});
