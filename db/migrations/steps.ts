// The steps of a migration on PostgreSQL. Each can be repeated after a crash: tables change in a transaction with the note of the
// step, an index of an existing table is built concurrently with writes, and columns are filled a slice at a
// time.

import { PARTED, PARTS } from '../schema/keys.ts';

export interface Migration {
  readonly name: string;
  /** The oldest compatible release; none when unset. */
  readonly oldest?: string;
  readonly statements: readonly string[];
}

/** Begins a statement that changes some rows of those that it should, and is done again until it changes none. */
const SLICED = /^--\s*in slices\b/;
const TABLE = /^CREATE TABLE "?(\w+)"?/;
const INDEX = /^CREATE (UNIQUE )?INDEX "?(\w+)"? ON "?(\w+)"? /;

/** One after the other. */
export type Step =
  | { readonly do: 'together'; readonly statements: readonly string[] }
  | { readonly do: 'index'; readonly name: string; readonly statement: string }
  | { readonly do: 'slices'; readonly statement: string };

/** Whether a statement is written to be done again until it changes nothing. */
export function isSliced(statement: string): boolean {
  return SLICED.test(statement);
}

/** The steps of a migration, in the order of its statements. */
export function stepsOf({ statements }: Migration): Step[] {
  const steps: Step[] = [];
  const made = new Set<string>();
  let together: string[] = [];
  const alone = (step: Step): void => {
    if (together.length > 0) steps.push({ do: 'together', statements: together });
    together = [];
    steps.push(step);
  };
  for (const statement of statements) {
    const [, unique = '', name, table] = INDEX.exec(statement) ?? [];
    const created = TABLE.exec(statement)?.[1];
    if (created !== undefined) made.add(created);
    if (isSliced(statement)) alone({ do: 'slices', statement });
    else if (name !== undefined && table !== undefined && !made.has(table)) {
      // Each part of a partitioned table gets its own index; the original statement then only attaches them.
      const places = table in PARTED ? Array.from({ length: PARTS }, (_, part) => `_${part}`) : [''];
      for (const place of places) {
        const begun = `CREATE ${unique}INDEX CONCURRENTLY "${name}${place}" ON "${table}${place}" `;
        alone({ do: 'index', name: `${name}${place}`, statement: statement.replace(INDEX, begun) });
      }
      if (table in PARTED) together.push(statement);
    } else together.push(statement);
  }
  if (together.length > 0) steps.push({ do: 'together', statements: together });
  return steps;
}
