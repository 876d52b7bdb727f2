// The delivery on a real store, with a ladder that takes its time: every event of an inbox is carried once and in order,
// whatever comes in while another is on its way.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackgroundTasks } from '../../actors/background-tasks.ts';
import { DeliveryCursor } from '../../actors/delivery-cursor.ts';
import { EventDelivery, type Ladder } from '../../actors/event-delivery.ts';
import type { EventEffect } from '../../db/effects.ts';
import { behind } from '../../db/queries/delivery-cursor.ts';
import { inboxesBehind, oldestUndelivered } from '../../db/queries/overdue.ts';
import { openSqliteStore } from '../../db/sqlite/sqlite-store.ts';
import type { InboxEvent, Store } from '../../db/store.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-delivery-'));
let store: Store;
let events = 0;
beforeAll(() => {
  const sealer = { seal: (plain: string) => plain };
  store = openSqliteStore({ data_dir, sealer, dimensions: 256, model: 'm', now_ms: 0 });
});
afterAll(async () => {
  await store.close();
  rmSync(data_dir, { recursive: true, force: true });
});

async function tell(to: string, count: number, created_at = 1): Promise<void> {
  const effects = Array.from({ length: count }, (): EventEffect => {
    const event = { do: 'event', handle: to, event: 'test.ping', data: {}, subject_id: null } as const;
    return { ...event, id: `event-${++events}`, to, awaiting: false, respond_by: null, created_at };
  });
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
}

/** A ladder that carries one event at a time; `during` is called while it does. */
function ladder(carried: number[], during: (event: InboxEvent) => Promise<void>): Ladder<never> {
  return {
    unreachable: () => false,
    hosts: async (agent_id) => [agent_id],
    push: async (_agent_id, [event]) => {
      if (!event) throw new Error('a push of nothing');
      carried.push(event.seq);
      await during(event);
      return { through: event.seq, result: null };
    },
    settle: async () => [],
  };
}

const failed = (error: unknown): never => {
  throw error;
};

const tasks = (): BackgroundTasks => new BackgroundTasks(failed);

test.each([1, 2, 3])('%d events that come in while one is on its way are all carried after it', async (count) => {
  const [agent_id, carried] = [`agent-${count}`, [] as number[]];
  const during = (event: InboxEvent): Promise<void> => (event.seq === 1 ? tell(agent_id, count) : Promise.resolve());
  const delivery = new EventDelivery(store, virtualClock(1), ladder(carried, during), tasks(), failed);
  await tell(agent_id, 1);
  await delivery.idle();
  expect(carried).toEqual(Array.from({ length: count + 1 }, (_, i) => i + 1));
  await delivery.stop();
});

test('what an earlier delivery left is taken up where it was, each event once', async () => {
  const carried: number[] = [];
  const first = new EventDelivery(
    store,
    virtualClock(1),
    ladder(carried, async () => {}),
    tasks(),
    failed,
  );
  await tell('left', 3);
  await first.idle();
  await first.stop();
  const asBehind = (): Promise<unknown> => store.read(behind, { after: '', limit: 10 });
  expect(await asBehind()).toEqual([]);
  await tell('left', 2);
  expect(await asBehind()).toEqual([{ id: 'left', head: 5 }]);
  const second = new EventDelivery(
    store,
    virtualClock(1),
    ladder(carried, async () => {}),
    tasks(),
    failed,
  );
  await second.redrive();
  await second.idle();
  await second.stop();
  expect([carried, await asBehind()]).toEqual([[1, 2, 3, 4, 5], []]);
});

test.each([1, 4, 5, 8, 60])('a backlog of %d events that need no push is passed whole', async (count) => {
  const [agent_id, seen] = [`passed-${count}`, [] as number[]];
  await tell(agent_id, count);
  const passing: Ladder<never> = {
    ...ladder([], async () => {}),
    push: async (_agent_id, all) => {
      seen.push(...all.map(({ seq }) => seq));
      return { through: all.at(-1)?.seq ?? 0, result: null };
    },
  };
  const delivery = new EventDelivery(store, virtualClock(1), passing, tasks(), failed);
  await delivery.redrive();
  await delivery.idle();
  await delivery.stop();
  expect(seen).toEqual(Array.from({ length: count }, (_, i) => i + 1));
});

