// Reads the real listings that lie beside the checkout, one JSON object a line; its README says what they are and whose.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Row {
  readonly source: string;
  readonly headline: string;
  readonly description: string;
  readonly labels: readonly string[];
}

const FILE = join(import.meta.dir, '../../../shared/data/listings.jsonl');

/** The rows by source, in file order; null where the data is not there. */
export function readListings(): Map<string, Row[]> | null {
  if (!existsSync(FILE)) return null;
  const bySource = new Map<string, Row[]>();
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    if (line === '') continue;
    const row = JSON.parse(line) as Row;
    const rows = bySource.get(row.source);
    if (rows) rows.push(row);
    else bySource.set(row.source, [row]);
  }
  return bySource;
}

/** A named part of a job posting's description, as in "Category: Health. Agency: …"; empty when it has none. */
export function part(row: Row, name: string): string {
  return new RegExp(`${name}: (.*?)\\.(?: [A-Z][a-z ]+:|$)`).exec(row.description)?.[1] ?? '';
}
