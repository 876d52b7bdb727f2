// TLS in the box: the certificate of the settings is shown, read again when it is renewed without cutting what is under way, or got
// from an authority. That authority is Debian's pebble, the test server of Let's Encrypt.
import { afterAll, afterEach, beforeEach, describe, expect, jest, spyOn, test } from 'bun:test';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls, { type PeerCertificate } from 'node:tls';
import { callServer } from '../../src/cli/running-server.ts';
import { bindPort } from '../../src/compose/open.ts';
import { type Config, isConfigProblem, readConfig } from '../../src/config.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { createLog, type Log } from '../../src/log.ts';
import { type Certificate, makeCertificate } from '../../src/outbound/certificate.ts';
import { type CertificateSource, isDue, openCertificates } from '../../src/outbound/tls-certificate.ts';
import { endServers, startServer } from '../support/child.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'meshwork-tls-'));
afterAll(() => {
  endServers();
  rmSync(folder, { recursive: true, force: true });
});

/** The certificate that a port of this machine shows. */
function shownAt(port: number, servername = 'localhost'): Promise<PeerCertificate> {
  const { promise, resolve, reject } = Promise.withResolvers<PeerCertificate>();
  const socket = tls.connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false }, () => {
    resolve(socket.getPeerCertificate());
    socket.end();
  });
  socket.on('error', reject);
  return promise;
}

const paths = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };

function configOf(env: Record<string, string>): Config {
  const read = readConfig({ DATA_DIR: mkdtempSync(join(folder, 'source-')), ...env });
  if (isConfigProblem(read)) throw new Error(read.problem);
  return read;
}

