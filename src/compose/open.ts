// Opens what the settings name: the store and its secrets, the outgoing ports, the listeners. An unusable setting is refused by the name
// of its variable.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MovableClock } from '../../actors/clock.ts';
import { type Clock, wallClock } from '../../actors/clock.ts';
import { UnknownMigrations } from '../../db/migrations/unknown.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { lossIn } from '../../db/sqlite/copy.ts';
import { LostWrites } from '../../db/sqlite/lost-writes.ts';
import { openSqliteStore, type SqliteOptions } from '../../db/sqlite/sqlite-store.ts';
import type { Store } from '../../db/store.ts';
import { storeCodeOf } from '../../db/unavailable.ts';
import { addresses, type Config, UnusableSetting } from '../config.ts';
import { isDemoAddress } from '../domain/demo.ts';
import type { Instance } from '../domain/instance.ts';
import type { Log } from '../log.ts';
import { openAccountHosts, openIdentity } from '../outbound/account-host/oauth-site.ts';
import { type Certificate, certificateProblem, makeCertificate } from '../outbound/certificate.ts';
import { openChain } from '../outbound/chain/sandbox.ts';
import { createDns } from '../outbound/dns.ts';
import { lazyMailer } from '../outbound/mailer/lazy.ts';
import { openNegotiator } from '../outbound/negotiator/endpoint.ts';
import { openProcessor } from '../outbound/processor/open.ts';
import { createSafeHttp } from '../outbound/safe-http/safe-http.ts';
import { loadSecrets, type Secrets, secretsFrom } from '../outbound/secrets.ts';
import { createSessionIssuer } from '../outbound/session/issuer.ts';
import { createCardSigner, createDocumentSigner } from '../outbound/signature.ts';
import { createOutboxSms, createSmsEndpoint } from '../outbound/sms/sms.ts';
import { CertificateProblem, openCertificates } from '../outbound/tls-certificate.ts';
import { openTracer } from '../outbound/traces.ts';
import { createWebPush } from '../outbound/web-push.ts';
import { sandboxBooks } from '../steps/money/sandbox-books.ts';
import { type Listener, listen } from '../transports/listen.ts';
import type { SmtpListener } from '../transports/smtp/listen.ts';
import type { Assembled } from './assembly.ts';
import { backUpBeforeMigration } from './backup/before-migration.ts';
import { acceptLoss, refuseHalfRestored } from './backup/restore.ts';
import type { Parts, ServiceSettings } from './parts.ts';

/** Options without a setting: benchmarks use one commit per turn, fault tests remove a safeguard. */
export interface Trial {
  readonly single_commits?: boolean;
  readonly without?: 'version_check' | 'idempotency_row';
  /** Migrates although older nodes serve the database. */
  readonly while_older_nodes_run?: boolean;
}

const LOGO_BYTES_MAX = 100_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The picture of INSTANCE_LOGO as a data: URL, which pages may show without loading anything. In an image an SVG runs no script. */
function logoOf(file: string): string {
  try {
    const bytes = readFileSync(file);
    const isPng = bytes.subarray(0, PNG.length).equals(PNG);
    const isSvg = !isPng && /^\s*<(?:\?xml|svg)\b/.test(bytes.subarray(0, 200).toString('utf8'));
    if (bytes.length > LOGO_BYTES_MAX || (!isPng && !isSvg)) {
      throw new UnusableSetting('INSTANCE_LOGO must be a PNG or SVG file of at most 100 KB');
    }
    return `data:image/${isPng ? 'png' : 'svg+xml'};base64,${bytes.toString('base64')}`;
  } catch (error) {
    if (error instanceof UnusableSetting) throw error;
    throw new UnusableSetting(`INSTANCE_LOGO cannot be read: ${error instanceof Error ? error.message : 'no answer'}`);
  }
}

/** The name and links of this instance. */
function instanceOf({ instanceName, instanceLogo, instanceColor, termsUrl, privacyUrl }: Config): Instance {
  return {
    name: instanceName,
    terms_url: termsUrl ?? null,
    privacy_url: privacyUrl ?? null,
    logo: instanceLogo === undefined ? null : logoOf(instanceLogo),
    color: instanceColor,
  };
}

