// Every setting of the service, one row a variable: its name, what stands when it is unset, what it means, and how its
// text is read. The typed Config, `meshwork config show` and the table in README.md all follow from this one.

import { resolve } from 'node:path';
import {
  baseUrl,
  choice,
  dnsServer,
  domainName,
  email,
  host,
  hostPort,
  integer,
  line,
  list,
  notYet,
  oneZero,
  onOff,
  type Parse,
  path,
  pattern,
  token,
  url,
} from './parse.ts';

/** One setting. `T` is what the rest of the service sees. */
export interface Variable<T> {
  readonly name: string;
  /** What is read when the variable is unset; absent where nothing is set then. */
  readonly default?: string;
  readonly meaning: string;
  readonly parse: Parse<T>;
  /** Never shown: `config show` masks it. */
  readonly secret?: boolean;
}

const WEB = ['http', 'https'];

function always<T>(name: string, standard: string, meaning: string, parse: Parse<T>): Variable<T> {
  return { name, default: standard, meaning, parse };
}

function perhaps<T>(name: string, meaning: string, parse: Parse<T>): Variable<T | undefined> {
  return { name, meaning, parse };
}

function secret<T>(name: string, meaning: string, parse: Parse<T>): Variable<T | undefined> {
  return { name, meaning, parse, secret: true };
}

const later = (name: string, meaning: string): Variable<undefined> => ({ name, meaning, parse: notYet });

