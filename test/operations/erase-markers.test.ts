// Every column of words of every table that is somebody's is marked in rows of an agent whose person then leaves: what the schema calls
// blank or gone holds no mark any more, and what stays is listed here.
import { expect, test } from 'bun:test';
import { getTableColumns } from 'drizzle-orm';
import { apply, type Effect, insert } from '../../db/effects.ts';
import { type AnyOwned, OWNED_TABLES, OWNERS } from '../../db/schema/owners.ts';
import { personalOf } from '../../db/schema/personal-columns.ts';
import { tables } from '../../db/schema/sqlite.ts';
import type { NewRow, TableName } from '../../db/schema/tables.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { readStoredRows } from '../support/store.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { fundWallet } from '../support/wallet.ts';

const MARK = 'marigold quist';
const HOUR_MS = 3_600_000;

/** What stays of who left, each for the reason that its column declares: words to others, titles of deals, records of money, and what
 * only the service writes. */
const STAYS =
  `admin_acts.reason approvals.bounds conversations.closed_reason conversations.subject deal_reviews.text deals.title
  disputes.proposal disputes.resolution earlier_deliverables.deliverable escrows.title fundings.reason holds.counted
  matches.approved_by matches.reasons matches.saved_by matches.shown_to messages.content messages.note milestones.backlink milestones.deliverable
  milestones.title payouts.payee payouts.reason payouts.request_key presence.samples presence.streams proposals.escrow_terms
  proposals.issues proposals.milestones proposals.terms reviews.reason router_attempts.reason router_calls.attempts router_calls.candidates
  router_calls.usage subscriptions.title track_records.bands`.split(/\s+/);

/** Where a column is read on the way. */
const SHAPED: Readonly<Record<string, (agent_id: string, own: string) => unknown>> = {
  'events.data': () => ({ words: MARK, match_id: 'm' }),
  'escrows.terms': (_agent_id, own) =>
    own === 'buyer_id'
      ? { buyer_email: MARK, agreed: { by: 'person', buyer_bounds: { policies: [MARK] }, seller_bounds: {} } }
      : { buyer_email: 'b', agreed: { by: 'person', buyer_bounds: {}, seller_bounds: { policies: [MARK] } } },
  'matches.feedback': (agent_id) => ({ agent_id, action: 'not_a_fit', reason: MARK }),
  'turns.reasons': () => ({ action: 'accept', rule: 'r', phase: 'p', inputs: { words: MARK }, model: null }),
  'listings.conditions': () => ({ tiers: [], dealbreakers: [MARK], preferences: [] }),
};

/** A listing has a vector while it is live, and a report stays longer than a listing. */
const FIXED: Readonly<Record<string, object>> = { listings: { status: 'live' }, reviews: { listing_id: null } };

/** What is needed to leave, what is one of few words, and what names the owner. */
const UNMARKED = ['accounts.email', 'accounts.plan', 'accounts.language', 'accounts.seen_language', 'handles.agent_id'];

const wordsOf = (table: TableName): readonly string[] => {
  const columns: Readonly<Record<string, { readonly dataType: string }>> = getTableColumns(tables[table]);
  const isText = (name: string): boolean => ['string', 'json'].includes(columns[name]?.dataType ?? '');
  return personalOf(table).flatMap(([name, { erase }]) => (erase.how === 'keep' || !isText(name) ? [] : [name]));
};

type Side = { readonly id: string; readonly account_id: string };

/** Rows that others hang on, and the column by which. */
const PARENTS = {
  conversations: 'conversation_id',
  escrows: 'escrow_id',
  listings: 'listing_id',
  disputes: 'dispute_id',
  tasks: 'task_id',
  webhooks: 'webhook_id',
};

/** Makes the rows of a table: one for each side on which the owner may stand, marked in each column of words. */
class Rows {
  readonly #t: TestService;
  readonly #parents: Readonly<Record<string, string>>;

  constructor(t: TestService) {
    this.#t = t;
    this.#parents = Object.fromEntries(Object.values(PARENTS).map((column) => [column, t.service.world.id()]));
  }

