// Rules for rows outside the ledger: numbers without gaps up to their heads, and an owner for each row. Each rule is a SELECT of its
// violations, in SQL for both engines.
import { figure, type Stored } from '../ledger-check/snapshot.ts';
import { OWNED_TABLES } from '../schema/owners.ts';

/** The subject of a rule. */
export type RowSubject = 'inboxes' | 'threads' | 'tasks' | 'owners' | 'index';

export interface RowRule {
  readonly subject: RowSubject;
  sql(now_ms: number): string;
  about(row: Stored): string;
  problem(row: Stored): string;
}

interface Numbered {
  readonly subject: RowSubject;
  /** The table of the heads, its column, and the checked rows. */
  readonly heads: string;
  readonly head: string;
  readonly where?: (now_ms: number) => string;
  /** The table of the numbered rows, and its columns: within what they are numbered, and their number. */
  readonly rows: string;
  readonly of: string;
  readonly n: string;
}

/** Rows are numbered without a gap up to their head; where old ones were pruned, they begin later than with 1. */
function numbered({ subject, heads, head, where, rows, of, n }: Numbered): RowRule {
  return {
    subject,
    // Added up instead of joined: SQLite goes through all groups for each head of a full join.
    sql: (now_ms) => `
      SELECT id, max(head) AS head, coalesce(max(many), 0) AS many, coalesce(max(lowest), 0) AS lowest,
        coalesce(max(highest), 0) AS highest
      FROM (
        SELECT h.id AS id, h.${head} AS head, CASE WHEN ${where?.(now_ms) ?? 'true'} THEN 0 ELSE 1 END AS is_over,
          NULL AS many, NULL AS lowest, NULL AS highest
        FROM ${heads} h
        UNION ALL
        SELECT ${of}, NULL, NULL, count(*), min(${n}), max(${n}) FROM ${rows} GROUP BY ${of}
      ) AS numbered GROUP BY id
      HAVING coalesce(max(is_over), 0) = 0 AND (max(head) IS NULL OR coalesce(max(highest), 0) <> max(head)
        OR max(many) <> max(highest) - max(lowest) + 1)`,
    about: (row) => `${heads} ${String(row['id'])}`,
    problem: (row) => {
      const head_said = row['head'] === null ? 'missing' : figure(row['head']);
      return `its head is ${head_said}, and there are ${figure(row['many'])} ${rows} with the numbers ${figure(row['lowest'])} to ${figure(row['highest'])}`;
    },
  };
}

/** The updates of a task that is over go before it does. */
const LIVE_TASK = (now_ms: number): string => `(h.expires_at IS NULL OR h.expires_at > ${now_ms})`;

const NUMBERED: readonly RowRule[] = [
  numbered({ subject: 'inboxes', heads: 'inboxes', head: 'last_seq', rows: 'events', of: 'agent_id', n: 'seq' }),
  numbered({
    subject: 'threads',
    heads: 'conversations',
    head: 'last_n',
    rows: 'messages',
    of: 'conversation_id',
    n: 'n',
  }),
  numbered({
    ...{ subject: 'tasks', heads: 'tasks', head: 'last_n', where: LIVE_TASK },
    ...{ rows: 'task_updates', of: 'task_id', n: 'n' },
  }),
];

const TASK_STATES: RowRule = {
  subject: 'tasks',
  sql: (now_ms) => `
    SELECT h.id AS id, h.state AS state, u.state AS said FROM tasks h JOIN task_updates u ON u.task_id = h.id AND u.n = h.last_n
    WHERE u.state <> h.state AND ${LIVE_TASK(now_ms)}`,
  about: (row) => `tasks ${String(row['id'])}`,
  problem: (row) => `it is ${String(row['state'])}, and its last update says ${String(row['said'])}`,
};

/** The actor of administrative acts by the platform's token, which is no account. */
const PLATFORM = 'platform';

/** The owners are gathered first: Citus joins no table in shards with one of the coordinator. */
const unowned = (table: string, of: string, column: string): string => `
  WITH named AS MATERIALIZED (SELECT ${column} AS owner, count(*) AS n FROM ${table} GROUP BY ${column})
  SELECT '${table}' AS table_name, sum(n) AS n, min(owner) AS owner FROM named
  WHERE owner <> '${PLATFORM}' AND NOT EXISTS (SELECT 1 FROM ${of} o WHERE o.id = named.owner)
  HAVING count(*) > 0`;

/** One rule for each column that names an owner. */
const OWNERS: readonly RowRule[] = OWNED_TABLES.flatMap(([table, { of, by, outlives }]) =>
  by
    .filter((column) => !outlives && !(table === of && column === 'id'))
    .map(
      (column): RowRule => ({
        subject: 'owners',
        sql: () => unowned(table, of, column),
        about: (row) => String(row['table_name']),
        problem: (row) =>
          `${figure(row['n'])} rows name by ${column} one of ${of} that is not there, such as ${String(row['owner'])}`,
      }),
    ),
);

export const ROW_RULES: readonly RowRule[] = [...NUMBERED, TASK_STATES, ...OWNERS];
