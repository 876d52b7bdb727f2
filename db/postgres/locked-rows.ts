// The rows of the clustered adapter: a batch's workspace in memory. Only the database knows of taken keys that were not read; those
// that it reported come in as `lost`.
import type { AnswerEffect, CountEffect, Effect, EmbedEffect } from '../effects.ts';
import type { Answered, Head, Rows, Upsert, Values } from '../rows.ts';
import type { TableName } from '../schema/tables.ts';
import type { Workspace } from './workspace.ts';

export class LockedRows implements Rows {
  readonly #rows: Workspace;
  readonly #lost: ReadonlySet<Effect>;
  readonly #compares: boolean;

  /** `compares` is false only where a test wants to see that versions matter. */
  constructor(rows: Workspace, lost: ReadonlySet<Effect>, compares: boolean) {
    this.#rows = rows;
    this.#lost = lost;
    this.#compares = compares;
  }

  row(table: TableName, id: string): Values | null {
    return this.#rows.row(table, id);
  }

  version(table: TableName, id: string): number | null {
    return this.#rows.version(table, id);
  }

  insert(table: TableName, row: Values, effect: Effect | null): boolean {
    if (effect !== null && this.#lost.has(effect)) return false;
    return this.#rows.insert(table, row, effect);
  }

  update(table: TableName, id: string, set: Values, version: number | null): boolean {
    return this.#stands(table, id, version) && this.#rows.update(table, id, set);
  }

  remove(table: TableName, id: string, version: number | null): boolean {
    return this.#stands(table, id, version) && this.#rows.remove(table, id);
  }

  #stands(table: TableName, id: string, version: number | null): boolean {
    return version === null || !this.#compares || this.#rows.version(table, id) === version;
  }

  /** Of two nodes that put in one row at once, the later one decides again. */
  put({ table, moves }: Upsert, row: Values): void {
    const set = Object.fromEntries(moves.map((column) => [column, row[column]]));
    if (!this.#rows.update(table, String(row.id), set)) this.#rows.insert(table, row, null);
  }

  next({ table, column, raises }: Head, id: string): number {
    const n = Number(this.#rows.row(table, id)?.[column] ?? 0) + 1;
    const set = { [column]: n, ...(raises !== undefined && { [raises]: 1 }) };
    if (!this.#rows.update(table, id, set)) this.#rows.insert(table, { id, ...set }, null);
    return n;
  }

  add({ key, by, limit, expires_at }: CountEffect): number | null {
    const n = Number(this.#rows.row('counters', key)?.n ?? 0) + by;
    if (n > limit) return null;
    if (!this.#rows.update('counters', key, { n })) this.#rows.insert('counters', { id: key, n, expires_at }, null);
    return n;
  }

  answer({ agent_id, subject_id, answered }: AnswerEffect): Answered[] {
    const awaiting = [...this.#rows.rows('events')].filter(
      (row) => row.agent_id === agent_id && row.subject_id === subject_id && row.awaiting === 1,
    );
    const set = answered === null ? { awaiting: 0 } : { awaiting: 0, answered };
    for (const row of awaiting) this.#rows.update('events', String(row.id), set);
    return awaiting.map((row) => ({ created_at: Number(row.created_at) }));
  }

  embed({ listing_id: id, agent_id, side, labels, card_type, model, vector, terms }: EmbedEffect): void {
    const set = { side, labels, card_type, model, vector, terms };
    if (vector === null) this.#rows.remove('listing_vectors', id);
    else if (!this.#rows.update('listing_vectors', id, set)) {
      this.#rows.insert('listing_vectors', { id, agent_id, ...set }, null);
    }
  }
}
