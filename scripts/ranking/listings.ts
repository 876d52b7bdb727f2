// Reads the real listings that lie beside the checkout, one JSON object a line; its README says what they are and whose.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Row {
  readonly id: string;
  readonly source: string;
  readonly card_type: string;
  readonly headline: string;
  readonly description: string;
  readonly labels: readonly string[];
  /** The place as the source gives it. */
  readonly geo: string | null;
}

const FILE = join(import.meta.dir, '../../../shared/data/listings.jsonl');

/** The rows in file order; null where the data is not there. */
export function readListings(file: string = FILE): Row[] | null {
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}

/** A named part of a job posting's description, as in "Category: Health. Agency: …"; empty when it has none. */
export function part(row: Pick<Row, 'description'>, name: string): string {
  return new RegExp(`${name}: (.*?)\\.(?: [A-Z][a-z ]+:|$)`).exec(row.description)?.[1] ?? '';
}

/** The description without a named part. */
export function withoutPart(row: Row, name: string): string {
  return row.description
    .replace(`${name}: ${part(row, name)}.`, '')
    .replaceAll('  ', ' ')
    .trim();
}
