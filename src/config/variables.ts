// Every setting of the service, one row a variable: name, default, meaning and parser. The typed Config,
// `meshwork config show` and the table in src/docs/operate.md are derived from it.

import { resolve } from 'node:path';
import {
  baseUrl,
  choice,
  color,
  contact,
  dnsServer,
  domainName,
  email,
  headerPair,
  host,
  hostPort,
  integer,
  line,
  list,
  oneZero,
  onOff,
  type Parse,
  path,
  pattern,
  place,
  retention,
  schedule,
  token,
  url,
} from './parse.ts';

/** One setting. `T` is the type of the parsed value. */
export interface Variable<T> {
  readonly name: string;
  /** The text that is parsed when the variable is unset; absent where there is no default. */
  readonly default?: string;
  readonly meaning: string;
  readonly parse: Parse<T>;
  /** Never shown: `config show` masks it. */
  readonly secret?: boolean;
}

const WEB = ['http', 'https'];

function requiredVariable<T>(name: string, standard: string, meaning: string, parse: Parse<T>): Variable<T> {
  return { name, default: standard, meaning, parse };
}

function optionalVariable<T>(name: string, meaning: string, parse: Parse<T>): Variable<T | undefined> {
  return { name, meaning, parse };
}

function secretVariable<T>(name: string, meaning: string, parse: Parse<T>): Variable<T | undefined> {
  return { name, meaning, parse, secret: true };
}

