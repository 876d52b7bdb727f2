// The dry run of a turn: the same interpreter runs its effects on copies of the committed rows that they touch, and nothing is stored. The
// refusals are the same as the store's, on either adapter.
import type { Fault } from '../src/domain/fault.ts';
import { netOfGuarded } from '../src/domain/money/ledger.ts';
import type { CountEffect, Effect } from './effects.ts';
import { byId, type Query } from './query.ts';
import type { Answered, Head, Rows, Upsert, Values } from './rows.ts';
import { type CONFLICT, EffectRunner, TurnRecord } from './run-effects.ts';
import { withinColumn, withinOf } from './schema/keys.ts';
import type { TableName } from './schema/tables.ts';
import type { Read } from './store.ts';

const keyOf = (table: TableName, id: string): string => `${table}:${id}`;

/** Copies of rows, changed by effects. Other rows count as absent. */
class CopiedRows implements Rows {
  readonly #rows: Map<string, Values>;

  constructor(rows: Map<string, Values>) {
    this.#rows = rows;
  }

  row(table: TableName, id: string): Values | null {
    return this.#rows.get(keyOf(table, id)) ?? null;
  }

  version(table: TableName, id: string): number | null {
    const row = this.row(table, id);
    return row && Number(row.version ?? 0);
  }

  insert(table: TableName, row: Values): boolean {
    const key = keyOf(table, String(row.id));
    if (this.#rows.has(key)) return false;
    this.#rows.set(key, { version: 1, ...row });
    return true;
  }

  update(table: TableName, id: string, set: Values, version: number | null): boolean {
    const row = this.row(table, id);
    if (!row || (version !== null && row.version !== version)) return false;
    this.#rows.set(keyOf(table, id), { ...row, ...set, version: Number(row.version ?? 0) + 1 });
    return true;
  }

  remove(table: TableName, id: string, version: number | null): boolean {
    const row = this.row(table, id);
    return row !== null && (version === null || row.version === version) && this.#rows.delete(keyOf(table, id));
  }

  put({ table }: Upsert, row: Values): void {
    const id = String(row.id);
    this.#rows.set(keyOf(table, id), { ...this.row(table, id), ...row });
  }

  next({ table, column }: Head, id: string): number {
    const n = Number(this.row(table, id)?.[column] ?? 0) + 1;
    this.put({ table, moves: [column] }, { id, [column]: n });
    return n;
  }

  add({ key, by, limit, expires_at }: CountEffect): number | null {
    const n = Number(this.row('counters', key)?.n ?? 0) + by;
    if (n > limit) return null;
    this.put({ table: 'counters', moves: ['n'] }, { id: key, n, expires_at });
    return n;
  }

  answer(): readonly Answered[] {
    return [];
  }

  embed(): void {}
}

/** The rows that decide whether an effect succeeds, by table and key. */
function touched(effect: Effect): readonly (readonly [table: TableName, id: string, within?: string | undefined])[] {
  switch (effect.do) {
    case 'insert': {
      const { table, row } = effect;
      return row.id === undefined ? [] : [[table, String(row.id), withinOf(table, row)]];
    }
    case 'patch':
    case 'remove':
    case 'apply':
      return [[effect.table, effect.id, effect.within]];
    case 'count':
      return [['counters', effect.key]];
    case 'unremind':
      return [['reminders', effect.id]];
    case 'post': {
      const accounts = [...netOfGuarded(effect.transfers).keys()];
      return [['journals', effect.journal.id], ...accounts.map((id) => ['ledger_accounts', id] as const)];
    }
    default:
      return [];
  }
}

type RowQuery = Query<{ id: string; [within: string]: string }, Values | null>;

/** One of each table: adapters prepare a query once and know it by identity. */
const queries = new Map<TableName, RowQuery>();

function rowOf(table: TableName): RowQuery {
  const known = queries.get(table);
  if (known) return known;
  // Rows that effects touch by their id have one.
  const made = byId(table as 'agents', null) as unknown as RowQuery;
  queries.set(table, made);
  return made;
}

/** What would stop the effects now; null when all would succeed. */
export async function rehearse(
  read: Read['peek'],
  effects: readonly Effect[],
): Promise<Fault | typeof CONFLICT | null> {
  const rows = new Map<string, Values>();
  for (const [table, id, within] of effects.flatMap(touched)) {
    const column = withinColumn(table);
    const row = await read(rowOf(table), { id, ...(column && within && { [column]: within }) });
    if (row) rows.set(keyOf(table, id), row);
  }
  return new EffectRunner(new CopiedRows(rows), { seal: () => '' }).run(effects, new TurnRecord());
}
