// Writes what a batch changed, in few statements: one a table for new rows, one a table and set of columns for changed
// ones, one a table for those that go. Rows that may find their key taken are only offered, since an error would abort the
// whole batch; those whose keys were taken are answered.
import type { Values } from '../rows.ts';
import { withinOf } from '../schema/keys.ts';
import type { TableName } from '../schema/tables.ts';
import { allOf, type Connection, send } from './connection.ts';
import { columnArrays, keyArrays, listed, shapeOf, updateOf } from './shapes.ts';
import { divide, type Shards } from './shards.ts';
import type { WorkingRow, Workspace } from './workspace.ts';

interface Update {
  readonly table: TableName;
  readonly columns: ReadonlySet<string>;
  readonly rows: Values[];
}

/** Whether a turn handles a taken key, which is then expected. */
function mayBeTaken({ effect }: WorkingRow): boolean {
  return effect?.do === 'post' || (effect?.do === 'insert' && effect.onConflict !== null);
}

/** The writes, by table. */
class Plan {
  readonly inserts = new Map<TableName, WorkingRow[]>();
  readonly updates = new Map<string, Update>();
  readonly removes = new Map<TableName, [id: string, within: string | undefined][]>();

  constructor(workspace: Workspace) {
    for (const entry of workspace.changes()) this.#add(entry);
  }

  #add(entry: WorkingRow): void {
    const { table, id, within, row, stored, changed } = entry;
    if (row === null) {
      // A row inserted and deleted within the batch is not written.
      if (stored) push(this.removes, table, [id, within]);
    } else if (!stored) {
      push(this.inserts, table, entry);
    } else if (changed.size > 0) {
      const key = `${table}:${[...changed].sort().join(',')}`;
      const update = this.updates.get(key) ?? { table, columns: changed, rows: [] };
      update.rows.push(row);
      this.updates.set(key, update);
    }
  }
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** The unique keys, besides the id, on which new rows of two nodes may conflict. */
const KEYS: Readonly<Partial<Record<TableName, readonly [string, string?]>>> = {
  accounts: ['email'],
  claims: ['provider', 'external_id'],
  events: ['agent_id', 'seq'],
  listings: ['agent_id', 'slug'],
};

const byTable = (a: readonly [TableName, unknown], b: readonly [TableName, unknown]): number => (a[0] < b[0] ? -1 : 1);

/** In one order on every node, as rows are locked: two that put in the same keys would else wait for each other. */
function inLockOrder(table: TableName, entries: readonly WorkingRow[]): WorkingRow[] {
  const [first, second = ''] = KEYS[table] ?? ['id'];
  const key = ({ row }: WorkingRow): string => `${row?.[first]} ${row?.[second]}`;
  const keyed = entries.map((entry) => ({ entry, key: key(entry) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ entry }) => entry);
}

/** Puts rows in; with `offers` it answers those that the database would not take. */
async function insert(
  connection: Connection,
  table: TableName,
  entries: readonly WorkingRow[],
  offers: boolean,
  shards: Shards | null,
): Promise<WorkingRow[]> {
  const shape = shapeOf(table, shards?.has(table));
  const rows = entries.map(({ row }) => row ?? {});
  const sent = shape.sharded
    ? listed(shape, rows, offers).map(([text, values]) => send(connection, text, values))
    : [send(connection, offers ? shape.offer : shape.insert, columnArrays(shape.columns, rows))];
  const put = (await allOf(sent)).flat();
  if (!offers || put.length === entries.length) return [];
  const ids = new Set(put.map(({ id }) => id));
  return entries.filter((entry) => !ids.has(entry.id));
}

function update(connection: Connection, { table, columns, rows }: Update, shards: Shards | null): Promise<unknown>[] {
  const shape = shapeOf(table, shards?.has(table));
  const set = shape.columns.filter((c) => columns.has(c.key) && !shape.key.includes(c));
  const text = updateOf(shape, set);
  const keyOf = (row: Values): string => withinOf(table, row) ?? String(row.id);
  return divide(shards, table, rows, keyOf).map((some) =>
    send(connection, text, columnArrays([...shape.key, ...set], some)),
  );
}

export interface Writing {
  /** The new rows that the database would not take, because a key is taken. */
  readonly lost: Promise<readonly WorkingRow[]>;
  /** Whether none can be lost: then all statements succeed, or one of them throws. */
  readonly certain: boolean;
}

/** Sends all statements together. An unexpected duplicate key throws, unless `offers` makes every insert ON CONFLICT DO
 * NOTHING. */
export function writeChanges(
  connection: Connection,
  workspace: Workspace,
  offers: boolean,
  shards: Shards | null,
): Writing {
  const plan = new Plan(workspace);
  const inserts = [...plan.inserts]
    .sort(byTable)
    .map(([table, entries]) => ({ table, entries, offered: offers || entries.some(mayBeTaken) }));
  const removed = [...plan.removes].flatMap(([table, keys]) => {
    const shape = shapeOf(table, shards?.has(table));
    const groups = divide(shards, table, keys, ([id, within]) => within ?? id);
    return groups.map((some) => send(connection, shape.remove, keyArrays(shape, some)));
  });
  const updated = [...plan.updates.values()].flatMap((rows) => update(connection, rows, shards));
  const inserted = inserts.map(({ table, entries, offered }) => {
    return insert(connection, table, inLockOrder(table, entries), offered, shards);
  });
  const lost = allOf<unknown>([...removed, ...updated, ...inserted]).then(async () => {
    return (await Promise.all(inserted)).flat();
  });
  return { lost, certain: inserts.every(({ offered }) => !offered) };
}
