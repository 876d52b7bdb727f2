// meshwork config show: the settings in force, secrets masked. It shows wrong ones too, and then says what is wrong.

import { defineCommand } from 'citty';
import { configReference, showConfig } from '../config/show.ts';
import { environment } from '../config.ts';
import { settings } from './settings.ts';

export const configShow = defineCommand({
  meta: { name: 'show', description: 'print the settings in force' },
  args: { reference: { type: 'boolean', description: 'print the table of all settings instead, in Markdown' } },
  run: ({ args }) => {
    if (args.reference) return console.log(configReference());
    console.log(showConfig(environment));
    settings();
  },
});
