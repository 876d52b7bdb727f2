// A connection that only listens never learns by itself that nobody is there any more.
import { expect, test } from 'bun:test';
import { Listening } from '../../db/postgres/listening.ts';
import { Pool } from '../../db/postgres/pool.ts';
import { Silence } from '../../db/postgres/silence.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { postgresProxy } from '../support/postgres-proxy.ts';

const server = await sharedPostgres();

test.skipIf(server === null)('what listens is opened anew once it no longer hears its own voice', async () => {
  const url = (await server?.migrated()) ?? '';
  const proxy = await postgresProxy(url);
  const silence = new Silence();
  const [speaker, heard] = [new Pool({ url, pooled: false }, { max: 1, silence }), [] as string[]];
  let opened = 0;
  const listening = new Listening(speaker, {
    listens_at: { url: proxy.url, pooled: false },
    channel: 'test_channel',
    node: 'n',
    silence,
    heard: (payload) => heard.push(payload),
    listens: () => {
      opened += 1;
    },
  });
  await listening.open();
  for (let n = 0; n < 5; n += 1) await listening.check();
  // It heard itself, or has yet to: either way nobody else was heard.
  expect(heard).toEqual([]);
  proxy.freeze('old');
  const before = opened;
  while (opened === before) await listening.check();
  await speaker.unsafe('SELECT pg_notify($1, $2)', ['test_channel', 'somebody']);
  while (heard.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toEqual(['somebody']);
  listening.close();
  await speaker.close();
  await proxy.stop();
});
