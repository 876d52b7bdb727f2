// A conversation as somebody who writes into it needs it: who the sides are, whether it takes words, and which tasks of the other
// side a word would answer. These are looked for only where the conversation counts any.
import { threadById } from '../../../db/queries/conversation.ts';
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
    })
  | null;

const NO_TASKS: readonly never[] = [];

/** Reads a conversation in which `writer_id` is about to write. Peeked: who the sides are never changes, and the status is
 * looked at again under the row's lock. A task that is sent at the same moment was not seen, and is not answered. */
export async function threadToPost(read: Read, id: string, writer_id: string): Promise<PostThread> {
  const thread = await read.peek(threadById, { id });
  if (!thread) return null;
  const open = thread.opener_id === writer_id ? thread.other_tasks : thread.opener_tasks;
  if (open === 0) return { ...thread, answers: NO_TASKS };
  const asked = { conversation_id: id, target_id: writer_id, limit: OPEN_PER_CONVERSATION };
  return { ...thread, answers: await read(openTasksFor, asked) };
}