/** The part of the configuration that operations see. */
export function settingsOf(config: Config, port: number, internal_token: string): ServiceSettings {
  const { baseUrl, appUrl, profileUrl, securityContact } = addresses(config, port);
  return {
    base_url: baseUrl,
    app_url: appUrl,
    profile_url: profileUrl,
    mail_domain: config.mailDomain,
    key_prefix: config.keyPrefix,
    platform_handle: config.platformHandle,
    admin_emails: config.adminEmails,
    security_contact: securityContact,
    rate_limits: config.rateLimits,
    test_clock: config.testClock,
    refusals_once: config.refusalsOnce,
    outside_issuer: config.oidcIssuer ?? null,
    data_dir: config.dataDir,
    retention: config.retention,
    instance: instanceOf(config),
    default_plan: config.defaultPlan,
    joining: {
      signup: config.signup,
      domains: config.signupDomains,
      administrators: config.adminEmails,
      members_invite: config.invites === 'members',
    },
    outbox: config.smtpUrl === undefined,
    text_outbox: config.smsUrl === undefined,
    shown: config.shown,
    internal_token,
  };
}

/** The error of a database that cannot be used; its URL is left out, because it holds a password. */
function unreachable(error: unknown): UnusableSetting {
  const why = error instanceof Error ? error.message : 'no answer';
  return new UnusableSetting(`DATABASE_URL cannot be used: ${why}`, !(error instanceof UnknownMigrations));
}

const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;

/** The problems of a database file by error code, with what to do; other codes do not concern the file. */
const FILE_PROBLEMS: readonly (readonly [code: RegExp, problem: (file: string, why: string) => string])[] = [
  [
    DAMAGED,
    (file, why) =>
      `${file} is damaged (${why}). Keep a copy of the folder, see what meshwork doctor tells of it, and restore the newest backup that is right: meshwork backup restore latest`,
  ],
  [
    /^SQLITE_FULL/,
    (file) => `there is no room for ${file}; make room, and start again: nothing that was answered is lost`,
  ],
  [/^SQLITE_(READONLY|CANTOPEN|IOERR|PERM)/, (file, why) => `${file} cannot be read and written (${why})`],
];

/** Why a start failed, with the name of the setting if the folder or file is the reason. */
export function startProblem({ dataDir, databaseUrl }: Config, error: unknown): unknown {
  if (databaseUrl !== undefined || !(error instanceof Error)) return error;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = storeCodeOf(cause);
  const problem = FILE_PROBLEMS.find(([of]) => of.test(code))?.[1];
  if (problem) {
    const told = problem(join(dataDir, DATABASE_FILE), cause.message);
    return new UnusableSetting(`DATA_DIR cannot be used: ${told}`, !DAMAGED.test(code));
  }
  const { path } = error as { readonly path?: unknown };
  if (typeof path === 'string' && (path === dataDir || path.startsWith(join(dataDir, '/'))))
    return new UnusableSetting(`DATA_DIR cannot be used: ${error.message}`, true);
  if (error instanceof LostWrites)
    return new UnusableSetting(`DATA_DIR cannot be used: ${error.message}; ${error.next}`);
  return error instanceof UnknownMigrations ? new UnusableSetting(`DATA_DIR cannot be used: ${error.message}`) : error;
}

/** Chooses the mode, only here: nodes on one PostgreSQL, or SQLite in this process. The other mode's adapter is not
 * loaded. */
