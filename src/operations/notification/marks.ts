// What a person has read of an inbox, beside what its agent has. Marks of several devices merge in any order.
import { apply, type Effect, insert } from '../../../db/effects.ts';
import { addRange } from '../../domain/inbox.ts';
import type { Source } from './places.ts';

/** The effects that mark the seqs `from` to `to` of an inbox as read by its person; none where they are already. */
export function noticed(source: Source, from: number, to: number): Effect<never>[] {
  const marks = addRange(source.noticed, from, to);
  if (marks === source.noticed) return [];
  return [
    // The row may not be there, or be made meanwhile by the agent's own reading.
    insert('inbox_reads', { id: source.agent_id, ranges: '', noticed: marks, version: 1 }, 'ignore'),
    apply('inbox_reads', source.agent_id, (row) => ({ noticed: addRange(row.noticed, from, to) })),
  ];
}