describe('the certificate of TLS_CERT', () => {
  const put = (name: string): string => {
    const { cert, key } = makeCertificate(name, Date.now());
    writeFileSync(paths.TLS_CERT, cert);
    writeFileSync(paths.TLS_KEY, key);
    return cert;
  };

  test('is shown, also to the command line, and a renewed one from then on; a call under way ends well', async () => {
    const ca = put('one.example');
    const server = await startTestServer(paths);
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    expect((await shownAt(server.port)).subject.CN).toBe('one.example');
    const known = { tls: { ca, rejectUnauthorized: false } };
    expect((await fetch(`${server.url}/readyz`, known)).status).toBe(200);
    const note: { url: string } = await Bun.file(join(server.data_dir, 'server.json')).json();
    expect((await callServer('GET', `${note.url}/readyz`)).status).toBe(200);

    // A call whose body comes in two halves, with the renewal between them.
    const half = Promise.withResolvers<void>();
    const body = new ReadableStream({
      start: async (controller) => {
        controller.enqueue(new TextEncoder().encode('{"email":'));
        await half.promise;
        controller.enqueue(new TextEncoder().encode('"tls@b.test"}'));
        controller.close();
      },
    });
    const headers = { 'Content-Type': 'application/json' };
    const call = fetch(`${server.url}/api/auth/signup/start`, { method: 'POST', headers, body, ...known });
    await Bun.sleep(100);

    // A pair that does not belong together is what a renewal looks like half-way.
    const { cert } = makeCertificate('two.example', Date.now());
    writeFileSync(paths.TLS_CERT, cert);
    await Bun.sleep(6_000);
    expect((await shownAt(server.port)).subject.CN).toBe('one.example');
    put('two.example');
    // A handshake that is under way at that moment is cut; whoever connects again is served.
    await until(() =>
      shownAt(server.port).then(
        ({ subject }) => subject.CN === 'two.example',
        () => false,
      ),
    );
    half.resolve();
    expect((await call).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`, known)).status).toBe(200);
    const figures = await (await fetch(`${server.url}/metrics`, known)).text();
    const [, ends = ''] = /^meshwork_certificate_ends_seconds (\S+)$/m.exec(figures) ?? [];
    expect(Number(ends) * 1000).toBeGreaterThan(Date.now() + 9 * 365 * DAY_MS);
    await server.stop();
    expect(shownAt(server.port)).rejects.toThrow();
  });

  test('stops the start where it cannot be used, and a port that is taken is told as ever', async () => {
    writeFileSync(join(folder, 'other.pem'), makeCertificate('other.example', Date.now()).key);
    put('one.example');
    const wrong = startTestServer({ ...paths, TLS_KEY: join(folder, 'other.pem') });
    expect(wrong).rejects.toThrow(/^TLS_CERT cannot be used: /);
    await wrong.catch(() => null);
    const server = await startTestServer(paths);
    const second = startTestServer({ ...paths, PORT: String(server.port) });
    expect(second).rejects.toThrow(`PORT ${server.port} is in use`);
    await second.catch(() => null);
    await server.stop();
  });
});

test.each([
  ['EADDRNOTAVAIL', {}, 'HOST 192.0.2.1 is no address of this machine'],
  ['EMFILE', {}, 'HOST 192.0.2.1 and PORT 3000 cannot be used: its own words'],
  ['ERR_OSSL_CA_KEY_TOO_SMALL', paths, 'HOST 192.0.2.1 and PORT 3000 with TLS_CERT cannot be used: its own words'],
])('a port that cannot be bound for %s is told by what stands in the way', (code, env, problem) => {
  const { cert, key } = makeCertificate('one.example', Date.now());
  writeFileSync(paths.TLS_CERT, cert);
  writeFileSync(paths.TLS_KEY, key);
  const serve = spyOn(Bun, 'serve').mockImplementation(() => {
    throw Object.assign(new Error('its own words'), { code });
  });
  try {
    expect(() => bindPort(configOf({ ...env, HOST: '192.0.2.1' }), createLog('silent'))).toThrow(problem);
  } finally {
    serve.mockRestore();
  }
});

test('a certificate is renewed when a third of its life is left, and one of our own at once', () => {
  const now_ms = Date.UTC(2026, 5, 15);
  const made = makeCertificate('x.example', now_ms);
  const years = (n: number): number => now_ms + n * 365 * DAY_MS;
  expect([isDue(made, false, years(6)), isDue(made, false, years(7)), isDue(made, true, now_ms)]).toEqual([
    false,
    true,
    true,
  ]);
});

describe('a renewed certificate', () => {
  const SILENT = 'the authority took too long';
  const warned: unknown[] = [];
  const log: Log = { ...createLog('silent'), warn: (_sentence, fields) => warned.push(fields?.['error_text']) };
  const open = (config: Config): CertificateSource => {
    const source = openCertificates(config, 'https://mesh.example', log);
    if (!source) throw new Error('there is none');
    return source;
  };
  /** Cannot bind the first one. */
  const binder = (): { told: string[]; changed: (certificate: Certificate) => void } => {
    const told: string[] = [];
    return {
      told,
      changed: ({ cert }) => {
        if (told.push(cert) === 1) throw new Error('it cannot be bound');
      },
    };
  };
  /** The clock stands still meanwhile. */
  const come = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  };
  beforeEach(() => {
    warned.length = 0;
    jest.useFakeTimers({ now: Date.now() });
  });
  afterEach(() => void jest.useRealTimers());

  test('of TLS_CERT that cannot be bound is tried again, and the one before is the current one until then', async () => {
    const [TLS_CERT, TLS_KEY] = [join(folder, 'again.pem'), join(folder, 'again.key')];
    const put = ({ cert, key }: Certificate): void => {
      writeFileSync(TLS_CERT, cert);
      writeFileSync(TLS_KEY, key);
    };
    const [one, two] = [makeCertificate('one.example', Date.now()), makeCertificate('two.example', Date.now())];
    put(one);
    const source = open(configOf({ TLS_CERT, TLS_KEY }));
    const { told, changed } = binder();
    source.start(changed);
    put(two);
    jest.advanceTimersByTime(5_000);
    expect([source.current.cert, told, warned]).toEqual([one.cert, [two.cert], ['it cannot be bound']]);
    jest.advanceTimersByTime(5_000);
    expect([source.current.cert, told]).toEqual([two.cert, [two.cert, two.cert]]);
    jest.advanceTimersByTime(5_000);
    expect(told.length).toBe(2);
    await source.stop();
  });

  test('of ACME_DOMAIN that cannot be bound is not ordered again; an authority that keeps silent is asked again', async () => {
    let asked = 0;
    const socket = { open: () => void asked++, data: () => {} };
    const authority = Bun.listen({ hostname: '127.0.0.1', port: 0, socket });
    const config = configOf({
      ACME_DOMAIN: 'mesh.example',
      ACME_DIRECTORY: `https://127.0.0.1:${authority.port}/dir`,
      ACME_HTTP_PORT: String(freePort()),
    });
    const source = open(config);
    const { told, changed } = binder();
    const own = source.current.cert;
    source.start(changed);
    await come(() => asked === 1);
    jest.advanceTimersByTime(10 * MINUTE_MS);
    await come(() => warned.length === 1);
    jest.advanceTimersByTime(MINUTE_MS);
    await come(() => asked === 2);
    jest.advanceTimersByTime(10 * MINUTE_MS);
    await come(() => warned.length === 2);

    // An order that ended late.
    const { cert, key } = makeCertificate('mesh.example', Date.now());
    writeFileSync(join(config.dataDir, 'acme', 'cert.pem'), cert);
    writeFileSync(join(config.dataDir, 'acme', 'key.pem'), key);
    jest.advanceTimersByTime(5 * MINUTE_MS);
    await come(() => warned.length === 3);
    expect(warned).toEqual([SILENT, SILENT, 'it cannot be bound']);
    expect([source.current.cert, told]).toEqual([own, [cert]]);
    jest.advanceTimersByTime(30 * MINUTE_MS);
    expect([source.current.cert, told, asked]).toEqual([cert, [cert, cert], 2]);
    await source.stop();
    authority.stop(true);
  });
});

