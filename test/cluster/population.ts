// Whom the fault test begins with: agents with keys of their own, and a few that wait for their verification, whose held
// listings durable reminders will publish while nodes are dying.
import { type Effect, insert } from '../../db/effects.ts';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import { listingPublish } from '../../src/operations/listing/publish.ts';
import { BUILT_IN_MODEL } from '../../src/outbound/embedder/built-in.ts';
import { EMBEDDING_DIMENSIONS } from '../../src/outbound/embedder/embedder.ts';
import { remind } from '../../src/steps/reminder.ts';
import { joining, type Member, members, newId, write } from '../bench/population.ts';
import { TOPICS } from './client.ts';

/** Agents whose listings wait, and how many listings each has. */
const LATE = 8;
export const HELD = 3;
/** The first reminder is due so long after the start, and then one after the other. */
const FIRST_MS = 4_000;
const APART_MS = 1_500;

export interface Population {
  readonly clients: readonly Member[];
  readonly late: readonly Member[];
}

function* waiting(late: readonly Member[], now_ms: number): Generator<Effect> {
  for (const [i, { id: agent_id, account_id, handle }] of late.entries()) {
    for (let n = 0; n < HELD; n += 1) {
      yield insert('listings', {
        id: newId(),
        agent_id,
        account_id,
        slug: `held-${n}`,
        card_type: 'selling',
        direction: 'offer',
        headline: `held ${handle} ${n}`,
        description: '',
        geo: null,
        labels: [TOPICS[(i + n) % TOPICS.length] ?? ''],
        subcategory: null,
        price_cents: 50_000,
        budget_cents: null,
        per_week_cents: null,
        per_month_cents: null,
        conditions: { tiers: [], dealbreakers: [], preferences: [] },
        fields: {},
        status: 'pending_verification',
        origin: 'intake',
        created_at: now_ms,
        updated_at: now_ms,
      });
    }
    const at = now_ms + FIRST_MS + i * APART_MS;
    yield remind(listingPublish, { agent_id }, { at, key: agent_id, now_ms });
  }
}

/** So many agents that write, and those whose listings wait. */
export async function populate(database_url: string, count: number): Promise<Population> {
  const now_ms = Date.now();
  const sealer = { seal: (plain: string) => plain };
  const options = { url: database_url, sealer, dimensions: EMBEDDING_DIMENSIONS, model: BUILT_IN_MODEL, now_ms };
  const store = await openPostgresStore(options);
  const all = members(count + LATE);
  await write(store, joining(all, now_ms));
  const [clients, late] = [all.slice(0, count), all.slice(count)];
  await write(store, waiting(late, now_ms));
  await store.close();
  return { clients, late };
}
