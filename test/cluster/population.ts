// Whom the fault test begins with: agents with keys of their own, and a few that wait for their verification, whose held
// listings durable reminders will publish while nodes are dying.
import { randomBytes } from 'node:crypto';
import { type Effect, insert } from '../../db/effects.ts';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import { fault } from '../../src/domain/fault.ts';
import { keyPrefixShown, mintKey } from '../../src/domain/identity/key.ts';
import { post } from '../../src/domain/money/ledger.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { listingPublish } from '../../src/operations/listing/publish.ts';
import { BUILT_IN_MODEL } from '../../src/outbound/embedder/built-in.ts';
import { EMBEDDING_DIMENSIONS } from '../../src/outbound/embedder/embedder.ts';
import { sha256Hex } from '../../src/outbound/hash.ts';
import { remind } from '../../src/steps/reminder.ts';
import { joining, type Member, members, newId, write } from '../bench/population.ts';
import { type Payer, TOPICS } from './client.ts';

/** Agents whose listings wait, and how many listings each has. */
const LATE = 8;
export const HELD = 3;
/** The first reminder is due so long after the start, and then one after the other. */
const FIRST_MS = 4_000;
const APART_MS = 1_500;

/** What each client may spend: more than any run does. */
const FUNDS_CENTS = 1_000_000;

export interface Population {
  readonly clients: readonly Payer[];
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

/** Money for each, as a paid funding leaves it, and the key that may spend it. */
function* funded(payers: readonly Payer[], now_ms: number): Generator<Effect> {
  const paid = {
    status: 'paid',
    processor: 'sandbox',
    paid_at: now_ms,
    withdrawable_at: now_ms,
    ended_at: now_ms,
  } as const;
  for (const { id: agent_id, account_id, spending_key } of payers) {
    const id = newId();
    yield insert('fundings', { id, agent_id, account_id, amount_cents: FUNDS_CENTS, created_at: now_ms, ...paid });
    const leg = { debit: 'processor', credit: `wallet:${agent_id}`, amount_cents: FUNDS_CENTS } as const;
    const journal = { id: `fund:${id}`, kind: 'fund', subject_id: id, created_at: now_ms };
    yield post(journal, [leg], fault('conflict'), fault('conflict'));
    yield insert('api_keys', {
      ...{ id: newId(), account_id, agent_id: null, name: 'pays', kind: 'developer', scopes: ['payments:write'] },
      ...{ hash: sha256Hex(spending_key), prefix: keyPrefixShown(spending_key) },
      ...{ created_at: now_ms, expires_at: now_ms + DAY_MS, used_at: now_ms },
    });
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
  const late = all.slice(count);
  const clients = all.slice(0, count).map((member) => ({ ...member, spending_key: mintKey('mesh', randomBytes(32)) }));
  await write(store, funded(clients, now_ms));
  await write(store, waiting(late, now_ms));
  await store.close();
  return { clients, late };
}
