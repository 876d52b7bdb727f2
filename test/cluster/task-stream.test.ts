// A task's stream under `kill -9` of its node: its reader resumes on another node by the number that it has, without a gap or a
// repetition, while updates go on. What a reader was given and what is stored are the same.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wallClock } from '../../actors/clock.ts';
import { updatesAfter } from '../../db/queries/task.ts';
import { newAgent } from '../support/agents.ts';
import { endServers, type ServerChild, startServer } from '../support/child.ts';
import { startPostgres } from '../support/postgres.ts';
import { readStream, type SseEvent } from '../support/sse.ts';
import { taskCalls } from '../support/tasks.ts';
import { openTestService } from '../support/testbed.ts';
import { until } from '../support/until.ts';

const server = await startPostgres();
const home = mkdtempSync(join(tmpdir(), 'meshwork-task-stream-'));
afterAll(() => {
  endServers();
  server?.stop();
  rmSync(home, { recursive: true, force: true });
});

/** Updates that a reader takes from a node before that is killed. */
const EACH = 25;
/** So far at most the writer is ahead of the reader, who therefore gets most of them as they are committed. */
const LEAD = 10;
const TIMEOUT_MS = 120_000;

describe.skipIf(server === null)('the stream of a task whose nodes are killed', () => {
  test(
    'goes on at another node where it was, with what was committed meanwhile',
    async () => {
      if (!server) return;
      const database_url = await server.migrated();
      // The one that writes, and is not killed.
      const t = await openTestService({ test_clock: false }, 'memory', { database_url, clock: wallClock() });
      const c = taskCalls(t);
      const [ada, bob] = [await newAgent(t, { handle: 'ada' }), await newAgent(t, { handle: 'bob' })];
      const { task_id, conversation_id } = await c.sendTo(ada, bob);
      const node = async (n: number): Promise<ServerChild> => {
        const folder = join(home, `node-${n}`);
        mkdirSync(folder, { recursive: true });
        return startServer(folder, { DATABASE_URL: database_url });
      };
      const seen: SseEvent[] = [];
      let killed = 0;
      let ending = false;
      const writing = (async () => {
        for (let written = 2; !ending; written += 1) {
          await until(() => ending || written < seen.length + LEAD);
          await c.move(bob, task_id, 'working');
        }
        await c.say(bob, conversation_id, 'Done.');
      })();
      let live = await node(0);
      while (seen.at(-1)?.data.final !== true) {
        const headers = { 'X-API-Key': ada.key, 'Last-Event-ID': String(seen.at(-1)?.id ?? 0) };
        const reader = await readStream(`${live.url}/a2a/stream/${task_id}`, headers);
        expect(reader.status).toBe(200);
        const dying = killed < 3 ? live : null;
        // The next one is there before this one goes, as behind a balancer.
        if (dying) live = await node(killed + 1);
        const upTo = seen.length + EACH;
        try {
          for (;;) {
            seen.push(...(await reader.take(1)));
            if (dying && seen.length === upTo) {
              killed += 1;
              // Not waited for: what is on its way to the reader may come or not.
              dying.end('SIGKILL').catch(() => {});
            }
            if (killed === 3 && !dying && seen.length >= upTo) ending = true;
          }
        } catch {
          // Cut off, or at its end.
        }
      }
      await writing;
      const stored = await t.service.world.store.read(updatesAfter, { task_id, after: 0, limit: 1_000 });
      expect(killed).toBe(3);
      expect(seen.map(({ id }) => id)).toEqual(stored.map(({ n }) => n));
      expect(seen.map(({ id }) => id)).toEqual(Array.from({ length: seen.length }, (_, i) => i + 1));
      expect(seen.map(({ data }) => data.state)).toEqual(stored.map(({ state }) => state));
      await live.end('SIGKILL');
      await t.close();
    },
    TIMEOUT_MS,
  );
});