  of(
    table: TableName,
    { of, by, rows }: AnyOwned,
    own: string,
    [leaver, other]: readonly [Side, Side],
  ): NewRow<TableName> {
    const now_ms = this.#t.clock.now();
    const owners: readonly string[] = by;
    const kept = personalOf(table).flatMap(([name, { erase }]) => (erase.how === 'keep' ? [name] : []));
    const others = personalOf(table).flatMap(([name, { erase }]) =>
      erase.how === 'blank' && erase.of !== null && erase.of !== own ? [name] : [],
    );
    const hangs_on = this.#parents[Reflect.get(PARENTS, of) ?? ''] ?? this.#t.service.world.id();
    const ownerOf = ({ id, account_id }: Side): string | undefined =>
      of === 'agents' ? id : of === 'accounts' ? account_id : hangs_on;
    const parent = own === owners[0] ? this.#parents[Reflect.get(PARENTS, table) ?? ''] : undefined;
    const fixed: Record<string, unknown> = {
      ...this.#parents,
      expires_at: rows === 'expire' ? now_ms + HOUR_MS : now_ms * 2,
      ...{ ended_at: 1, gathered_at: 1, decided_at: 1, seq: 100_000, n: 1 },
      ...FIXED[table],
      ...Object.fromEntries(owners.map((name) => [name, ownerOf(own === name ? leaver : other)])),
      ...(!owners.includes('id') && { id: parent ?? this.#t.service.world.id() }),
    };
    const values = Object.entries(getTableColumns(tables[table])).map(([name, { dataType, notNull, hasDefault }]) => {
      if (name in fixed) return [name, fixed[name]];
      if (others.includes(name)) return [name, 'of the other side'];
      if (kept.includes(name) && (!notNull || hasDefault)) return [name, undefined];
      if (dataType === 'number') return [name, 0];
      const shaped = SHAPED[`${table}.${name}`]?.(leaver.id, own);
      if (shaped !== undefined) return [name, shaped];
      if (dataType === 'buffer') return [name, Buffer.from(MARK)];
      if (kept.includes(name)) return [name, this.#t.service.world.id()];
      return [name, dataType === 'json' ? [MARK] : MARK];
    });
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
}

/** The columns in which a mark stands, as `table.column`. */
async function marks(data_dir: string): Promise<string[]> {
  const found = OWNED_TABLES.map(async ([table]) => {
    const rows = await readStoredRows(data_dir, `select * from ${table}`);
    const names = rows.flatMap((row) => Object.keys(row).filter((name) => String(row[name]).includes(MARK)));
    return names.map((name) => `${table}.${name}`);
  });
  return [...new Set((await Promise.all(found)).flat())].sort();
}

async function sideOf(data_dir: string, { id }: TestAgent): Promise<Side> {
  const [row] = await readStoredRows(data_dir, `select account_id from agents where id = '${id}'`);
  return { id, account_id: String(row?.['account_id']) };
}

test('whoever leaves is blanked or gone in every column, but for what is listed with its reason', async () => {
  const t = await openTestService();
  const { data_dir } = t.service.world.settings;
  const leaver = await newAgent(t, { handle: 'marigold', verified: true });
  const other = await newAgent(t, { handle: 'stays_on', verified: true });
  await fundWallet(t, leaver.id, 700);
  const asked = { token: leaver.token, agent: leaver.handle };
  const body = { to_handle: other.handle, amount_cents: 700, note: MARK };
  expect((await t.call('POST', '/api/wallet/send', { ...asked, body })).status).toBe(201);
  const sides = [await sideOf(data_dir, leaver), await sideOf(data_dir, other)] as const;
  const rows = new Rows(t);
  const label = insert('labels', { id: MARK, uses: 9, created_at: t.clock.now() });
  const effects: Effect<'conflict'>[] = [label];
  for (const [table, owner] of OWNED_TABLES) {
    if (table === 'agents' || table === 'accounts' || table === 'sends' || wordsOf(table).length === 0) continue;
    for (const own of owner.by) effects.push(insert(table, rows.of(table, owner, own, sides), 'ignore'));
  }
  const agent = rows.of('agents', OWNERS.agents, 'account_id', sides) as Record<string, unknown>;
  const set = Object.fromEntries(wordsOf('agents').map((name) => [name, agent[name]]));
  await t.service.world.store.turn({
    attempt: async () => ({ reply: null, effects: [...effects, apply('agents', leaver.id, () => set)] }),
  });
  const marked = await marks(data_dir);
  const all = OWNED_TABLES.flatMap(([table]) => wordsOf(table).map((name) => `${table}.${name}`));
  expect(all.filter((name) => !marked.includes(name))).toEqual(UNMARKED);

  expect((await t.call('DELETE', '/api/account', { token: leaver.token })).status).toBe(200);
  await t.rest();
  await t.advance(24 * HOUR_MS);
  expect(await marks(data_dir)).toEqual(STAYS);
  await t.close();
});

test('what its columns declare is what becomes of a table', () => {
  const wrong = OWNED_TABLES.flatMap(([table, { of, rows }]) => {
    const whole = OWNERS[of];
    const goes = [rows, whole === 'nobody' ? '' : whole.rows].some((fate) => fate === 'removed' || fate === 'expire');
    return personalOf(table).flatMap(([name, { erase }]) => {
      const fits = erase.how === 'gone' ? goes : erase.how === 'blank' ? rows === 'blanked' : true;
      return fits ? [] : [`${table}.${name} is ${erase.how}, its rows are ${rows}`];
    });
  });
  expect(wrong).toEqual([]);
});

test('no row stays behind the row that it belongs to', () => {
  const stay = OWNED_TABLES.flatMap(([table, { of, rows, stage, outlives }]) => {
    const whole = OWNERS[of];
    if (table === of || whole === 'nobody' || outlives) return [];
    const goes =
      whole.rows === 'removed' ? rows === 'removed' && stage === 'with' : whole.rows !== 'expire' || rows === 'expire';
    return goes ? [] : [`${table}, which is ${rows}, belongs to ${of}, which is ${whole.rows}`];
  });
  expect(stay).toEqual([]);
});
