// Event delivery on several nodes on one database: each event is pushed once, in the order of its inbox, by whichever node holds
// the agent's lease; when that node is gone another goes on where it was.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BackgroundTasks } from '../../actors/background-tasks.ts';
import { EventDelivery, type Ladder } from '../../actors/event-delivery.ts';
import type { EventEffect } from '../../db/effects.ts';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import { behind } from '../../db/queries/delivery-cursor.ts';
import type { Store } from '../../db/store.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const server = await sharedPostgres();
const NODES = 2;
const AGENTS = 12;
const EVENTS = 20;
/** Longer than any lease. */
const LEASE_OVER_MS = 120_000;

interface Push {
  readonly node: number;
  readonly agent_id: string;
  readonly seq: number;
}

describe.skipIf(server === null)('deliveries on one database', () => {
  const clock = virtualClock(1_000);
  const stores: Store[] = [];
  const deliveries: EventDelivery<never>[] = [];
  const pushes: Push[] = [];

  const ladder = (node: number): Ladder<never> => ({
    unreachable: () => false,
    hosts: async (agent_id) => [agent_id],
    push: async (agent_id, events) => {
      const [event] = events;
      if (!event) throw new Error('a push of nothing');
      pushes.push({ node, agent_id, seq: event.seq });
      // Others have their turn between the pushes, as with a receiver that takes its time.
      await new Promise((resolve) => setImmediate(resolve));
      return { through: event.seq, result: null };
    },
    settle: async () => [],
  });

  beforeAll(async () => {
    const url = (await server?.migrated()) ?? '';
    const options = { url, sealer: { seal: (plain: string) => plain }, dimensions: 256, model: 'm', now_ms: 0 };
    for (let node = 0; node < NODES; node++) {
      const store = await openPostgresStore(options);
      stores.push(store);
      deliveries.push(
        new EventDelivery(store, clock, ladder(node), new BackgroundTasks(() => {}), (error) => {
          throw error;
        }),
      );
    }
  });
  afterAll(async () => {
    for (const delivery of deliveries) await delivery.stop();
    for (const store of stores) await store.close();
  });

  let ids = 0;
  const tell = async (node: number, to: string): Promise<void> => {
    const rest = {
      handle: to,
      event: 'test.ping',
      data: {},
      subject_id: null,
      awaiting: false,
      respond_by: null,
    } as const;
    const effect: EventEffect = { do: 'event', id: `event-${++ids}`, to, created_at: 1, ...rest };
    await stores[node % NODES]?.turn({ attempt: async () => ({ reply: null, effects: [effect] }) });
  };
  const idle = async (): Promise<void> => {
    for (const delivery of deliveries) await delivery.idle();
  };
  const seqsOf = (agent_id: string): number[] =>
    pushes.filter((push) => push.agent_id === agent_id).map(({ seq }) => seq);
  const upTo = (last: number): number[] => Array.from({ length: last }, (_, n) => n + 1);
  const agents = Array.from({ length: AGENTS }, (_, n) => `agent-${n}`);

  test('push each event once and in order, whichever node it was committed on', async () => {
    await Promise.all(agents.flatMap((agent) => upTo(EVENTS).map((n) => tell(n, agent))));
    // What a node committed for an agent of the other's lease is told by the database; looking again finds the rest.
    while (pushes.length < AGENTS * EVENTS) {
      await Promise.all(deliveries.map((delivery) => delivery.redrive()));
      await idle();
    }
    for (const agent of agents) expect(seqsOf(agent)).toEqual(upTo(EVENTS));
    for (const agent of agents) {
      expect(new Set(pushes.filter(({ agent_id }) => agent_id === agent).map(({ node }) => node)).size).toBe(1);
    }
  });

  test('go on for a node that is gone once its leases are over, with what it had not written down', async () => {
    const [first] = deliveries;
    await first?.stop();
    await idle();
    pushes.length = 0;
    for (const agent of agents) await tell(1, agent);
    clock.moveTo(clock.now() + LEASE_OVER_MS);
    while (pushes.length < AGENTS) {
      await deliveries[1]?.redrive();
      await deliveries[1]?.idle();
    }
    for (const agent of agents) expect(seqsOf(agent)).toEqual([EVENTS + 1]);
    expect(new Set(pushes.map(({ node }) => node))).toEqual(new Set([1]));
    // How far it came is written with a later look.
    await until(async () => {
      await deliveries[1]?.redrive();
      await deliveries[1]?.idle();
      return (await stores[0]?.read(behind, { after: '', limit: AGENTS }))?.length === 0;
    });
  });
});
