// Checks the rows on one snapshot, and reads what the service wrote down of itself.
import type { Problem } from '../ledger-check/problems.ts';
import { figure, type Snapshot, type Stored } from '../ledger-check/snapshot.ts';
import { ROW_RULES, type RowRule, type RowSubject } from './rules.ts';

/** The most reported problems of a subject; the first ones lead to the rest. */
const PROBLEMS_MAX = 20;
const PROGRAMS_MAX = 20;

export interface RowProblem extends Problem {
  readonly subject: RowSubject;
}

/** A program that asked for access, and its last step. */
export interface ProgramStep {
  readonly id: string;
  readonly name: string;
  readonly step: 'registered' | 'let in' | 'code traded' | 'token used' | 'ended';
  readonly at_ms: number;
}

export interface RowsChecked {
  readonly problems: readonly RowProblem[];
  /** The values of service_notes by their ids. */
  readonly notes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The newest first. */
  readonly programs: readonly ProgramStep[];
  readonly listings: { readonly vectors: number };
}

const PROGRAMS = `
  SELECT c.id AS id, c.name AS name, c.created_at AS created_at, max(g.created_at) AS let_in_at,
    max(g.redeemed_at) AS traded_at, max(g.used_at) AS used_at, count(g.id) AS grants, count(g.ended_at) AS ended,
    max(g.ended_at) AS ended_at
  FROM oauth_clients c LEFT JOIN oauth_grants g ON g.client_id = c.id
  GROUP BY c.id, c.name, c.created_at ORDER BY c.created_at DESC LIMIT ${PROGRAMS_MAX}`;

function programOf(row: Stored): ProgramStep {
  const known = { id: String(row['id']), name: String(row['name']) };
  const { grants, ended, ended_at, used_at, traded_at, let_in_at, created_at } = row as Record<string, unknown>;
  const at = (step: ProgramStep['step'], time: unknown): ProgramStep => ({ ...known, step, at_ms: figure(time) });
  if (figure(grants) > 0 && figure(ended) === figure(grants)) return at('ended', ended_at);
  if (figure(used_at) > 0) return at('token used', used_at);
  if (figure(traded_at) > 0) return at('code traded', traded_at);
  return figure(let_in_at) > 0 ? at('let in', let_in_at) : at('registered', created_at);
}

function noteOf(value: unknown): Readonly<Record<string, unknown>> {
  // The service's own JSON, which one driver gives as text.
  return typeof value === 'string' ? JSON.parse(value) : (value as Record<string, unknown>);
}

/** `rules` are the engine's own, besides the common ones. */
export async function checkRows(
  snapshot: Snapshot,
  now_ms: number,
  rules: readonly RowRule[] = [],
): Promise<RowsChecked> {
  const problems: RowProblem[] = [];
  for (const rule of [...ROW_RULES, ...rules]) {
    const room = PROBLEMS_MAX - problems.filter(({ subject }) => subject === rule.subject).length;
    if (room <= 0) continue;
    const broken = await snapshot.rows(`SELECT * FROM (${rule.sql(now_ms)}) AS broken LIMIT ${room}`);
    for (const row of broken)
      problems.push({ subject: rule.subject, about: rule.about(row), problem: rule.problem(row) });
  }
  const notes = await snapshot.rows('SELECT id, value FROM service_notes');
  const [vectors] = await snapshot.rows('SELECT count(*) AS n FROM listing_vectors');
  return {
    problems,
    notes: Object.fromEntries(notes.map(({ id, value }) => [String(id), noteOf(value)])),
    programs: (await snapshot.rows(PROGRAMS)).map(programOf),
    listings: { vectors: figure(vectors?.['n']) },
  };
}
