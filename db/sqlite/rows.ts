// The rows of the embedded adapter: each call is one prepared statement on the writer, and what it did is seen by the next.
import type { Database, Statement } from 'bun:sqlite';
import type { AnswerEffect, CountEffect, EmbedEffect } from '../effects.ts';
import type { Answered, Head, Rows, Upsert, Values } from '../rows.ts';
import type { TableName } from '../schema/tables.ts';
import type { Heads } from './heads.ts';
import { Statements } from './statements.ts';
import type { VectorRows } from './vector-rows.ts';

export class SqliteRows implements Rows {
  readonly #statements: Statements;
  readonly #heads: Heads;
  readonly #vectors: VectorRows;
  readonly #add: Statement;
  readonly #answer: Statement;

  constructor(db: Database, heads: Heads, vectors: VectorRows) {
    this.#statements = new Statements(db);
    this.#heads = heads;
    this.#vectors = vectors;
    this.#add = db.prepare(
      `INSERT INTO counters (id, n, expires_at) SELECT ?1, ?2, ?4 WHERE ?2 <= ?3
       ON CONFLICT (id) DO UPDATE SET n = n + ?2 WHERE n + ?2 <= ?3 RETURNING n`,
    );
    this.#answer = db.prepare(
      `UPDATE events SET awaiting = 0, answered = coalesce(?1, answered), version = version + 1
       WHERE agent_id = ?2 AND subject_id = ?3 AND awaiting = 1 RETURNING created_at`,
    );
  }

  row(table: TableName, id: string): Values | null {
    return this.#statements.row(table, id);
  }

  version(table: TableName, id: string): number | null {
    return this.#statements.version(table, id);
  }

  insert(table: TableName, row: Values): boolean {
    return this.#statements.insert(table, row);
  }

  update(table: TableName, id: string, set: Values, version: number | null): boolean {
    return this.#statements.update(table, id, set, version);
  }

  remove(table: TableName, id: string, version: number | null): boolean {
    return this.#statements.remove(table, id, version);
  }

  put(upsert: Upsert, row: Values): void {
    this.#statements.put(upsert, row);
  }

  next(head: Head, id: string): number {
    return this.#heads.next(head, id);
  }

  add({ key, by, limit, expires_at }: CountEffect): number | null {
    return (this.#add.get(key, by, limit, expires_at) as { n: number } | null)?.n ?? null;
  }

  answer({ agent_id, subject_id, answered }: AnswerEffect): Answered[] {
    const text = answered === null ? null : JSON.stringify(answered);
    return this.#answer.all(text, agent_id, subject_id) as Answered[];
  }

  embed(effect: EmbedEffect): void {
    this.#vectors.write(effect);
  }
}
