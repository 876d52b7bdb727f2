// All queries of db/queries as statements, with arguments of the rows of hub-rows.ts.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Db, Query } from '../../db/query.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { HUB } from './hub-rows.ts';

const FOLDER = join(import.meta.dir, '../../db/queries');
export const LIMIT = 50;

export type AnyQuery = Query<Record<string, unknown>, unknown>;

const isQuery = (value: unknown): value is AnyQuery =>
  typeof value === 'object' && value !== null && 'build' in value && 'shape' in value;

/** All queries, by file and name; one of several in an object has a name of three parts. */
async function allQueries(): Promise<(readonly [name: string, query: AnyQuery])[]> {
  const found: (readonly [string, AnyQuery])[] = [];
  const take = (name: string, value: unknown): void => {
    if (isQuery(value)) found.push([name, value]);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [part, inner] of Object.entries(value)) if (isQuery(inner)) found.push([`${name}.${part}`, inner]);
    }
  };
  for (const file of readdirSync(FOLDER).sort()) {
    const exported: Record<string, unknown> = await import(join(FOLDER, file));
    for (const [name, value] of Object.entries(exported)) take(`${file.replace('.ts', '')}.${name}`, value);
  }
  return found;
}

export const QUERIES = await allQueries();

export interface Written {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** The statement of a query, on the engine whose drizzle and tables are given. */
export function written(query: AnyQuery, db: unknown, tables: unknown): Written {
  const built: unknown = query.build(db as Db, tables as Tables);
  return (built as { toSQL(): Written }).toSQL();
}

/** What stands for an argument, by its name: pages begin at their end, and times lie around all rows. */
export function argumentOf(param: unknown, isNumber: boolean): unknown {
  if (typeof param !== 'object' || param === null || !('name' in param)) return param;
  const name = String(param.name);
  if (/limit|offset|looked|skip/.test(name)) return LIMIT;
  const isUpper = /^(before|until|to|now|through|closes|max)|_until|_before/.test(name);
  if (isNumber) return isUpper ? Number.MAX_SAFE_INTEGER : 0;
  if (/^(after|from)/.test(name)) return '';
  return isUpper ? 'g' : HUB;
}
