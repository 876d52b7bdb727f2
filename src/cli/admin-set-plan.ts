// meshwork admin set-plan EMAIL free|pro: changes the plan of an account, as a finished checkout would.

import { defineCommand } from 'citty';
import { administer } from './administer.ts';
import { expectArguments, leave } from './settings.ts';

export const adminSetPlan = defineCommand({
  meta: { name: 'set-plan', description: 'change the plan of an account' },
  args: {
    email: { type: 'positional', description: "the account's e-mail address", required: true },
    plan: { type: 'positional', description: 'free or pro', required: true },
  },
  run: async ({ args, rawArgs }) => {
    expectArguments(rawArgs, 2);
    if (args.plan !== 'free' && args.plan !== 'pro') leave(2, 'the plan must be free or pro');
    await administer('set-plan', { email: args.email, plan: args.plan });
  },
});