test('a backlog of which each event needs a push is carried whole, with few events read for each', async () => {
  const [agent_id, carried] = ['long', [] as number[]];
  await tell(agent_id, 60);
  let most = 0;
  const one = ladder(carried, async () => {});
  const counting: Ladder<never> = {
    ...one,
    push: (id, all, signal) => {
      most = Math.max(most, all.length);
      return one.push(id, all, signal);
    },
  };
  const delivery = new EventDelivery(store, virtualClock(1), counting, tasks(), failed);
  await delivery.redrive();
  await delivery.idle();
  await delivery.stop();
  expect([carried, most]).toEqual([Array.from({ length: 60 }, (_, i) => i + 1), 4]);
});

test.each([1, 4, 5, 10])(
  'an inbox of %d events that wait for resume is let alone, until it is resumed',
  async (count) => {
    const [agent_id, carried] = [`held-${count}`, [] as number[]];
    await tell(agent_id, count, 5);
    const held: { held_before: number | null } = { held_before: 6 };
    let looks = 0;
    const one = ladder(carried, async () => {});
    const counting: Ladder<never> = {
      ...one,
      hosts: async (id) => {
        // A look that goes on for ever would never give way to the test.
        if (++looks > 20) throw new Error('looks at what waits again and again');
        return [id];
      },
    };
    const delivery = new EventDelivery(store, virtualClock(7), counting, tasks(), failed, held);
    await delivery.redrive();
    await delivery.idle();
    expect([carried, looks, delivery.counts().waiting]).toEqual([[], 1, 0]);
    held.held_before = null;
    await delivery.redrive();
    await delivery.idle();
    await delivery.stop();
    expect(carried).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  },
);

test('an inbox that was delivered is not served again for an event that needs no push', async () => {
  const [agent_id, carried, seen] = ['quiet', [] as number[], [] as number[]];
  let quiet = false;
  const calm = {
    ...ladder(carried, async () => {}),
    unreachable: (_id: string, event: InboxEvent | null) => {
      if (event) seen.push(event.seq);
      return quiet;
    },
  };
  const delivery = new EventDelivery(store, virtualClock(1), calm, tasks(), failed);
  await tell(agent_id, 1);
  await delivery.idle();
  quiet = true;
  await tell(agent_id, 2);
  await delivery.idle();
  expect([carried, seen.at(-1), await store.read(behind, { after: '', limit: 10 })]).toEqual([[1], 3, []]);
  quiet = false;
  await tell(agent_id, 1);
  await delivery.idle();
  expect(carried).toEqual([1, 4]);
  await delivery.stop();
});

test('an inbox is behind until the place that is written down is its end, and a place never moves back', async () => {
  const cursor = new DeliveryCursor<never>(store, async () => []);
  const afterPlace = async (seq: number): Promise<unknown> => {
    cursor.moveTo('half', seq);
    await cursor.write(true);
    return store.read(behind, { after: '', limit: 10 });
  };
  await tell('half', 2);
  await tell('half', 1, 9);
  const late = async (): Promise<unknown> => ({
    ...(await store.read(inboxesBehind, {})),
    ...(await store.read(oldestUndelivered, {})),
  });
  // As old as the first event that was not delivered.
  expect(await late()).toEqual({ n: 1, oldest: 1 });
  expect(await afterPlace(2)).toEqual([{ id: 'half', head: 3 }]);
  expect(await late()).toEqual({ n: 1, oldest: 9 });
  expect(await afterPlace(3)).toEqual([]);
  expect(await late()).toEqual({ n: 0, oldest: null });
  expect(await afterPlace(1)).toEqual([]);
});
