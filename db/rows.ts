// The port of the effects' interpreter (run-effects.ts) to an adapter: single rows by table and id, on the embedded adapter by
// SQL that runs at once, on the clustered one by the batch's locked rows in memory. It has no rules: only the interpreter
// defines what an effect means.
import type { AnswerEffect, CountEffect, Effect, EmbedEffect } from './effects.ts';
import type { TableName } from './schema/tables.ts';

export type Values = Record<string, unknown>;

/** A column that counts 1, 2, 3 … in a row of its table, which nothing but `next` writes: an adapter may keep the number and
 * write it at the end of its commit. One object for each such column: adapters know it by identity. */
export interface Head {
  readonly table: TableName;
  readonly column: string;
  /** A column that is set to 1 when the number moves; another component resets it. */
  readonly raises?: string;
}

/** An upsert: inserts the row, or sets its columns `moves` when it exists. One object for each, as above. */
export interface Upsert {
  readonly table: TableName;
  readonly moves: readonly string[];
}

/** The creation time of an answered event, in epoch milliseconds. */
export interface Answered {
  readonly created_at: number;
}

/** `within` is the last argument for tables with a composite key (schema/keys.ts). */
export interface Rows {
  /** The whole row in this turn's view, in the shape of reads, or null. */
  row(table: TableName, id: string, within?: string): Values | null;
  /** The row's version (0 for a table without one), or null when it is not there. */
  version(table: TableName, id: string, within?: string): number | null;
  /** Inserts a row; false when a key is taken. `effect` is given when that is expected, or to attribute it. */
  insert(table: TableName, row: Values, effect: Effect | null): boolean;
  /** Sets columns and moves the version; false when the row (at that version, unless null) is not there. */
  update(table: TableName, id: string, set: Values, version: number | null, within?: string): boolean;
  /** Takes the row out; false when the row (at that version, unless null) is not there. */
  remove(table: TableName, id: string, version: number | null, within?: string): boolean;
  put(upsert: Upsert, row: Values): void;
  /** The next number of a head: 1 where its row is not there yet. Given back when the turn is. */
  next(head: Head, id: string): number;
  /** Adds to a counter and returns its new value; null, without adding, when that would pass its limit. */
  add(counter: CountEffect): number | null;
  /** Marks the agent's awaited events about the subject. */
  answer(effect: AnswerEffect): readonly Answered[];
  /** Writes a listing's vector, or takes it out. */
  embed(effect: EmbedEffect): void;
}
