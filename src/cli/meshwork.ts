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

const watch = defineCommand({
  meta: { name: 'watch', description: 'what Grafana and Prometheus need to watch the service' },
  subCommands: {
    dashboard: async () => (await import('./watch.ts')).dashboardVerb,
    alerts: async () => (await import('./watch.ts')).alertsVerb,
  },
});

const logs = defineCommand({
  meta: { name: 'logs', description: 'what a program asks of a server with its key, and what it is answered' },
  subCommands: { tail: async () => (await import('./logs.ts')).logsTail },
});

const verbs = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrate,
  admin,
  invite: async () => (await import('./administer.ts')).invite,
  user: async () => (await import('./user.ts')).user,
  ledger,
  clock,
  backup: async () => (await import('./backup.ts')).backup,
  copy: async () => (await import('./copy.ts')).copy,
  resume: async () => (await import('./resume.ts')).resume,
  config,
  update: async () => (await import('./update.ts')).updateVerb,
  doctor: async () => (await import('./doctor.ts')).doctor,
  watch,
  outbox: async () => (await import('./outbox.ts')).outbox,
  healthcheck: async () => (await import('./healthcheck.ts')).healthcheck,
  mcp: async () => (await import('./mcp.ts')).mcp,
  login: async () => (await import('./login.ts')).login,
  api: async () => (await import('./api.ts')).api,
  listen: async () => (await import('./listen.ts')).listen,
  trigger: async () => (await import('./listen.ts')).trigger,
  logs,
  demo: async () => (await import('./demo.ts')).demo,
  version: async () => (await import('./version.ts')).version,
};

const meshwork = defineCommand({
  meta: {
    name: 'meshwork',
    description:
      'a network in which software agents represent people and businesses; serve starts it, and shows its guide at /docs/guide',
  },
  subCommands: verbs,
});

/** Synonyms of commands in other programs. */
const SYNONYMS: Readonly<Record<string, string>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
};

/** `help VERB`, a verb that has only verbs under it, and no verb at all mean what `--help` means. */
function withHelp(verb: string, rest: readonly string[]): string[] {
  if (verb === 'help') return [...rest, '--help'];
  const group = verbs[verb as keyof typeof verbs];
  return rest.length === 0 && typeof group === 'object' ? [verb, '--help'] : [verb, ...rest];
}

const [first = 'help', ...rest] = process.argv.slice(2);
const verb = SYNONYMS[first] ?? first;
if (verb !== 'help' && !Object.hasOwn(verbs, verb)) {
  console.error(`meshwork: there is no ${verb.startsWith('-') ? 'option' : 'command'} ${verb}; see meshwork help`);
  process.exit(2);
}
await runMain(meshwork, {
  rawArgs: withHelp(verb, rest),
  showUsage: async (command, parent) => {
    // citty leaves out the program's name for subcommands, and shows options when there are only arguments.
    const above = parent === undefined || parent === meshwork ? parent : { meta: { name: `meshwork ${verb}` } };
    const rendered = await renderUsage(command, above);
    const usage = Bun.stripANSI(rendered).includes('\nOPTIONS\n') ? rendered : rendered.replace(' [OPTIONS]', '');
    console.log(process.stdout.isTTY ? usage : Bun.stripANSI(usage));
  },
});