export async function openStore(
  config: Config,
  log: Log,
  options: Omit<SqliteOptions, 'data_dir' | 'patience' | 'external_checkpoints' | 'warn'> & Trial,
  accept_loss?: string,
): Promise<Store> {
  const { dataDir: data_dir, databaseUrl: url, databaseDirectUrl: direct_url, role } = config;
  if (url === undefined) {
    // A start that is refused for lost writes makes none: it would take the place of an older, whole backup.
    if ([null, accept_loss].includes(lossIn(data_dir))) await backUpBeforeMigration(config, options.now_ms, log);
    const own = { ...options, data_dir, external_checkpoints: config.checkpoints === 'external' };
    const open = (): Store => openSqliteStore({ ...own, warn: (sentence) => log.warn(sentence) });
    try {
      return open();
    } catch (error) {
      if (!(error instanceof LostWrites && error.code === accept_loss)) throw error;
      acceptLoss(data_dir, options.now_ms);
      log.warn('the loss of writes was accepted: what was due before waits, see meshwork resume', {
        lost: error.message,
      });
      return open();
    }
  }
  const { openPostgresStore } = await import('../../db/postgres/postgres-store.ts');
  return openPostgresStore({ ...options, url, direct_url, role }).catch((error: unknown) => {
    throw unreachable(error);
  });
}

/** The secrets that the nodes of a database share. */
async function sharedSecretsOf(
  address: { readonly url: string; readonly direct_url: string | undefined },
  internalToken: string | undefined,
  { while_older_nodes_run }: Trial,
): Promise<Secrets> {
  const { withSharedSecrets } = await import('../../db/postgres/shared-secrets.ts');
  const { now } = wallClock();
  const use = (secret: Parameters<typeof secretsFrom>[0]): Promise<Secrets> => secretsFrom(secret, internalToken);
  return withSharedSecrets(address, now(), use, while_older_nodes_run).catch((error: unknown) => {
    throw unreachable(error);
  });
}

/** The secrets of DATA_DIR, or those that nodes share; a folder that cannot be created, read or written is refused by the name of its
 * variable, also with a shared database. */
export async function secretsOf(config: Config, trial: Trial): Promise<Secrets> {
  const { dataDir, databaseUrl: url, databaseDirectUrl: direct_url, internalToken } = config;
  refuseHalfRestored(dataDir);
  try {
    const own = await loadSecrets(dataDir, internalToken);
    return url === undefined ? own : await sharedSecretsOf({ url, direct_url }, internalToken, trial);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const passes = 'code' in error && (error.code === 'ENOSPC' || error.code === 'EIO');
    throw new UnusableSetting(`DATA_DIR cannot be used: ${error.message}`, passes);
  }
}

/** The error codes of a HOST that is unknown or another machine's; Bun reports EINVAL for a name that it cannot resolve. */
const NO_ADDRESS: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EINVAL', 'ENOTFOUND', 'ERR_INVALID_URL']);

/** Binds HOST:PORT; a failure names the variable. */
export function bindPort(config: Config, log: Log): Listener {
  const { host, port } = config;
  try {
    const { baseUrl } = addresses(config, port);
    return listen(config, openCertificates(config, baseUrl, log), log);
  } catch (error) {
    if (error instanceof CertificateProblem) throw new UnusableSetting(error.message);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') throw new UnusableSetting(`PORT ${port} is in use on ${host}`, true);
    if (code === 'EACCES') throw new UnusableSetting(`PORT ${port} needs rights that this user does not have`);
    if (NO_ADDRESS.has(code)) {
      // An interface may come up later.
      throw new UnusableSetting(`HOST ${host} is no address of this machine`, code === 'EADDRNOTAVAIL');
    }
    const certificate = config.tlsCert === undefined ? '' : ' with TLS_CERT';
    const why = error instanceof Error ? error.message : String(error);
    throw new UnusableSetting(`HOST ${host} and PORT ${port}${certificate} cannot be used: ${why}`);
  }
}

