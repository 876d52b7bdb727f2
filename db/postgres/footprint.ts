// Which rows a batch of turns needs locked before it can be decided what becomes of it, and the look-up that locks them:
// table by table and id by id in one order on every node, so that nodes queue up instead of holding each other.
import { assertNever } from '../../src/domain/assert.ts';
import { earnedOf, netOfGuarded } from '../../src/domain/money/ledger.ts';
import type { Effect } from '../effects.ts';
import type { TableName } from '../schema/tables.ts';
import { allOf, type Connection } from './connection.ts';
import type { Pending } from './pending.ts';
import { literal, rowOf, type Shape, shapeOf } from './shapes.ts';
import { Workspace } from './workspace.ts';

type Ids = Map<TableName, Set<string>>;

function add(ids: Ids, table: TableName, id: string): void {
  const known = ids.get(table);
  if (known) known.add(id);
  else ids.set(table, new Set([id]));
}

class Footprint {
  /** Rows to lock. */
  readonly locked: Ids = new Map();
  /** Tables in which rows change; rows of the others are only held as they are. */
  readonly written = new Set<TableName>();
  /** Rows whose version is compared and that are left free: credentials, which every turn of an agent names. */
  readonly checked: Ids = new Map();
  /** Rows that never change once they are there. They are looked for when the locks are held: what another node has done
   * before it let go of them is seen. */
  readonly looked: Ids = new Map();
  /** Agents and subjects whose awaited events are answered. */
  readonly answers: { readonly agent_id: string; readonly subject_id: string }[] = [];

  take(pending: Pending): void {
    const { turn, reads, decision } = pending;
    for (const { table, id } of turn.guards ?? []) add(this.checked, table, id);
    for (const { table, id } of reads.values()) add(this.locked, table, id);
    // At first it has just looked for the row and found none, or one that is expired; then putting it in tells.
    if (turn.idempotency && !pending.first) this.lock('idempotency', turn.idempotency.id);
    for (const effect of decision.effects ?? []) this.#effect(effect, pending.first);
  }

  lock(table: TableName, id: string): void {
    this.written.add(table);
    add(this.locked, table, id);
  }

  #effect(effect: Effect, first: boolean): void {
    switch (effect.do) {
      case 'insert':
        // Without a word about a taken key it is new: looking for it would cost a query and find nothing.
        if (effect.onConflict !== null) this.lock(effect.table, String(effect.row.id));
        return;
      case 'patch':
      case 'remove':
      case 'apply':
        this.lock(effect.table, effect.id);
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
        // At first its key is taken to be free; then putting it in tells.
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

const ANSWERED = `SELECT id FROM events WHERE awaiting = 1
  AND (agent_id, subject_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;

/** The awaited events that the turns answer. They are only found here, and locked with the other rows of their table in
 * one order: what was answered meanwhile no longer awaits anything, and what comes later was not meant. */
async function findAnswered(connection: Connection, { answers }: Footprint): Promise<string[]> {
  if (answers.length === 0) return [];
  const agents = literal(answers.map((a) => a.agent_id));
  const subjects = literal(answers.map((a) => a.subject_id));
  const rows = await connection.unsafe(ANSWERED, [agents, subjects]);
  return rows.map(({ id }) => String(id));
}

async function readRows(
  connection: Connection,
  shape: Shape,
  text: string,
  ids: Set<string>,
  into: Workspace,
): Promise<void> {
  const rows = await connection.unsafe(text, [literal([...ids])]);
  for (const raw of rows) into.load(shape.table, String(raw.id), rowOf(shape, raw));
}

async function checkVersions(connection: Connection, shape: Shape, ids: Set<string>, into: Workspace): Promise<void> {
  const rows = await connection.unsafe(shape.versions, [literal([...ids])]);
  for (const { id, version } of rows) into.noteVersion(shape.table, String(id), Number(version));
}

/** Locks what the turns need and reads it. The statements are sent together and run one after the other. */
export async function lockFor(connection: Connection, batch: readonly Pending[]): Promise<Workspace> {
  const footprint = new Footprint();
  for (const pending of batch) footprint.take(pending);
  for (const id of await findAnswered(connection, footprint)) footprint.lock('events', id);
  const workspace = new Workspace();
  const byName = (a: [TableName, unknown], b: [TableName, unknown]): number => (a[0] < b[0] ? -1 : 1);
  const asked: Promise<void>[] = [];
  for (const [table, ids] of [...footprint.locked].sort(byName)) {
    const shape = shapeOf(table);
    const text = footprint.written.has(table) ? shape.lock : shape.share;
    asked.push(readRows(connection, shape, text, ids, workspace));
  }
  for (const [table, ids] of footprint.looked) {
    const shape = shapeOf(table);
    asked.push(readRows(connection, shape, shape.look, ids, workspace));
  }
  for (const [table, ids] of footprint.checked) {
    asked.push(checkVersions(connection, shapeOf(table), ids, workspace));
  }
  // All of them, even when one fails: none may still be on its way when the transaction ends.
  await allOf(asked);
  return workspace;
}
