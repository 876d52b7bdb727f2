// The listings of the demo: JSON lines, one listing each, from a file or the demo's own. An invalid line is reported by its
// number.

import { readFileSync } from 'node:fs';
import ownText from './listings.jsonl' with { type: 'text' };
import { DemoProblem } from './problem.ts';

/** One listing of the data, with the body that POST /api/agents/{handle}/cards takes. */
export interface Sample {
  /** Unique in the data; the agent's handle is made of it. */
  readonly id: string;
  readonly card_type: string;
  readonly direction: string;
  readonly headline: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The data's own word for a price that is paid once; the others are those of the API. */
const ONCE = 'contract';

function textOf(row: Record<string, unknown>, name: string, line: number): string {
  const value = row[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new DemoProblem(2, `line ${line}: "${name}" must be a text; each line is one listing with id, card_type, …`);
}

function parseLine(text: string, line: number): Sample {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new DemoProblem(2, `line ${line} is not JSON; the file must hold one JSON object a line`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new DemoProblem(2, `line ${line} is not a JSON object; the file must hold one listing a line`);
  }
  const { id: _id, source: _source, price_period, ...row } = parsed as Record<string, unknown>;
  const known = Object.entries(row).filter(([, value]) => value !== null);
  const period = price_period === ONCE ? 'once' : price_period;
  return {
    id: textOf({ id: _id }, 'id', line),
    card_type: textOf(row, 'card_type', line),
    direction: textOf(row, 'direction', line),
    headline: textOf(row, 'headline', line),
    body: { ...Object.fromEntries(known), ...(period ? { price_period: period } : {}) },
  };
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why =
      error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'is not there' : 'cannot be read';
    throw new DemoProblem(2, `${path} ${why}; --data takes a file of JSON lines, one listing each`);
  }
}

/** The first `rows` listings of a file, or of the demo's own data when `path` is undefined. */
export function readSamples(path: string | undefined, rows: number): Sample[] {
  const lines = (path === undefined ? ownText : textAt(path)).split('\n');
  const samples: Sample[] = [];
  for (const [at, text] of lines.entries()) {
    if (samples.length === rows) break;
    if (text.trim() !== '') samples.push(parseLine(text, at + 1));
  }
  if (samples.length < 2) throw new DemoProblem(2, `${path ?? 'the data'} holds fewer than two listings`);
  return samples;
}
