// meshwork admin create EMAIL: makes somebody an administrator, with an account where they have none.

import { defineCommand } from 'citty';
import { administer } from './administer.ts';
import { expectArguments } from './settings.ts';

export const adminCreate = defineCommand({
  meta: { name: 'create', description: 'make somebody an administrator' },
  args: { email: { type: 'positional', description: 'its e-mail address', required: true } },
  run: async ({ args, rawArgs }) => {
    expectArguments(rawArgs, 1);
    await administer('create', { email: args.email });
  },
});
