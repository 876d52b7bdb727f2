// Nothing that leads into the house is ever dialled, whatever spelling, name or proxy it hides behind, and what people
// really give passes. Sockets are counted on listeners.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { createDns } from '../../src/outbound/dns.ts';
import { readOutboundUrl } from '../../src/outbound/safe-http/public-url.ts';
import { createSafeHttp } from '../../src/outbound/safe-http/safe-http.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { type HostileFigures, runHostile } from './hostile-run.ts';

const RUN_MS = 60_000;

function judge(figures: HostileFigures, where: string): void {
  const { hostile, refused, refused_early, dialled, good, good_refused, direct } = figures;
  console.log(
    `${where}: ${hostile} hostile URLs, ${refused} refused before dialling (${refused_early} when given), ` +
      `${dialled} sockets arrived; ${good - good_refused.length} of ${good} good ones pass; ${direct} of 5 allowed calls direct`,
  );
  expect(figures.answered).toEqual([]);
  expect(figures.let_through).toEqual([]);
  expect(dialled).toBe(0);
  expect(hostile).toBeGreaterThanOrEqual(450);
  expect(good).toBeGreaterThanOrEqual(30);
  expect(good_refused).toEqual([]);
  expect(direct).toBe(5);
}

test(
  'no hostile URL is dialled and every good one passes',
  async () => {
    judge(await runHostile(), 'plain');
  },
  RUN_MS,
);

test(
  'the same where the environment names a proxy, which sees nothing at all',
  async () => {
    let proxied = 0;
    const proxy = net.createServer((socket) => {
      proxied += 1;
      socket.destroy();
    });
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', () => listening()));
    const address = proxy.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'hostile-run.ts')], {
      env: { PATH: process.env['PATH'] ?? '', ...Object.fromEntries(variables.map((name) => [name, url])) },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const text = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    judge(JSON.parse(text), 'with HTTP_PROXY');
    expect(proxied).toBe(0);
    proxy.close();
  },
  RUN_MS,
);

test(
  'of the URLs that browsers are tested with, none leads into the house',
  async () => {
    const file = join(import.meta.dir, '../../../shared/corpora/url/urltestdata.json');
    if (!existsSync(file)) {
      console.warn(`skipped: the URL test data is not at ${file}`);
      return;
    }
    const entries: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const texts = new Set<string>();
    for (const entry of Array.isArray(entries) ? entries : []) {
      if (typeof entry !== 'object' || entry === null) continue;
      for (const field of ['input', 'href']) if (typeof entry[field] === 'string') texts.add(entry[field]);
    }
    // Every name leads to this machine, so whatever passes the look at the text must be stopped by the look-up.
    const dns = await startDnsServer({}, { a: ['127.0.0.1'], aaaa: ['::1'] });
    const http = createSafeHttp({ dns: createDns([dns.address]), allow: [] });
    let passed = 0;
    for (const url of texts) {
      if (typeof readOutboundUrl(url, []) !== 'string') passed += 1;
      const answer = await http.request({ method: 'GET', url, deadline_ms: 2_000, bytes_max: 1_000 });
      expect([url, answer.ok ? answer.status : answer.reason]).toEqual([url, 'refused']);
    }
    console.log(`${texts.size} URLs of the browsers' test data: ${passed} pass by their text, none was dialled`);
    expect(texts.size).toBeGreaterThan(500);
    dns.close();
    http.close();
  },
  RUN_MS,
);