export const VARIABLES = {
  host: requiredVariable('HOST', '127.0.0.1', 'address to listen on', host),
  port: requiredVariable('PORT', '3000', 'port to listen on; 0 picks a free one', integer(0, 65_535)),
  tlsCert: optionalVariable(
    'TLS_CERT',
    'PEM file with the certificates that HOST:PORT shows; when unset plain http',
    path,
  ),
  tlsKey: optionalVariable('TLS_KEY', 'PEM file with the key of the first; both are read again when they change', path),
  acmeDomain: optionalVariable(
    'ACME_DOMAIN',
    'name for which HOST:PORT gets its certificate by itself, by ACME; setting it agrees to the terms of the authority',
    domainName,
  ),
  acmeDirectory: requiredVariable(
    'ACME_DIRECTORY',
    'https://acme-v02.api.letsencrypt.org/directory',
    'the authority that is asked for it',
    url(['https']),
  ),
  acmeHttpPort: requiredVariable(
    'ACME_HTTP_PORT',
    '80',
    'port where the authority fetches its proof; every other request there is redirected to https',
    integer(1, 65_535),
  ),
  baseUrl: optionalVariable('BASE_URL', 'public address, used in every link; when unset http://HOST:PORT', baseUrl),
  appUrl: optionalVariable(
    'APP_URL',
    'address of the web app and of the pages for people; when unset BASE_URL/app',
    baseUrl,
  ),
  profileUrl: optionalVariable(
    'PROFILE_URL',
    'address before the handle of a public profile; when unset BASE_URL/u',
    baseUrl,
  ),
  dataDir: requiredVariable('DATA_DIR', './data', 'folder of the database, generated secrets and outbox', (text) =>
    resolve(text),
  ),
  databaseUrl: secretVariable(
    'DATABASE_URL',
    'postgres://… that nodes share; when unset SQLite in DATA_DIR',
    url(['postgres', 'postgresql']),
  ),
  databaseDirectUrl: secretVariable(
    'DATABASE_DIRECT_URL',
    'the same database past a pooler that DATABASE_URL leads to, for LISTEN (one connection a node) and migrations; when unset nodes look for what others did',
    url(['postgres', 'postgresql']),
  ),
  role: requiredVariable(
    'ROLE',
    'all',
    'with DATABASE_URL, what a node does: all; web, all but matching, without the index of listings; or matching, which holds that and answers for the web nodes',
    choice(['all', 'web', 'matching']),
  ),
  backupDir: optionalVariable(
    'BACKUP_DIR',
    'where backups are kept: a folder, or s3://bucket/prefix; when unset DATA_DIR/backups',
    place,
  ),
  backupPassphrase: secretVariable(
    'BACKUP_PASSPHRASE',
    'encrypts backups; when unset the secrets lie in them in clear',
    line,
  ),
  backupSchedule: optionalVariable(
    'BACKUP_SCHEDULE',
    'when a backup is made and proved: 24h or 7d after the last, or daily at a time of UTC as 03:30; when unset never',
    schedule,
  ),
  backupKeep: requiredVariable(
    'BACKUP_KEEP',
    '7',
    'how many backups stay when one was made on schedule',
    integer(1, 9_999),
  ),
  backupKeepDays: optionalVariable(
    'BACKUP_KEEP_DAYS',
    'for how many days one stays, the newest in any case; when unset age does not count',
    integer(1, 9_999),
  ),
  backupBeforeMigration: requiredVariable(
    'BACKUP_BEFORE_MIGRATION',
    'on',
    'a backup into DATA_DIR/backups before a database is migrated',
    onOff,
  ),
  checkpoints: requiredVariable(
    'CHECKPOINTS',
    'own',
    'external leaves the log of SQLite to another program, as Litestream',
    choice(['own', 'external']),
  ),
  retention: requiredVariable(
    'RETENTION',
    '',
    'what is deleted once it is so old, of events, messages, receipts and prompts: as events=90d,messages=365d, each 7d or more; when empty nothing',
    retention,
  ),
  s3Endpoint: optionalVariable(
    'S3_ENDPOINT',
    'address of the S3 service that holds the bucket for backups; when unset that of Amazon',
    url(WEB),
  ),
  s3Region: optionalVariable('S3_REGION', 'its region', token),
  s3AccessKeyId: optionalVariable('S3_ACCESS_KEY_ID', 'the key that may write and read it', token),
  s3SecretAccessKey: secretVariable('S3_SECRET_ACCESS_KEY', 'its secret', token),
  mailDomain: requiredVariable(
    'MAIL_DOMAIN',
    'agents.localhost',
    "domain of the agents' mailbox addresses",
    domainName,
  ),
  smtpUrl: secretVariable(
    'SMTP_URL',
    'outgoing mail; when unset mails are files in DATA_DIR/outbox',
    url(['smtp', 'smtps']),
  ),
  mailInboundPort: optionalVariable(
    'MAIL_INBOUND_PORT',
    "port of an SMTP listener for the agents' mailboxes; 0 picks a free one, unset opens none",
    integer(0, 65_535),
  ),
  mailInboundHost: optionalVariable('MAIL_INBOUND_HOST', 'address that it listens on; when unset HOST', host),
  mailTlsCert: optionalVariable(
    'MAIL_TLS_CERT',
    'PEM file that it shows after STARTTLS; when unset a self-signed one',
    path,
  ),
  mailTlsKey: optionalVariable('MAIL_TLS_KEY', 'PEM file with the key of that certificate', path),
  smsUrl: secretVariable(
    'SMS_URL',
    'endpoint that is sent {to, text}; when unset messages are files in the outbox',
    url(WEB),
  ),
  payments: requiredVariable(
    'PAYMENTS',
    'sandbox',
    'who takes and pays out money: sandbox (none that is real), stripe or none',
    choice(['sandbox', 'stripe', 'none']),
  ),
  stripeSecretKey: secretVariable(
    'STRIPE_SECRET_KEY',
    'key of the Stripe account, sk_test_… or sk_live_…; needed with PAYMENTS=stripe',
    pattern(/^[sr]k_(?:test|live)_[\x21-\x7e]{1,200}$/, 'a secret key, which begins with sk_test_ or sk_live_'),
  ),
  stripeWebhookSecret: secretVariable(
    'STRIPE_WEBHOOK_SECRET',
    'signs what Stripe sends to POST /webhooks/stripe, whsec_…; needed with PAYMENTS=stripe',
    token,
  ),
  stripeApiBase: optionalVariable('STRIPE_API_BASE', "an emulator of Stripe's API in place of Stripe", baseUrl),
  chainRail: requiredVariable(
    'CHAIN_RAIL',
    'off',
    'withdrawals to a chain: off, or sandbox (none that is real)',
    choice(['off', 'sandbox'], ['solana']),
  ),
  fundingHoldDays: optionalVariable(
    'FUNDING_HOLD_DAYS',
    'days for which money paid by card can be spent and not be withdrawn; when unset 0 with the sandbox, 7 with Stripe',
    integer(0, 365),
  ),
  internalToken: secretVariable(
    'INTERNAL_TOKEN',
    'value of X-Internal-Token; when unset DATA_DIR/internal-token',
    token,
  ),
  adminEmails: requiredVariable('ADMIN_EMAILS', '', 'accounts whose sessions reach /api/admin/*', list(email)),
  instanceName: requiredVariable(
    'INSTANCE_NAME',
    'Meshwork',
    'what pages, letters and documents call the service',
    pattern(/^[^\p{Cc}\p{Co}]{1,60}$/u, 'one line of at most 60 characters'),
  ),
  instanceColor: requiredVariable(
    'INSTANCE_COLOR',
    '1f5fd6',
    'colour of pages, letters and the app, as 1f5fd6; of it they use the shades that can be read',
    color,
  ),
  instanceLogo: optionalVariable(
    'INSTANCE_LOGO',
    'PNG or SVG file of at most 100 KB that pages and the app show',
    path,
  ),
  termsUrl: optionalVariable('TERMS_URL', 'where the terms of use stand, which pages link to', url(WEB)),
  privacyUrl: optionalVariable('PRIVACY_URL', 'where is told how personal data are treated', url(WEB)),
  defaultPlan: requiredVariable('DEFAULT_PLAN', 'free', 'plan of new accounts: free or pro', choice(['free', 'pro'])),
  plans: optionalVariable('PLANS', 'JSON file with limits, fees, scopes and the price of Free and Pro', path),
  signup: requiredVariable(
    'SIGNUP',
    'open',
    'who can create an account: open (anyone with a mail address), invite, or closed; invitations of administrators always work',
    choice(['open', 'invite', 'closed']),
  ),
  signupDomains: requiredVariable(
    'SIGNUP_DOMAINS',
    '',
    'with SIGNUP=open: mail domains whose addresses alone join without an invitation; when empty all',
    list(domainName),
  ),
  invites: requiredVariable(
    'INVITES',
    'admins',
    'who invites others: admins, or members too (not with SIGNUP=closed)',
    choice(['admins', 'members']),
  ),
  securityContact: optionalVariable(
    'SECURITY_CONTACT',
    'mailto:… or https://… where flaws are reported, told by security.txt; when unset security@ the host of BASE_URL',
    contact,
  ),
  egressAllow: requiredVariable('EGRESS_ALLOW', '', 'host:port,… reached although not public https', list(hostPort)),
  dnsServers: requiredVariable('DNS_SERVERS', '', "ip:port,… for look-ups; when empty the system's", list(dnsServer)),
  oidcIssuer: optionalVariable(
    'OIDC_ISSUER',
    'an OpenID provider through which people sign in; when unset the service does that itself',
    url(WEB),
  ),
  oidcAudience: optionalVariable('OIDC_AUDIENCE', 'as what it knows the service: its client id', token),
  oidcClientSecret: secretVariable('OIDC_CLIENT_SECRET', 'its secret; a public client has none', token),
  githubClientId: optionalVariable('GITHUB_CLIENT_ID', 'proofs of GitHub accounts; when unset none', token),
  githubClientSecret: secretVariable('GITHUB_CLIENT_SECRET', 'its secret', token),
  // CI systems set this pair for their own purposes, so alone it is checked and has no effect.
  githubUrl: requiredVariable('GITHUB_URL', 'https://github.com', 'where people let the service in', url(WEB)),
  githubApiUrl: requiredVariable('GITHUB_API_URL', 'https://api.github.com', 'where accounts are looked up', url(WEB)),
  linkedinClientId: optionalVariable('LINKEDIN_CLIENT_ID', 'proofs of LinkedIn accounts; when unset none', token),
  linkedinClientSecret: secretVariable('LINKEDIN_CLIENT_SECRET', 'its secret', token),
  linkedinUrl: requiredVariable('LINKEDIN_URL', 'https://www.linkedin.com', 'as of GitHub', url(WEB)),
  linkedinApiUrl: requiredVariable('LINKEDIN_API_URL', 'https://api.linkedin.com', 'as of GitHub', url(WEB)),
  twitterClientId: optionalVariable('TWITTER_CLIENT_ID', 'proofs of X accounts; when unset none', token),
  twitterClientSecret: secretVariable('TWITTER_CLIENT_SECRET', 'its secret', token),
  twitterUrl: requiredVariable('TWITTER_URL', 'https://x.com', 'as of GitHub', url(WEB)),
  twitterApiUrl: requiredVariable('TWITTER_API_URL', 'https://api.x.com', 'as of GitHub', url(WEB)),
  proofIssuer: optionalVariable('PROOF_ISSUER', 'a further OpenID provider whose accounts are proofs', url(WEB)),
  proofClientId: optionalVariable('PROOF_CLIENT_ID', 'as what it knows the service', token),
  proofClientSecret: secretVariable('PROOF_CLIENT_SECRET', 'its secret; a public client has none', token),
  proofKind: requiredVariable(
    'PROOF_KIND',
    'twitter',
    'which credential its accounts are',
    choice(['github', 'linkedin', 'twitter', 'identity']),
  ),
  embeddingsUrl: optionalVariable(
    'EMBEDDINGS_URL',
    'an OpenAI-compatible endpoint; when unset the built-in embedder',
    url(WEB),
  ),
  embeddingsModel: optionalVariable('EMBEDDINGS_MODEL', 'the model that it is asked for', line),
  embeddingsKey: secretVariable('EMBEDDINGS_KEY', 'its bearer key', token),
  llmUrl: optionalVariable(
    'LLM_URL',
    'an OpenAI-compatible chat endpoint that decides turns and writes summaries; when unset the built-in rules do',
    url(WEB),
  ),
  llmModel: optionalVariable('LLM_MODEL', 'the model that it is asked for', line),
  llmKey: secretVariable('LLM_KEY', 'its bearer key', token),
  llmPricePerMtok: optionalVariable(
    'LLM_PRICE_PER_MTOK',
    'what a million of its tokens cost, in cents; when unset no money is counted',
    integer(0, 10_000_000),
  ),
  rateLimits: requiredVariable('RATE_LIMITS', 'on', 'off lifts request and code-sending limits, for load tests', onOff),
  trustProxy: requiredVariable('TRUST_PROXY', 'off', 'on behind a proxy: X-Forwarded-For names the client', onOff),
  testClock: requiredVariable('TEST_CLOCK', '0', '1: POST /internal/clock moves the time of the service', oneZero),
  logLevel: requiredVariable(
    'LOG_LEVEL',
    'info',
    'least level that is logged',
    choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  ),
  logFormat: optionalVariable(
    'LOG_FORMAT',
    'text or json; when unset text on a terminal, else json',
    choice(['text', 'json']),
  ),
  otelEndpoint: optionalVariable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'a collector of OpenTelemetry, to which traces are sent by HTTP as JSON; when unset none are made',
    baseUrl,
  ),
  otelHeaders: secretVariable('OTEL_EXPORTER_OTLP_HEADERS', 'name=value,… sent along to it', list(headerPair)),
  otelServiceName: requiredVariable('OTEL_SERVICE_NAME', 'meshwork', "the service's name in traces", line),
  keyPrefix: requiredVariable(
    'KEY_PREFIX',
    'mesh',
    'first word of every API key',
    pattern(/^[a-z][a-z0-9]{0,15}$/, '1 to 16 characters of a-z and 0-9, a letter first'),
  ),
  platformHandle: requiredVariable(
    'PLATFORM_HANDLE',
    'concierge',
    'handle of the agent that speaks for the service',
    pattern(/^[a-z0-9_]{3,30}$/, '3 to 30 characters of a-z, 0-9 and underscore'),
  ),
  refusalsOnce: requiredVariable(
    'REFUSALS_ONCE',
    '0',
    '1: what a provider refuses one caller (4xx) counts against it once in a row',
    oneZero,
  ),
} as const;
