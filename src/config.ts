// The settings of the service: the only reader of the environment. Everything is checked before anything is opened, so
// a wrong value stops the start with one line that names the variable (rules.md 1). Before this runs, Bun adds unset
// variables from a `.env` file in the working folder.

import { type Environment, given } from './config/given.ts';
import { Unfit } from './config/parse.ts';
import { type ShownSetting, shownSettings } from './config/show.ts';
import { VARIABLES, type Variable } from './config/variables.ts';

type Value<V> = V extends Variable<infer T> ? T : never;

/** All settings, checked; a field is undefined where its variable is unset and has no default. */
type Values = { readonly [Field in keyof typeof VARIABLES]: Value<(typeof VARIABLES)[Field]> };

/** All settings, frozen. */
export interface Config extends Values {
  /** The settings as people may see them, with where each comes from. */
  readonly shown: readonly ShownSetting[];
}

/** Why the service cannot start: one variable and one full line about it, which never holds a secret's value. */
export interface ConfigProblem {
  readonly variable: string;
  readonly problem: string;
}

/** A valid setting that does not work on this machine, found while starting; the message begins with the name of the variable. */
export class UnusableSetting extends Error {
  /** Whether a later start may succeed with the same settings and the same data. */
  readonly may_pass: boolean;

  constructor(message: string, may_pass = false) {
    super(message);
    this.may_pass = may_pass;
  }
}

/** The environment of this process; nothing else in the service looks at `process.env`. */
export const environment: Environment = process.env;

/** Where the service is reached from outside; without trailing slashes. */
export interface Addresses {
  readonly baseUrl: string;
  readonly appUrl: string;
  readonly profileUrl: string;
  /** Where vulnerabilities are reported; by default the mailbox of RFC 2142. */
  readonly securityContact: string;
}

/** Settings that need another one; an incomplete change is refused rather than ignored. */
const NEEDS: readonly (readonly [keyof Values, keyof Values])[] = [
  ['embeddingsModel', 'embeddingsUrl'],
  ['embeddingsKey', 'embeddingsUrl'],
  ['llmModel', 'llmUrl'],
  ['llmKey', 'llmUrl'],
  ['llmPricePerMtok', 'llmUrl'],
  ['tlsCert', 'tlsKey'],
  ['tlsKey', 'tlsCert'],
  ['mailInboundHost', 'mailInboundPort'],
  ['mailTlsCert', 'mailTlsKey'],
  ['mailTlsKey', 'mailTlsCert'],
  ['stripeApiBase', 'stripeSecretKey'],
  ['oidcIssuer', 'oidcAudience'],
  ['oidcAudience', 'oidcIssuer'],
  ['oidcClientSecret', 'oidcIssuer'],
  ['githubClientId', 'githubClientSecret'],
  ['githubClientSecret', 'githubClientId'],
  ['linkedinClientId', 'linkedinClientSecret'],
  ['linkedinClientSecret', 'linkedinClientId'],
  ['twitterClientId', 'twitterClientSecret'],
  ['twitterClientSecret', 'twitterClientId'],
  ['proofIssuer', 'proofClientId'],
  ['proofClientId', 'proofIssuer'],
  ['proofClientSecret', 'proofIssuer'],
];

const LIVE_KEY = /^[sr]k_live_/;

/** Finds missing or conflicting settings of PAYMENTS=stripe. */
function stripeProblem(config: Config): ConfigProblem | null {
  const { payments, stripeSecretKey, stripeWebhookSecret, testClock } = config;
  if (payments !== 'stripe') return null;
  for (const [field, value] of Object.entries({ stripeSecretKey, stripeWebhookSecret } as const)) {
    if (value !== undefined) continue;
    // The object above has only these two keys.
    const { name } = VARIABLES[field as 'stripeSecretKey' | 'stripeWebhookSecret'];
    return { variable: name, problem: `${name} is not set, and PAYMENTS=stripe needs it` };
  }
  if (!testClock || !LIVE_KEY.test(stripeSecretKey ?? '')) return null;
  return { variable: 'TEST_CLOCK', problem: 'TEST_CLOCK must not be 1 where STRIPE_SECRET_KEY moves real money' };
}

/** Refuses settings that apply to SQLite only, or to PostgreSQL only. */
function clusterProblem({ databaseUrl, backupSchedule, role }: Config): ConfigProblem | null {
  if (databaseUrl === undefined && role !== 'all') {
    const problem = `ROLE=${role} is set, but DATABASE_URL is not: on SQLite one node has every role`;
    return { variable: 'ROLE', problem };
  }
  if (databaseUrl === undefined || backupSchedule === undefined) return null;
  const problem = 'BACKUP_SCHEDULE must not be set with DATABASE_URL: PostgreSQL is backed up by its own means';
  return { variable: 'BACKUP_SCHEDULE', problem };
}

/** Reads and checks every variable of the table; the first that does not fit is the answer. */
export function readConfig(env: Environment): Config | ConfigProblem {
  const values: Record<string, unknown> = {};
  for (const [field, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const read = given(variable, env);
    if ('problem' in read) return { variable: variable.name, problem: read.problem };
    const value = read.text === undefined ? undefined : variable.parse(read.text);
    if (value instanceof Unfit) {
      const joint = value.reason.startsWith('=') ? '' : ' ';
      const told = variable.secret ? 'one of them' : `"${value.part}"`;
      const part = value.part === undefined ? '' : ` (each part of the list; ${told} does not fit)`;
      return { variable: variable.name, problem: `${variable.name}${joint}${value.reason}${part}` };
    }
    values[field] = value;
  }
  // Each field of the table has just been set from its own row, which is the definition of Config.
  const config: Config = Object.freeze({ ...(values as Values), shown: shownSettings(env) });
  for (const [dependent, owner] of NEEDS) {
    if (config[dependent] === undefined || config[owner] !== undefined) continue;
    const { name } = VARIABLES[dependent];
    return { variable: name, problem: `${name} is set, but ${VARIABLES[owner].name} is not` };
  }
  if (config.tlsCert !== undefined && config.acmeDomain !== undefined)
    return {
      variable: 'ACME_DOMAIN',
      problem: 'ACME_DOMAIN is set, and TLS_CERT too: one of them names the certificate',
    };
  return stripeProblem(config) ?? clusterProblem(config) ?? config;
}

export function isConfigProblem(read: Config | ConfigProblem): read is ConfigProblem {
  return 'problem' in read;
}

/** Whether HOST:PORT speaks TLS. */
export function speaksTls({ tlsCert, acmeDomain }: Pick<Config, 'tlsCert' | 'acmeDomain'>): boolean {
  return tlsCert !== undefined || acmeDomain !== undefined;
}

/** The default BASE_URL. */
function ownAddress({ host, acmeDomain, ...config }: Config, port: number): string {
  const name = acmeDomain ?? (host.includes(':') ? `[${host}]` : host);
  const tls = speaksTls({ acmeDomain, tlsCert: config.tlsCert });
  return `http${tls ? 's' : ''}://${name}${tls && port === 443 ? '' : `:${port}`}`;
}

/** The public addresses and the security contact; `port` is the bound one, since PORT=0 is decided only then. */
export function addresses(config: Config, port: number): Addresses {
  const baseUrl = config.baseUrl ?? ownAddress(config, port);
  return Object.freeze({
    baseUrl,
    appUrl: config.appUrl ?? `${baseUrl}/app`,
    profileUrl: config.profileUrl ?? `${baseUrl}/u`,
    securityContact: config.securityContact ?? `mailto:security@${new URL(baseUrl).hostname}`,
  });
}
