// What holds of a database beside its ledger (README, invariants 1 to 3), looked for on one snapshot of either engine.
import type { Problem } from './ledger-check/problems.ts';
import { figure, type Snapshot } from './ledger-check/snapshot.ts';

/** As many of each rule as are worth reading. */
const SHOWN_MAX = 20;

interface Numbered {
  readonly rows: string;
  readonly of: string;
  readonly n: string;
  readonly heads: string;
  readonly head: string;
  readonly what: string;
}

const NUMBERED: readonly Numbered[] = [
  { rows: 'events', of: 'agent_id', n: 'seq', heads: 'inboxes', head: 'last_seq', what: 'inbox' },
  { rows: 'messages', of: 'conversation_id', n: 'n', heads: 'conversations', head: 'last_n', what: 'conversation' },
  { rows: 'task_updates', of: 'task_id', n: 'n', heads: 'tasks', head: 'last_n', what: 'task' },
];

/** Rows that belong to one that is not there. */
const OWNED = [
  ['agents', 'account_id', 'accounts'],
  ['api_keys', 'account_id', 'accounts'],
  ['listings', 'agent_id', 'agents'],
] as const;

/** Those whose rows have a gap between the first and the last that are kept, or whose head is another number. */
function gapsOf({ rows, of, n, heads, head }: Numbered): string {
  return `
    SELECT r.${of} AS id, count(*) AS n, min(r.${n}) AS first, max(r.${n}) AS last, h.${head} AS head
    FROM ${rows} r LEFT JOIN ${heads} h ON h.id = r.${of} GROUP BY r.${of}, h.${head}
    HAVING count(*) <> max(r.${n}) - min(r.${n}) + 1 OR h.${head} IS NULL OR h.${head} <> max(r.${n})
    LIMIT ${SHOWN_MAX}`;
}

/** All that is wrong, some of each rule. */
export async function checkInvariants(snapshot: Snapshot): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const rule of NUMBERED) {
    for (const { id, n, first, last, head } of await snapshot.rows(gapsOf(rule))) {
      const whole = figure(n) === figure(last) - figure(first) + 1;
      const problem = whole
        ? `its last number is ${figure(last)}, and its head says ${head === null ? 'nothing' : figure(head)}`
        : `${figure(n)} of ${rule.rows} are there between the numbers ${figure(first)} and ${figure(last)}`;
      problems.push({ about: `${rule.what} ${String(id)}`, problem });
    }
  }
  for (const [table, column, owners] of OWNED) {
    const sql = `SELECT id FROM ${table} WHERE NOT EXISTS
      (SELECT 1 FROM ${owners} WHERE ${owners}.id = ${table}.${column}) LIMIT ${SHOWN_MAX}`;
    for (const { id } of await snapshot.rows(sql))
      problems.push({ about: `${table} ${String(id)}`, problem: `its row of ${owners} is missing` });
  }
  return problems;
}
