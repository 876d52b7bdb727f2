// The rows of the embedded adapter: each call is one prepared statement on the writer, whose effect the next one sees.
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
  readonly #counted: Statement;
  readonly #begin: Statement;
  readonly #move: Statement;
  readonly #answer: Statement;

  constructor(db: Database, heads: Heads, vectors: VectorRows) {
    this.#statements = new Statements(db);
    this.#heads = heads;
    this.#vectors = vectors;
    this.#counted = db.prepare('SELECT n FROM counters WHERE id = ?');
    this.#begin = db.prepare('INSERT INTO counters (id, n, expires_at) VALUES (?, ?, ?)');
    this.#move = db.prepare('UPDATE counters SET n = ?2 WHERE id = ?1');
    this.#answer = db.prepare(
      `UPDATE events SET awaiting = 0, answered = coalesce(?1, answered), version = version + 1
       WHERE agent_id = ?2 AND subject_id = ?3 AND awaiting = 1 RETURNING created_at`,
    );
  }

  row(table: TableName, id: string, within?: string): Values | null {
    return this.#statements.row(table, id, within);
  }

  version(table: TableName, id: string, within?: string): number | null {
    return this.#statements.version(table, id, within);
  }

  insert(table: TableName, row: Values): boolean {
    return this.#statements.insert(table, row);
  }

  update(table: TableName, id: string, set: Values, version: number | null, within?: string): boolean {
    return this.#statements.update(table, id, set, version, within);
  }

  remove(table: TableName, id: string, version: number | null, within?: string): boolean {
    return this.#statements.remove(table, id, version, within);
  }

  put(upsert: Upsert, row: Values): void {
    this.#statements.put(upsert, row);
  }

  next(head: Head, id: string): number {
    return this.#heads.next(head, id);
  }

  // One upsert with RETURNING costs four times these two statements; there is no other writer between them.
  add({ key, by, limit, expires_at }: CountEffect): number | null {
    const found = this.#counted.get(key) as { n: number } | null;
    const n = (found?.n ?? 0) + by;
    if (n > limit) return null;
    // A gate is only read.
    if (by === 0) return n;
    if (found) this.#move.run(key, n);
    else this.#begin.run(key, n, expires_at);
    return n;
  }

  answer({ agent_id, subject_id, answered }: AnswerEffect): Answered[] {
    const text = answered === null ? null : JSON.stringify(answered);
    return this.#answer.all(text, agent_id, subject_id) as Answered[];
  }

  embed(effect: EmbedEffect): void {
    this.#vectors.write(effect);
  }
}
