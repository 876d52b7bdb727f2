// meshwork admin create EMAIL: makes an account for a person or business that has none.

import { defineCommand } from 'citty';
import { administer } from './administer.ts';
import { expectArguments } from './settings.ts';

export const adminCreate = defineCommand({
  meta: { name: 'create', description: 'create an account' },
  args: { email: { type: 'positional', description: 'its e-mail address', required: true } },
  run: async ({ args, rawArgs }) => {
    expectArguments(rawArgs, 1);
    await administer('create', { email: args.email });
  },
});
