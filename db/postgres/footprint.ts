// Which rows a batch of turns needs locked before it can be decided what becomes of it, and the look-up that locks them:
// table by table and id by id in one order on every node, so that nodes queue up instead of holding each other.
import { assertNever } from '../../src/domain/assert.ts';
import { earnedOf, netOfGuarded } from '../../src/domain/money/ledger.ts';
import type { Effect } from '../effects.ts';
import { withinOf } from '../schema/keys.ts';
import type { TableName } from '../schema/tables.ts';
import { allOf, type Connection, send } from './connection.ts';
import type { Pending } from './pending.ts';
import { keyArrays, literal, rowOf, type Shape, shapeOf } from './shapes.ts';
import { divide, type Shards } from './shards.ts';
import { Workspace } from './workspace.ts';

/** Ids, each with its parent, if that is part of the key. */
type Keys = Map<string, string | undefined>;
type Key = readonly [id: string, within: string | undefined];
type TableKeys = Map<TableName, Keys>;

function add(tables: TableKeys, table: TableName, id: string, within?: string): void {
  const known = tables.get(table);
  if (known) known.set(id, within);
  else tables.set(table, new Map([[id, within]]));
}

class Footprint {
  /** Rows to lock. */
  readonly locked: TableKeys = new Map();
  /** Tables in which rows change; rows of the others are only held as they are. */
  readonly written = new Set<TableName>();
  /** Rows whose version is compared and that are left free: credentials, which every turn of an agent names. */
  readonly checked: TableKeys = new Map();
  /** Rows that never change. They are read while the locks are held, which shows what another node committed before it released
   * them. */
  readonly looked: TableKeys = new Map();
  /** Agents and subjects whose awaited events are answered. */
  readonly answers: { readonly agent_id: string; readonly subject_id: string }[] = [];

  take(pending: Pending): void {
    const { turn, reads, decision } = pending;
    for (const { table, id } of turn.guards ?? []) add(this.checked, table, id);
    for (const { table, id, within } of reads.values()) add(this.locked, table, id, within);
    // In its first decision it has just read no row, or an expired one; after that the insert decides.
    if (turn.idempotency && !pending.first) this.lock('idempotency', turn.idempotency.id);
    for (const effect of decision.effects ?? []) this.#effect(effect, pending.first);
  }

  lock(table: TableName, id: string, within?: string): void {
    this.written.add(table);
    add(this.locked, table, id, within);
  }

  #effect(effect: Effect, first: boolean): void {
    switch (effect.do) {
      case 'insert':
        // Without a word about a taken key it is new: looking for it would cost a query and find nothing.
        if (effect.onConflict !== null) {
          this.lock(effect.table, String(effect.row.id), withinOf(effect.table, effect.row));
        }
        return;
      case 'patch':
      case 'remove':
      case 'apply':
        this.lock(effect.table, effect.id, effect.within);
        return;
      case 'count':
        this.lock('counters', effect.key);
        return;
      case 'event':
        this.lock('inboxes', effect.to);
        return;
      case 'answer':
        this.answers.push(effect);
        return;
      case 'remind':
      case 'unremind':
        this.lock('reminders', effect.id);
        return;
      case 'embed':
        this.lock('listing_vectors', effect.listing_id);
        return;
      case 'post':
        // The platform's side has no rows, so that no payment waits for another at one of them.
        for (const account of netOfGuarded(effect.transfers).keys()) this.lock('ledger_accounts', account);
        for (const transfer of effect.transfers) {
          const earned = earnedOf(transfer, effect.journal);
          if (earned) this.lock('earned_days', earned.id);
        }
        // In its first decision the key is assumed to be free; after that the insert decides.
        if (!first) add(this.looked, 'journals', effect.journal.id);
        return;
      case 'send':
      case 'replied':
        return;
      default:
        assertNever(effect);
    }
  }
}

const ANSWERED = `SELECT id, agent_id FROM events WHERE awaiting = 1
  AND (agent_id, subject_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;
const ANSWERED_IN_SHARD = `${ANSWERED} AND agent_id = ANY($1::text[])`;

/** The awaited events that the turns answer. They are only found here, and locked with the other rows of their table in
 * one order: what was answered meanwhile no longer awaits anything, and what comes later was not meant. */
async function lockAnswered(connection: Connection, footprint: Footprint, shards: Shards | null): Promise<void> {
  if (footprint.answers.length === 0) return;
  const text = shards ? ANSWERED_IN_SHARD : ANSWERED;
  const asked = divide(shards, 'events', footprint.answers, ({ agent_id }) => agent_id).map((answers) => {
    const agents = literal(answers.map((a) => a.agent_id));
    const subjects = literal(answers.map((a) => a.subject_id));
    return send(connection, text, [agents, subjects]);
  });
  for (const { id, agent_id } of (await allOf(asked)).flat()) footprint.lock('events', String(id), String(agent_id));
}

async function readRows(
  connection: Connection,
  shape: Shape,
  text: string,
  keys: readonly Key[],
  into: Workspace,
): Promise<void> {
  const rows = await connection.unsafe(text, keyArrays(shape, keys));
  for (const raw of rows) into.load(shape.table, String(raw.id), rowOf(shape, raw));
}

async function checkVersions(connection: Connection, shape: Shape, keys: Keys, into: Workspace): Promise<void> {
  const rows = await connection.unsafe(shape.versions, keyArrays(shape, [...keys]));
  for (const { id, version } of rows) into.noteVersion(shape.table, String(id), Number(version));
}

/** Locks what the turns need and reads it. The statements are sent together and run one after the other. */
export async function lockFor(
  connection: Connection,
  batch: readonly Pending[],
  shards: Shards | null,
): Promise<Workspace> {
  const footprint = new Footprint();
  for (const pending of batch) footprint.take(pending);
  await lockAnswered(connection, footprint, shards);
  const workspace = new Workspace();
  const byName = (a: [TableName, unknown], b: [TableName, unknown]): number => (a[0] < b[0] ? -1 : 1);
  const asked: Promise<void>[] = [];
  const read = (table: TableName, keys: Keys, textOf: (shape: Shape) => string): void => {
    const shape = shapeOf(table, shards?.has(table));
    for (const some of divide(shards, table, [...keys], ([id, within]) => within ?? id))
      asked.push(readRows(connection, shape, textOf(shape), some, workspace));
  };
  for (const [table, keys] of [...footprint.locked].sort(byName)) {
    read(table, keys, ({ lock, share }) => (footprint.written.has(table) ? lock : share));
  }
  for (const [table, keys] of footprint.looked) read(table, keys, ({ look }) => look);
  for (const [table, keys] of footprint.checked) {
    asked.push(checkVersions(connection, shapeOf(table), keys, workspace));
  }
  // All of them, even when one fails: none may still be on its way when the transaction ends.
  await allOf(asked);
  return workspace;
}
