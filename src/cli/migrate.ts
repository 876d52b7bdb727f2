// meshwork migrate: brings the database to this version and ends. Every start does so too; this is for those who want
// to see it done before.

import { defineCommand } from 'citty';
import { reachServer } from './running-server.ts';
import { expectArguments, settings } from './settings.ts';

export const migrate = defineCommand({
  meta: { name: 'migrate', description: 'bring the database to this version' },
  run: async ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    const server = await reachServer(settings());
    await server.release();
    console.log(server.running ? 'the running server migrated when it started' : 'the database is up to date');
  },
});
