// Repairs a head below its last row by raising it. It is never lowered, because a number that was once given out must not be used
// again.
import type { RowProblem } from './check.ts';

/** By the table of the heads. */
const UP: Readonly<Record<string, { readonly head: string; readonly last: string }>> = {
  inboxes: { head: 'last_seq', last: 'SELECT max(seq) FROM events WHERE agent_id = inboxes.id' },
  conversations: { head: 'last_n', last: 'SELECT max(n) FROM messages WHERE conversation_id = conversations.id' },
  tasks: { head: 'last_n', last: 'SELECT max(n) FROM task_updates WHERE task_id = tasks.id' },
};

/** The statements, each with what it mends; they take the id of a row as their parameter, which is written as `parameter`. */
export function headsUp(
  problems: readonly RowProblem[],
  parameter: string,
): { readonly sql: string; readonly id: string; readonly about: string }[] {
  return problems.flatMap(({ about }) => {
    const [table = '', id = ''] = about.split(' ');
    const up = UP[table];
    if (!up) return [];
    const { head, last } = up;
    const sql = `UPDATE ${table} SET ${head} = (${last}) WHERE id = ${parameter} AND ${head} < (${last})`;
    return [{ sql, id, about }];
  });
}

export const HEAD_MENDED = 'its head went up to its last row';
