#!/usr/bin/env bun
// The command line: the entry of the single binary and of scripts/meshwork. One verb a file, loaded only when called,
// so that a health check does not load the server.

import { defineCommand, renderUsage, runMain } from 'citty';

const admin = defineCommand({
  meta: { name: 'admin', description: 'administer accounts, through the running server when there is one' },
  subCommands: {
    create: async () => (await import('./administer.ts')).adminCreate,
    'set-plan': async () => (await import('./administer.ts')).adminSetPlan,
  },
});

const ledger = defineCommand({
  meta: { name: 'ledger', description: 'prove that every cent is where it belongs; mend seals of a wrong clock' },
  subCommands: {
    check: async () => (await import('./ledger-check.ts')).ledgerCheckVerb,
    reseal: async () => (await import('./administer.ts')).ledgerResealVerb,
  },
});

const clock = defineCommand({
  meta: { name: 'clock', description: 'the clock by which days are sealed and what has expired is deleted' },
  subCommands: { accept: async () => (await import('./administer.ts')).clockAccept },
});

const config = defineCommand({
  meta: { name: 'config', description: 'the settings, which are environment variables' },
  subCommands: { show: async () => (await import('./config-show.ts')).configShow },
});

const verbs = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrate,
  admin,
  ledger,
  clock,
  config,
  outbox: async () => (await import('./outbox.ts')).outbox,
  healthcheck: async () => (await import('./healthcheck.ts')).healthcheck,
  mcp: async () => (await import('./mcp.ts')).mcp,
  demo: async () => (await import('./demo.ts')).demo,
  version: async () => (await import('./version.ts')).version,
};

const meshwork = defineCommand({
  meta: { name: 'meshwork', description: 'a network in which software agents represent people and businesses' },
  subCommands: verbs,
});

/** Words before the verb that this program takes. */
const BEFORE_VERB = ['help', '--help', '-h'];

// `help` and `help VERB` mean what `--help` means.
const [first, ...rest] = process.argv.slice(2);
if (first !== undefined && !Object.hasOwn(verbs, first) && !BEFORE_VERB.includes(first)) {
  console.error(`meshwork: there is no ${first.startsWith('-') ? 'option' : 'command'} ${first}; see meshwork help`);
  process.exit(2);
}
await runMain(meshwork, {
  rawArgs: first === 'help' ? [...rest, '--help'] : process.argv.slice(2),
  showUsage: async (command, parent) => {
    const usage = await renderUsage(command, parent);
    console.log(process.stdout.isTTY ? usage : Bun.stripANSI(usage));
  },
});
