// Runs the hostile corpus through the real client and counts the sockets that arrive: on every address of this machine, and
// on a proxy that the environment may name. As a program it prints what it counted, since Bun reads HTTP_PROXY at its
// start.
import type { Socket } from 'node:net';
import net from 'node:net';
import { createDns } from '../../src/outbound/dns.ts';
import { createSafeHttp, type SafeHttp } from '../../src/outbound/safe-http/safe-http.ts';
import { AUTHORITY } from '../support/authority.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { startReceiver } from '../support/receivers.ts';
import { GOOD_URLS, hostileUrls, hostileZone } from './hostile-urls.ts';

/** The ports that the client takes; a listener on one of them is what a hostile URL would reach. */
export const PORTS = [8443, 9443, 10443, 4443];
/** What one call may take: a flipping name leads to an address that nobody has. */
const DEADLINE_MS = 400;

export interface HostileFigures {
  readonly hostile: number;
  /** Refused before anything was dialled. */
  readonly refused: number;
  /** Refused at the time when a person gives the URL. */
  readonly refused_early: number;
  /** Answers of the real client to a hostile URL. */
  readonly answered: readonly string[];
  /** Hostile URLs that were not refused, and are no names that flip. */
  readonly let_through: readonly string[];
  /** Sockets that arrived. */
  readonly dialled: number;
  readonly good: number;
  readonly good_refused: readonly string[];
  /** Calls to a receiver that the operator allows, and how many arrived there without a proxy. */
  readonly direct: number;
}

/** Counts what connects to the first of these ports that is free, on all addresses, IPv4 and IPv6. */
export async function countingListener(
  ports: readonly number[],
): Promise<{ port: number; count(): number; close(): void }> {
  const [port, ...others] = ports;
  if (port === undefined) throw new Error('none of the ports is free');
  let count = 0;
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => {});
  });
  const taken = await new Promise<boolean>((done) => {
    server.once('error', () => done(true));
    server.listen({ port, host: '::', ipv6Only: false }, () => done(false));
  });
  if (taken) return countingListener(others);
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port, count: () => count, close };
}

/** A busy machine answers later than that, too. */
const ANSWERED_MS = 30_000;

const get = (http: SafeHttp, url: string, deadline_ms = DEADLINE_MS) =>
  http.request({ method: 'GET', url, deadline_ms, bytes_max: 1_000 });

async function callAll(http: SafeHttp, port: number) {
  const figures = { refused: 0, refused_early: 0, answered: [] as string[], let_through: [] as string[] };
  const urls = hostileUrls(port);
  const one = async ({ url }: { url: string }): Promise<void> => {
    const early = await http.check(url);
    const answer = await get(http, url);
    if (early !== null) figures.refused_early += 1;
    if (answer.ok) figures.answered.push(url);
    else if (answer.reason === 'refused') figures.refused += 1;
    else if (!url.includes('//flips-')) figures.let_through.push(`${url}: ${answer.reason}`);
  };
  for (let at = 0; at < urls.length; at += 16) await Promise.all(urls.slice(at, at + 16).map(one));
  return { hostile: new Set(urls.map(({ url }) => url)).size, ...figures };
}

/** Runs both lists; `proxy_port` is where a proxy of the environment would listen. */
export async function runHostile(): Promise<HostileFigures> {
  const dns = await startDnsServer({
    ...hostileZone(),
    'receivers.example': { a: ['127.0.0.1'] },
    // A name inside the house, as a DNS of an office would know it.
    'hooks.example.com': { a: ['8.8.8.8'] },
  });
  const listener = await countingListener(PORTS);
  const receiver = await startReceiver();
  const allow = [{ host: 'receivers.example', port: receiver.port }];
  const http = createSafeHttp({ dns: createDns([dns.address]), allow, ca: AUTHORITY });
  try {
    const called = await callAll(http, listener.port);
    const refusals = await Promise.all(GOOD_URLS.map((url) => http.check(url)));
    let direct = 0;
    for (let i = 0; i < 5; i++) {
      if ((await get(http, `https://receivers.example:${receiver.port}/200`, ANSWERED_MS)).ok) direct += 1;
    }
    return {
      ...called,
      dialled: listener.count(),
      good: GOOD_URLS.length,
      good_refused: GOOD_URLS.filter((_url, at) => refusals[at] !== null),
      direct,
    };
  } finally {
    http.close();
    dns.close();
    listener.close();
    await receiver.close();
  }
}

if (import.meta.main) {
  console.log(JSON.stringify(await runHostile()));
  process.exit(0);
}
