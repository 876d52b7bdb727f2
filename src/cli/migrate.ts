// meshwork migrate: migrates the database to this version and ends. Every start does so too; this does it before, or with
// --dry-run only shows the migrations. With --distribute it also distributes the tables over the workers of Citus.

import { defineCommand } from 'citty';
import { distributeDatabase } from '../compose/distribute.ts';
import { pendingMigrations } from '../compose/pending.ts';
import type { Config } from '../config.ts';
import { reachServer } from './running-server.ts';
import { expectArguments, leave, orLeave, settings } from './settings.ts';

type Pending = Awaited<ReturnType<typeof pendingMigrations>>[number];

function lineOf({ name, statements, rewritten, indexes, oldest }: Pending): string {
  const parts = [
    `${statements} statements`,
    rewritten.length > 0 ? `rewrites ${rewritten.join(', ')}` : 'rewrites no table',
    ...(indexes > 0 ? [`builds ${indexes} indexes beside those who write`] : []),
    oldest === null ? 'no other release can serve beside it' : `release ${oldest} and later can serve beside it`,
  ];
  return `${name}: ${parts.join('; ')}`;
}

/** Prints what a start would apply. */
async function printPending(config: Config): Promise<void> {
  const pending = await orLeave(() => pendingMigrations(config));
  console.log(pending.length === 0 ? 'the database is up to date' : pending.map(lineOf).join('\n'));
}

export const migrate = defineCommand({
  meta: { name: 'migrate', description: 'bring the database to this version' },
  args: {
    'dry-run': { type: 'boolean', description: 'print what would be applied, and touch nothing' },
    'while-older-nodes-run': {
      type: 'boolean',
      description: 'migrate although nodes of older releases serve the database, which may then fail',
    },
    distribute: {
      type: 'boolean',
      description:
        'distribute the tables over the workers of Citus, while no node serves; run it again if it was ended',
    },
  },
  run: async ({ args, rawArgs }) => {
    const known = ['--dry-run', '--while-older-nodes-run', '--distribute'];
    expectArguments(
      rawArgs.filter((argument) => !known.includes(argument)),
      0,
    );
    const config = settings();
    const url = config.databaseDirectUrl ?? config.databaseUrl;
    if (args.distribute && url === undefined)
      leave(2, '--distribute is for PostgreSQL with Citus, and DATABASE_URL is not set');
    if (args['dry-run']) return printPending(config);
    const server = await reachServer(config, { while_older_nodes_run: args['while-older-nodes-run'] === true });
    await server.release();
    if (args.distribute && url !== undefined) {
      await orLeave(() => distributeDatabase(url, console.log));
      console.log('the tables are distributed');
      return;
    }
    console.log(server.running ? 'the running server migrated when it started' : 'the database is up to date');
  },
});