const [PEBBLE, DNS] = ['/usr/bin/pebble', '/usr/bin/pebble-challtestsrv'];
const hasPebble = await Bun.file(PEBBLE).exists();
if (!hasPebble) console.warn(`skipped: there is no ${PEBBLE} (Debian: pebble) to get a certificate from`);

function freePort(): number {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  void server.stop(true);
  return port;
}

describe.skipIf(!hasPebble)('the certificate of ACME_DOMAIN', () => {
  test('is got by HTTP-01, kept for the next start, and the port for http leads to https', async () => {
    const [api, management, dns, dns_management, http] = Array.from({ length: 5 }, freePort) as [
      ...[number, number, number, number, number],
    ];
    const own = makeCertificate('localhost', Date.now());
    const certificate = join(folder, 'pebble.pem');
    const privateKey = join(folder, 'pebble.key');
    writeFileSync(certificate, own.cert);
    writeFileSync(privateKey, own.key);
    const file = join(folder, 'pebble.json');
    const listens = { listenAddress: `127.0.0.1:${api}`, managementListenAddress: `127.0.0.1:${management}` };
    const pebble = { ...listens, certificate, privateKey, httpPort: http, tlsPort: freePort() };
    writeFileSync(file, JSON.stringify({ pebble }));
    const quiet = { stdout: 'ignore', stderr: 'ignore' } as const;
    const off = ['http01', 'https01', 'tlsalpn01'].flatMap((name) => [`-${name}`, '']);
    const names = ['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${dns_management}`, '-defaultIPv6', ''];
    const resolver = Bun.spawn([DNS, ...names, ...off], quiet);
    const authority = Bun.spawn([PEBBLE, '-config', file, '-dnsserver', `127.0.0.1:${dns}`], {
      ...quiet,
      env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
    });
    const data_dir = mkdtempSync(join(folder, 'data-'));
    chmodSync(data_dir, 0o700);
    const env = {
      ACME_DOMAIN: 'mesh.example',
      ACME_DIRECTORY: `https://localhost:${api}/dir`,
      ACME_HTTP_PORT: String(http),
      NODE_EXTRA_CA_CERTS: certificate,
      LOG_LEVEL: 'warn',
    };
    const portOf = async (): Promise<number> =>
      Number(new URL((await Bun.file(join(data_dir, 'server.json')).json()).url).port);
    const issuerAt = async (port: number): Promise<string> =>
      String((await shownAt(port, 'mesh.example')).issuer?.CN ?? 'none');
    try {
      const directory = { tls: { rejectUnauthorized: false } };
      await until(() =>
        fetch(env.ACME_DIRECTORY, directory).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      const server = await startServer(data_dir, env);
      expect(server.url).toStartWith('https://mesh.example:');
      const port = await portOf();
      // A handshake that is under way when the certificate comes is cut.
      await until(() =>
        issuerAt(port).then(
          (name) => name.startsWith('Pebble'),
          () => false,
        ),
      );
      expect((await shownAt(port, 'mesh.example')).subjectaltname).toBe('DNS:mesh.example');
      for (const name of ['account.pem', 'key.pem', 'cert.pem'])
        expect(statSync(join(data_dir, 'acme', name)).mode & 0o777).toBe(0o600);
      const plain = await fetch(`http://127.0.0.1:${http}/api/registry?q=a`, { redirect: 'manual' });
      expect([plain.status, plain.headers.get('location')]).toEqual([308, expect.stringMatching(/^https:.*q=a$/)]);
      expect((await fetch(`http://127.0.0.1:${http}/.well-known/acme-challenge/x`)).status).toBe(404);
      expect(await server.end('SIGTERM')).toBe(0);
      authority.kill();
      // Nobody is asked again while what was kept holds.
      const again = await startServer(data_dir, env);
      expect(await issuerAt(await portOf())).toStartWith('Pebble');
      expect(await again.end('SIGTERM')).toBe(0);
    } finally {
      authority.kill();
      resolver.kill();
    }
  }, 120_000);
});
