// A conversation as somebody who writes into it needs it: who the sides are, whether it takes words, and which tasks of the other
// side a word would answer. These are looked for only where the conversation counts any.
import { threadById } from '../../../db/queries/conversation.ts';
import { matchById } from '../../../db/queries/match.ts';
import { openTasksFor } from '../../../db/queries/task.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { OPEN_PER_CONVERSATION } from '../../domain/task/task.ts';

type ThreadRow = NonNullable<ReturnType<typeof threadById.shape>>;

/** A conversation as its writer read it; null where there is none. */
export type PostThread =
  | (ThreadRow & {
      /** The open tasks that the other side sent: the message completes them. */
      readonly answers: readonly Row<'tasks'>[];
      /** The match that it came from, where its writer has not said yet that it is interested: writing says so. */
      readonly unapproved: Row<'matches'> | null;
    })
  | null;

const NO_TASKS: readonly never[] = [];

/** Reads a conversation in which `writer_id` is about to write. Peeked: who the sides are never changes, and the status is
 * looked at again under the row's lock. A task that is sent at the same moment was not seen, and is not answered. */
export async function threadToPost(read: Read, id: string, writer_id: string): Promise<PostThread> {
  const thread = await read.peek(threadById, { id });
  if (!thread) return null;
  const { match_id, approved_by } = thread;
  const said = match_id === null || approved_by === null || approved_by.includes(writer_id);
  const unapproved = said ? null : ((await read(matchById, { match_id })) ?? null);
  const open = thread.opener_id === writer_id ? thread.other_tasks : thread.opener_tasks;
  if (open === 0) return { ...thread, answers: NO_TASKS, unapproved };
  const asked = { conversation_id: id, target_id: writer_id, limit: OPEN_PER_CONVERSATION };
  return { ...thread, answers: await read(openTasksFor, asked), unapproved };
}
