// 1,000 idle clients of MCP that wait to be told of their inboxes, by the stream of each era: what each costs in memory.
import { join } from 'node:path';
import { type Child, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { requestBytes } from './load.ts';
import { joining, type Member, members, openForFilling, write } from './population.ts';
import { memory } from './process-figures.ts';
import { openStreams } from './stream-sockets.ts';

const LISTENERS = 1_000;
const SETTLE_MS = 1_500;
const KB = 1_024;
const TARGET_KB = 12;

const REVISION = '2026-07-28';
const LISTEN = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    notifications: { resourceSubscriptions: ['mesh://inbox'] },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/** How a client of each era listens. */
const WAYS: Readonly<Record<string, (member: Member) => Buffer>> = {
  'subscriptions/listen': ({ key }) =>
    requestBytes(
      'POST',
      '/mcp',
      { 'X-API-Key': key, 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'subscriptions/listen' },
      LISTEN,
    ),
  'GET /mcp': ({ key }) => requestBytes('GET', '/mcp', { 'X-API-Key': key, Accept: 'text/event-stream' }),
};

async function settled(server: Child): Promise<number> {
  await Bun.sleep(SETTLE_MS);
  await server.ask({ ask: 'collect' });
  await Bun.sleep(SETTLE_MS);
  return memory(server.pid).rss_kb;
}

async function measure(bench: Bench, way: string, all: readonly Member[], data_dir: string): Promise<Row> {
  const server = await serve(bench, './mesh-server.ts', {
    PORT: '0',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    DATA_DIR: data_dir,
  });
  const requests = all.map(WAYS[way] ?? (() => Buffer.alloc(0)));
  // Each was there before: what the service remembers of a caller is not the stream's.
  const warm = await openStreams(server.port, requests, () => {});
  warm.close();
  const before_kb = await settled(server);
  const open = await openStreams(server.port, requests, (share) => bench.progress(share, way));
  bench.after(() => open.close());
  const after_kb = await settled(server);
  const each_kb = (after_kb - before_kb) / LISTENERS;
  return {
    job: `${LISTENERS} idle MCP listeners, ${way}`,
    ours: `${each_kb.toFixed(1)} KB each`,
    target: `≤ ${TARGET_KB} KB`,
    met: each_kb <= TARGET_KB,
    note: `resident ${(before_kb / KB).toFixed(0)} MB before, ${(after_kb / KB).toFixed(0)} MB with them, each after a collection`,
  };
}

export const listenersJob: Job = {
  name: 'listeners',
  about: `${LISTENERS} idle MCP clients that wait to be told`,
  run: async (bench) => {
    const rows: Row[] = [];
    for (const [n, way] of Object.keys(WAYS).entries()) {
      const data_dir = join(bench.folder, `data-${n}`);
      const all = members(LISTENERS);
      const store = openForFilling(data_dir);
      await write(store, joining(all, Date.now()));
      await store.close();
      rows.push(await measure(bench, way, all, data_dir));
    }
    return rows;
  },
};
