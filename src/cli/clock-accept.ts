// meshwork clock accept: takes the clock for right as it is, so that sealing and pruning wait no longer.

import { defineCommand } from 'citty';
import { administer } from './administer.ts';
import { expectArguments } from './settings.ts';

export const clockAccept = defineCommand({
  meta: { name: 'accept', description: 'take the clock for right as it is: sealing and pruning wait no longer' },
  run: async ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    await administer('clock-accept', {});
  },
});
