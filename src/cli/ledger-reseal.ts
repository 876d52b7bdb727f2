// meshwork ledger reseal: seals anew the days that a wrong clock has sealed, and prints the signed note of what was replaced.

import { defineCommand } from 'citty';
import { administer } from './administer.ts';
import { expectArguments } from './settings.ts';

export const ledgerResealVerb = defineCommand({
  meta: { name: 'reseal', description: 'seal anew the days that a wrong clock has sealed' },
  run: async ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    await administer('ledger-reseal', {});
  },
});
