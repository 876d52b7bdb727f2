// The TLS certificate of HOST:PORT: read from files and read again when they change, or issued by a certificate authority over ACME
// (RFC 8555) and renewed before it expires. The listener gets each new one, and keeps the previous one until then.
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from 'bun';
import type { Config } from '../config.ts';
import { HOUR_MS, MINUTE_MS } from '../domain/time.ts';
import { errorFields, type Log } from '../log.ts';
import { type Certificate, certificateProblem, makeCertificate } from './certificate.ts';

export interface CertificateSource {
  readonly current: Certificate;
  /** Keeps checking; `changed` is called with each new certificate. If it throws, the previous one stays, and `changed` is called
   * again at the next check. */
  start(changed: (certificate: Certificate) => void): void;
  stop(): Promise<void>;
}

/** Why a start is refused; begins with the name of the variable. */
export class CertificateProblem extends Error {}

/** The logged reason of a failure: the message of the file system or the authority, which holds no secret. */
const reasonOf = (error: unknown) => ({
  ...errorFields(error),
  error_text: error instanceof Error ? error.message : String(error),
});

/** When a certificate expires, in epoch milliseconds. */
export function endOf({ cert }: Certificate): number {
  return Date.parse(new X509Certificate(cert).validTo);
}

// The certificate of TLS_CERT and TLS_KEY. Renewal programs replace the files, or links to them, one after the other: a pair that does
// not match is read again later.

/** Two small files. */
const LOOK_MS = 5_000;

class Files implements CertificateSource {
  readonly #paths: Certificate;
  readonly #log: Log;
  #timer: ReturnType<typeof setInterval> | null = null;
  #told: string | null = null;
  current: Certificate;

  /** Throws an Error of one line when they cannot be used. */
  constructor(paths: Certificate, log: Log) {
    this.#paths = paths;
    this.#log = log;
    this.current = this.#read();
    const problem = certificateProblem(this.current);
    if (problem !== null) throw new Error(problem);
  }

  #read(): Certificate {
    const { cert, key } = this.#paths;
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  }

  start(changed: (certificate: Certificate) => void): void {
    this.#timer = setInterval(() => this.#look(changed), LOOK_MS).unref();
  }

  #look(changed: (certificate: Certificate) => void): void {
    try {
      const found = this.#read();
      if (found.cert === this.current.cert && found.key === this.current.key) return;
      const problem = certificateProblem(found);
      if (problem !== null) throw new Error(problem);
      changed(found);
      this.current = found;
      this.#told = null;
      this.#log.info('the certificate of TLS_CERT was read again');
    } catch (error) {
      const said = error instanceof Error ? error.message : '';
      if (said !== this.#told) this.#log.warn('TLS_CERT cannot be used: the one before stays', reasonOf(error));
      this.#told = said;
    }
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
  }
}

// The certificate of ACME_DOMAIN. The authority reads a file at port 80 of the name (HTTP-01); other requests there redirect to https.

const CHALLENGES = '/.well-known/acme-challenge/';
/** Renewed when less than this part of its life is left. */
const LEFT_PART = 1 / 3;
const AGAIN_MS = HOUR_MS;
/** Pauses after failures, which authorities limit to five an hour. */
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS];
/** The deadline of an order. */
const ORDER_MS = 10 * MINUTE_MS;

interface AcmeSettings {
  readonly domain: string;
  readonly directory_url: string;
  readonly http_host: string;
  readonly http_port: number;
  /** The folder of account, key and certificate. */
  readonly folder: string;
  /** The target of redirects from the http port. */
  readonly base_url: string;
}

function readKept(folder: string, name: string): string | null {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    // There is none at the first start.
    return null;
  }
}

/** The stored certificate, if it is complete, for this name, and not expired. */
function kept({ folder, domain }: AcmeSettings, now_ms: number): Certificate | null {
  const [cert, key] = [readKept(folder, 'cert.pem'), readKept(folder, 'key.pem')];
  if (cert === null || key === null || certificateProblem({ cert, key }) !== null) return null;
  const fits = new X509Certificate(cert).checkHost(domain) !== undefined && endOf({ cert, key }) > now_ms;
  return fits ? { cert, key } : null;
}

/** Whether a certificate is due for renewal; a self-signed one always is. */
export function isDue({ cert }: Certificate, own: boolean, now_ms: number): boolean {
  const { validFrom, validTo } = new X509Certificate(cert);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return own || to - now_ms < (to - from) * LEFT_PART;
}

class Acme implements CertificateSource {
  readonly #settings: AcmeSettings;
  readonly #log: Log;
  readonly #challenges = new Map<string, string>();
  #server: Server<undefined> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #failures = 0;
  #stopped = false;
  /** Whether the current one is self-signed, before the first order. */
  #own: boolean;
  current: Certificate;