export const VARIABLES = {
  host: always('HOST', '127.0.0.1', 'address to listen on', host),
  port: always('PORT', '3000', 'port to listen on; 0 picks a free one', integer(0, 65_535)),
  baseUrl: perhaps('BASE_URL', 'public address, used in every link; when unset http://HOST:PORT', baseUrl),
  appUrl: perhaps('APP_URL', 'address of the web app; when unset BASE_URL/app', baseUrl),
  profileUrl: perhaps('PROFILE_URL', 'address before the handle of a public profile; when unset BASE_URL/u', baseUrl),
  dataDir: always('DATA_DIR', './data', 'folder of the database, generated secrets and outbox', (text) =>
    resolve(text),
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    'postgres://… that nodes share; when unset SQLite in DATA_DIR',
    url(['postgres', 'postgresql']),
  ),
  mailDomain: always('MAIL_DOMAIN', 'agents.localhost', "domain of the agents' mailbox addresses", domainName),
  smtpUrl: secret('SMTP_URL', 'outgoing mail; when unset mails are files in DATA_DIR/outbox', url(['smtp', 'smtps'])),
  mailInboundPort: perhaps(
    'MAIL_INBOUND_PORT',
    "port of an SMTP listener for the agents' mailboxes; 0 picks a free one, unset opens none",
    integer(0, 65_535),
  ),
  mailInboundHost: perhaps('MAIL_INBOUND_HOST', 'address that it listens on; when unset HOST', host),
  mailTlsCert: perhaps('MAIL_TLS_CERT', 'PEM file that it shows after STARTTLS; when unset a self-signed one', path),
  mailTlsKey: perhaps('MAIL_TLS_KEY', 'PEM file with the key of that certificate', path),
  smsUrl: secret('SMS_URL', 'endpoint that is sent {to, text}; when unset messages are files in the outbox', url(WEB)),
  payments: always('PAYMENTS', 'sandbox', 'sandbox or none', choice(['sandbox', 'none'], ['stripe'])),
  stripeSecretKey: later('STRIPE_SECRET_KEY', 'key of the payment processor'),
  stripeWebhookSecret: later('STRIPE_WEBHOOK_SECRET', "signs the payment processor's webhooks"),
  stripeApiBase: perhaps('STRIPE_API_BASE', 'a local emulator; read with STRIPE_SECRET_KEY only', url(WEB)),
  chainRail: always('CHAIN_RAIL', 'off', 'transfers on a chain: off', choice(['off'], ['sandbox', 'solana'])),
  internalToken: secret('INTERNAL_TOKEN', 'value of X-Internal-Token; when unset DATA_DIR/internal-token', token),
  adminEmails: always('ADMIN_EMAILS', '', 'accounts whose sessions reach /api/admin/*', list(email)),
  egressAllow: always('EGRESS_ALLOW', '', 'host:port,… reached although not public https', list(hostPort)),
  dnsServers: always('DNS_SERVERS', '', "ip:port,… for look-ups; when empty the system's", list(dnsServer)),
  oidcIssuer: later('OIDC_ISSUER', 'an outside identity provider'),
  oidcAudience: later('OIDC_AUDIENCE', 'audience of its tokens'),
  githubClientId: later('GITHUB_CLIENT_ID', 'proof of a GitHub account'),
  githubClientSecret: later('GITHUB_CLIENT_SECRET', 'its secret'),
  // Build machines set this pair for their own ends, so alone it is checked and has no effect.
  githubUrl: perhaps('GITHUB_URL', 'read with GITHUB_CLIENT_ID only', url(WEB)),
  githubApiUrl: perhaps('GITHUB_API_URL', 'read with GITHUB_CLIENT_ID only', url(WEB)),
  linkedinClientId: later('LINKEDIN_CLIENT_ID', 'proof of a LinkedIn account'),
  linkedinClientSecret: later('LINKEDIN_CLIENT_SECRET', 'its secret'),
  linkedinUrl: perhaps('LINKEDIN_URL', 'read with LINKEDIN_CLIENT_ID only', url(WEB)),
  linkedinApiUrl: perhaps('LINKEDIN_API_URL', 'read with LINKEDIN_CLIENT_ID only', url(WEB)),
  twitterClientId: later('TWITTER_CLIENT_ID', 'proof of a Twitter account'),
  twitterClientSecret: later('TWITTER_CLIENT_SECRET', 'its secret'),
  twitterUrl: perhaps('TWITTER_URL', 'read with TWITTER_CLIENT_ID only', url(WEB)),
  twitterApiUrl: perhaps('TWITTER_API_URL', 'read with TWITTER_CLIENT_ID only', url(WEB)),
  embeddingsUrl: perhaps('EMBEDDINGS_URL', 'an OpenAI-compatible endpoint; when unset the built-in embedder', url(WEB)),
  embeddingsModel: perhaps('EMBEDDINGS_MODEL', 'the model that it is asked for', line),
  embeddingsKey: secret('EMBEDDINGS_KEY', 'its bearer key', token),
  llmUrl: later('LLM_URL', 'an OpenAI-compatible chat endpoint for summaries and next turns'),
  llmModel: later('LLM_MODEL', 'the model that it is asked for'),
  llmKey: later('LLM_KEY', 'its bearer key'),
  rateLimits: always('RATE_LIMITS', 'on', 'off lifts request and code-sending limits, for load tests', onOff),
  trustProxy: always('TRUST_PROXY', 'off', 'on: X-Forwarded-For names the client', onOff),
  testClock: always('TEST_CLOCK', '0', '1: POST /internal/clock moves the time of the service', oneZero),
  logLevel: always(
    'LOG_LEVEL',
    'info',
    'least level that is logged',
    choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  ),
  logFormat: perhaps('LOG_FORMAT', 'text or json; when unset text on a terminal, else json', choice(['text', 'json'])),
  keyPrefix: always(
    'KEY_PREFIX',
    'mesh',
    'first word of every API key',
    pattern(/^[a-z][a-z0-9]{0,15}$/, '1 to 16 characters of a-z and 0-9, a letter first'),
  ),
  platformHandle: always(
    'PLATFORM_HANDLE',
    'concierge',
    'handle of the agent that speaks for the service',
    pattern(/^[a-z0-9_]{3,30}$/, '3 to 30 characters of a-z, 0-9 and underscore'),
  ),
  strictScopes: always('STRICT_SCOPES', '0', '1: every dispute action asks for payments:write', oneZero),
} as const;
