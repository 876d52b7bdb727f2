// The categories of what is for sale, counted in bites over more listings than one bite holds: after every change of listings and of
// their agents they are what a recount of the rows gives, and others are served while they are counted.
import { beforeAll, expect, test } from 'bun:test';
import { type Effect, insert, patch, remove } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { listingById } from '../../db/queries/listing.ts';
import type { NewRow } from '../../db/schema/tables.ts';
import { readCategories } from '../../src/steps/market/explore.ts';
import { Random } from '../sim/random.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows } from '../support/store.ts';

/** More than two bites. */
const LISTINGS = 4_500;
const ROUNDS = 12;
const CHANGES = 40;

const STATUSES = ['live', 'live', 'live', 'draft', 'inactive', 'pending_verification', 'pending_review'] as const;
const KINDS = [
  ['selling', null],
  ['selling', 'services.design'],
  ['partnering', null],
  ['link_building', 'link_building.guest_posts'],
] as const;
const NO_TERMS = { tiers: [], dealbreakers: [], preferences: [] } as const;
const TIER = { id: 'basic', name: 'Basic', price_cents: 5, currency: 'USD', billing: 'one_time' } as const;
/** Ways to name an amount, and two to name none. */
const PRICES: readonly Pick<
  NewRow<'listings'>,
  'price_cents' | 'per_week_cents' | 'per_month_cents' | 'budget_cents' | 'conditions' | 'fields'
>[] = [
  { price_cents: 700, conditions: NO_TERMS, fields: {} },
  { per_week_cents: 700, conditions: NO_TERMS, fields: {} },
  { per_month_cents: 700, conditions: NO_TERMS, fields: {} },
  { conditions: { ...NO_TERMS, tiers: [TIER] }, fields: {} },
  { conditions: NO_TERMS, fields: { price_cents: 700 } },
  { budget_cents: 700, conditions: NO_TERMS, fields: { pages: 3 } },
  { conditions: NO_TERMS, fields: {} },
];

const t = sharedService();
let agents: TestAgent[] = [];
let made = 0;
const random = new Random(12, 'categories');
const ids: string[] = [];

beforeAll(async () => {
  agents = await Promise.all(
    [true, true, true, false].map((verified, n) =>
      newAgent(t, { handle: `categories_${n}`, verified, body: { visibility: 'listed' } }),
    ),
  );
});

async function write(effects: readonly Effect[]): Promise<void> {
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
}

function state(): Pick<
  NewRow<'listings'>,
  'status' | 'direction' | 'card_type' | 'subcategory' | 'conditions' | 'fields'
> {
  const [card_type, subcategory] = random.pick(KINDS);
  const direction = random.chance(0.8) ? 'offer' : 'seek';
  const none = { price_cents: null, per_week_cents: null, per_month_cents: null, budget_cents: null };
  return { card_type, subcategory, direction, status: random.pick(STATUSES), ...none, ...random.pick(PRICES) };
}

function listing(): Effect {
  const id = Bun.randomUUIDv7();
  ids.push(id);
  const agent_id = random.pick(agents).id;
  const texts = { slug: `listing-${++made}`, headline: 'Ropes', description: 'Fine ones', geo: null, labels: ['rope'] };
  const times = { created_at: Date.now(), updated_at: Date.now() };
  return insert('listings', { id, agent_id, account_id: agent_id, origin: 'direct', ...texts, ...times, ...state() });
}

async function changeListing(): Promise<void> {
  const at = random.below(ids.length);
  const row = await t.service.world.store.read(listingById, { id: ids[at] ?? '' });
  if (!row || random.chance(0.2)) {
    if (row) ids.splice(at, 1);
    await write([...(row ? [remove('listings', row)] : []), listing()]);
  } else await write([patch('listings', row, state())]);
}

/** The first stays as it is, so that there is always something to count. */
async function changeAgent(): Promise<void> {
  const row = await t.service.world.store.read(agentById, { id: random.pick(agents.slice(1)).id });
  if (!row) throw new Error('an agent is gone');
  const set = random.pick([
    { visibility: row.visibility === 'listed' ? ('hidden' as const) : ('listed' as const) },
    { verified_at: row.verified_at === null ? 1 : null },
    { deactivated_at: row.deactivated_at === null ? 1 : null },
    { provisional: row.provisional === 0 ? 1 : 0 },
  ]);
  await write([patch('agents', row, set)]);
}

/** By hand, out of the rows. */
async function recount(): Promise<Record<string, number>> {
  const sql =
    'select l.*, a.visibility, a.provisional, a.deactivated_at, a.verified_at from listings l join agents a on a.id = l.agent_id';
  const counts: Record<string, number> = {};
  for (const row of await readStoredRows(t.service.world.settings.data_dir, sql)) {
    const shown = row['visibility'] === 'listed' && Number(row['provisional']) === 0 && row['deactivated_at'] === null;
    const offered = row['status'] === 'live' && row['direction'] === 'offer' && row['verified_at'] !== null;
    const priced =
      ['price_cents', 'per_week_cents', 'per_month_cents'].some((name) => row[name] !== null) ||
      [row['conditions'], row['fields']].some((text) => String(text).includes('"price_cents"'));
    const category = String(row['subcategory'] ?? row['card_type']);
    if (shown && offered && priced) counts[category] = (counts[category] ?? 0) + 1;
  }
  return counts;
}

async function said(): Promise<Record<string, number>> {
  const { body } = await t.call('GET', '/api/services/explore/categories');
  return Object.fromEntries(body.map(({ category, count }: { category: string; count: number }) => [category, count]));
}

test('are those of a recount after every change', async () => {
  for (let n = 0; n < LISTINGS; n += 500) await write(Array.from({ length: 500 }, listing));
  expect(await said()).toEqual(await recount());
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < CHANGES; n++) await changeListing();
    await changeAgent();
    const counted = await recount();
    expect(Object.keys(counted).length).toBeGreaterThan(2);
    expect(await said()).toEqual(counted);
  }
});

test('are counted while others are served', async () => {
  let [rounds, over] = [0, false];
  const turn = (): void => {
    rounds += 1;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  await readCategories(t.service.world.store.read);
  over = true;
  expect(rounds).toBeGreaterThanOrEqual(2);
});