  constructor(settings: AcmeSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
    mkdirSync(settings.folder, { recursive: true, mode: 0o700 });
    const now_ms = Date.now();
    const found = kept(settings, now_ms);
    this.#own = found === null;
    this.current = found ?? makeCertificate(settings.domain, now_ms);
  }

  start(changed: (certificate: Certificate) => void): void {
    const { http_host: hostname, http_port: port } = this.#settings;
    try {
      this.#server = Bun.serve({ hostname, port, fetch: (request) => this.#answer(request) });
    } catch (error) {
      throw new CertificateProblem(`ACME_HTTP_PORT ${port} cannot be used: ${String(error)}`);
    }
    void this.#look(changed);
  }

  #answer({ url, method }: Request): Response {
    const { pathname, search } = new URL(url);
    const proof = this.#challenges.get(pathname.slice(CHALLENGES.length));
    if (pathname.startsWith(CHALLENGES))
      return new Response(proof ?? null, { status: proof === undefined ? 404 : 200 });
    const to = `${this.#settings.base_url}${pathname}${search}`;
    // Only GET and HEAD are redirected: other requests were already sent in clear.
    return method === 'GET' || method === 'HEAD' ? Response.redirect(to, 308) : new Response(null, { status: 403 });
  }

  async #look(changed: (certificate: Certificate) => void): Promise<void> {
    let wait_ms = AGAIN_MS;
    const now_ms = Date.now();
    if (isDue(this.current, this.#own, now_ms)) {
      try {
        // A stored certificate that the listener refused is not ordered again.
        const found = kept(this.#settings, now_ms);
        const got = found && !isDue(found, false, now_ms) ? found : await this.#inTime();
        if (!this.#stopped) changed(got);
        this.#own = false;
        this.#failures = 0;
        this.current = got;
        this.#log.info('a certificate was got for ACME_DOMAIN');
      } catch (error) {
        wait_ms = PAUSES_MS[Math.min(this.#failures, PAUSES_MS.length - 1)] ?? HOUR_MS;
        this.#failures += 1;
        this.#log.warn('no certificate for ACME_DOMAIN was got; it is tried again', reasonOf(error));
      }
    }
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#look(changed), wait_ms).unref();
  }

  async #inTime(): Promise<Certificate> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('the authority took too long')), ORDER_MS).unref();
    try {
      return await Promise.race([this.#order(), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Orders a certificate and stores it. */
  async #order(): Promise<Certificate> {
    const { domain, directory_url, folder } = this.#settings;
    const { Client, crypto } = await import('acme-client');
    const accountKey = readKept(folder, 'account.pem') ?? (await crypto.createPrivateEcdsaKey()).toString();
    await keep(folder, 'account.pem', accountKey);
    const client = new Client({ directoryUrl: directory_url, accountKey });
    const [key, csr] = await crypto.createCsr({ commonName: domain, altNames: [domain] });
    const cert = await client.auto({
      csr,
      termsOfServiceAgreed: true,
      challengePriority: ['http-01'],
      // A request to our own name fails behind many routers, and proves nothing.
      skipChallengeVerification: true,
      challengeCreateFn: async (_authorization, { token }, proof) => void this.#challenges.set(token, proof),
      challengeRemoveFn: async (_authorization, { token }) => void this.#challenges.delete(token),
    });
    const got = { cert, key: key.toString() };
    const problem = certificateProblem(got);
    if (problem !== null) throw new Error(problem);
    // The key first: a certificate without its key is discarded at the next start.
    await keep(folder, 'key.pem', got.key);
    await keep(folder, 'cert.pem', got.cert);
    return got;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#server?.stop(true);
  }
}

async function keep(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** The certificate source of HOST:PORT by the settings; null for plain HTTP. */
export function openCertificates(config: Config, base_url: string, log: Log): CertificateSource | null {
  const { tlsCert, tlsKey, acmeDomain: domain, acmeDirectory, acmeHttpPort, dataDir, host } = config;
  if (tlsCert !== undefined && tlsKey !== undefined) {
    try {
      return new Files({ cert: tlsCert, key: tlsKey }, log);
    } catch (error) {
      throw new CertificateProblem(`TLS_CERT cannot be used: ${error instanceof Error ? error.message : tlsCert}`);
    }
  }
  if (domain === undefined) return null;
  const folder = join(dataDir, 'acme');
  const settings = { domain, directory_url: acmeDirectory, http_host: host, http_port: acmeHttpPort, folder, base_url };
  return new Acme(settings, log);
}