/** All outgoing ports except the embedder. */
export function openPorts(
  config: Config,
  log: Log,
): Pick<Parts, 'http' | 'dns' | 'hosts' | 'identity' | 'mailer' | 'negotiator' | 'sms' | 'tracer'> {
  const dns = createDns(config.dnsServers);
  const sender = `no-reply@${config.mailDomain}`;
  const http = createSafeHttp({ dns, allow: config.egressAllow });
  return {
    dns,
    http,
    hosts: openAccountHosts(config, http),
    identity: openIdentity(config, http),
    negotiator: openNegotiator(config, dns, log),
    tracer: openTracer(config, log),
    mailer: lazyMailer(async () => {
      const { smtpUrl } = config;
      const outbox = (await import('../outbound/mailer/outbox.ts')).createOutboxMailer(config.dataDir, sender);
      if (!smtpUrl) return outbox;
      const smtp = (await import('../outbound/mailer/smtp.ts')).createSmtpMailer(smtpUrl, sender);
      // No mail server has the demo persons' addresses.
      return { send: (mail, gone) => (isDemoAddress(mail.to) ? outbox : smtp).send(mail, gone) };
    }),
    sms: config.smsUrl ? createSmsEndpoint(config.smsUrl) : createOutboxSms(config.dataDir),
  };
}

/** The service's signers, each with its own keys. */
export function signers(
  secrets: Secrets,
  { base_url, security_contact }: ServiceSettings,
): Pick<Parts, 'sessions' | 'card_signer' | 'documents' | 'pushes'> {
  return {
    sessions: createSessionIssuer(secrets.sessionKeys, base_url, base_url),
    card_signer: createCardSigner(secrets.cardKeys, `${base_url}/.well-known/jwks.json`),
    documents: createDocumentSigner(secrets.documentKeys),
    pushes: createWebPush(secrets.pushKey, security_contact),
  };
}

/** The payment processor and the chain rail. */
export function moneyPorts(
  config: Config,
  { secrets, store, clock, base_url }: { secrets: Secrets; store: Store; clock: Clock; base_url: string },
): Pick<Parts, 'processor' | 'chain'> {
  const sandbox = { base_url, key: secrets.sealKey, books: sandboxBooks(store.read), now: () => clock.now() };
  return {
    processor: openProcessor(config, sandbox),
    chain: openChain(config, () => clock.now()),
  };
}

/** The certificate that MAIL_TLS_CERT and MAIL_TLS_KEY name, or one made for this run. */
function mailCertificate({ mailTlsCert, mailTlsKey, mailDomain }: Config, now_ms: number): Certificate {
  if (mailTlsCert === undefined || mailTlsKey === undefined) return makeCertificate(mailDomain, now_ms);
  const read = (name: string, path: string): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      throw new UnusableSetting(`${name} cannot be read: ${error instanceof Error ? error.message : path}`);
    }
  };
  const named = { cert: read('MAIL_TLS_CERT', mailTlsCert), key: read('MAIL_TLS_KEY', mailTlsKey) };
  const problem = certificateProblem(named);
  if (problem !== null) throw new UnusableSetting(`MAIL_TLS_CERT cannot be used: ${problem}`);
  return named;
}

/** The SMTP listener, if MAIL_INBOUND_PORT is set. Its library is not loaded otherwise. */
export async function openMailDoor(config: Config, service: Assembled, log: Log): Promise<SmtpListener | null> {
  const { mailInboundPort: port, mailInboundHost: host = config.host } = config;
  if (port === undefined) return null;
  const certificate = mailCertificate(config, service.world.clock.now());
  const { listenSmtp } = await import('../transports/smtp/listen.ts');
  return listenSmtp(service.doors, { host, port }, certificate, log).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'no reason was given';
    throw new UnusableSetting(`MAIL_INBOUND_PORT ${port} cannot be used on ${host}: ${reason}`, true);
  });
}

/** Writes the address of this process to a file for the CLI; returns the file. */
export function writeNote({ dataDir }: Config, { address }: Listener, mail_door: SmtpListener | null): string {
  const note = join(dataDir, 'server.json');
  const mail = mail_door && { mail_port: mail_door.port };
  writeFileSync(note, JSON.stringify({ url: address, ...mail, pid: process.pid }), { mode: 0o600 });
  return note;
}

/** The time of the database's clock, with manual moves; undefined when that is this machine's. */
export function sharedTimeOf({ time }: Store, clock: MovableClock): Parts['shared_time'] {
  return time === null ? undefined : async () => (await time()) + clock.offset_ms;
}
