// meshwork config show: the settings of the service that runs on DATA_DIR, by its own answer; without one, those of a start from here.
// Secrets are masked. Invalid settings are shown too, with their problems.

import { defineCommand } from 'citty';
import { configReference, type ShownSetting, showConfig, shownSettings } from '../config/show.ts';
import { environment, isConfigProblem, readConfig } from '../config.ts';
import { callServer, internalToken, runningServer } from './running-server.ts';
import { leave, settings } from './settings.ts';

async function settingsAt(url: string, token: string | undefined): Promise<readonly ShownSetting[]> {
  if (token === undefined)
    leave(1, `a service runs at ${url}, and the internal token cannot be read; set INTERNAL_TOKEN`);
  const answer = await callServer('GET', `${url}/internal/settings`, { 'X-Internal-Token': token }).catch(
    () => undefined,
  );
  if (!answer) leave(1, `nothing answers at ${url}`);
  if (answer.status !== 200) leave(1, `${url}/internal/settings answered ${answer.status}`);
  // Our own server's answer, in its declared shape.
  return JSON.parse(answer.body) as readonly ShownSetting[];
}

export const configShow = defineCommand({
  meta: { name: 'show', description: 'print the settings in force' },
  args: { reference: { type: 'boolean', description: 'print the table of all settings instead, in Markdown' } },
  run: async ({ args }) => {
    if (args.reference) return console.log(configReference());
    const read = readConfig(environment);
    const url = isConfigProblem(read) ? undefined : runningServer(read);
    if (isConfigProblem(read) || url === undefined) {
      console.error('no service is known to run; these are the settings that one would start with from here');
      console.log(showConfig(shownSettings(environment)));
      settings();
      return;
    }
    const shown = await settingsAt(url, internalToken(read));
    console.error(`the settings of the service at ${url}`);
    console.log(showConfig(shown));
  },
});
