// Positions in a thread as clients name them: by the id of a message. A message's position is what its commit gave it. An id that
// names none of the thread (of another thread, say, which a client keeps as one mark for all) stands where it would by its
// time, as ids did before threads had positions.
import { messageAt, messageOf, type Thread } from '../../../db/queries/conversation.ts';
import type { Read } from '../../../db/store.ts';

/** No message's id: before the first one of a thread, and behind its last. */
export const OLDEST = '';
export const NEWEST = '';

/** The position of the first message whose id is above one that is none of the thread; one behind the last where there is
 * none. Ids and positions rise together but for neighbours, so it is found by halving: a few reads, however long the thread. */
async function firstAbove(
  read: Read,
  { id: conversation_id, last_n }: Thread['conversation'],
  id: string,
): Promise<number> {
  let low = 1;
  let high = last_n + 1;
  while (low < high) {
    const n = Math.floor((low + high) / 2);
    const message = await read.peek(messageAt, { conversation_id, n });
    if (message !== null && message.id < id) low = n + 1;
    else high = n;
  }
  return low;
}

async function isOfThread(read: Read, { conversation }: Thread, id: string): Promise<boolean> {
  return (await read.peek(messageOf, { conversation_id: conversation.id, id })) !== null;
}

async function idAt(read: Read, { conversation }: Thread, n: number): Promise<string | null> {
  return (await read.peek(messageAt, { conversation_id: conversation.id, n }))?.id ?? null;
}

/** The message after which a reader goes on who has all up to `id`; OLDEST where it has none. */
export async function messageBefore(read: Read, thread: Thread, id: string): Promise<string> {
  if (await isOfThread(read, thread, id)) return id;
  const n = await firstAbove(read, thread.conversation, id);
  return (await idAt(read, thread, n - 1)) ?? OLDEST;
}

/** The message before which a reader goes on who has all down to `id`; NEWEST where it has none. */
export async function messageFrom(read: Read, thread: Thread, id: string): Promise<string> {
  if (await isOfThread(read, thread, id)) return id;
  const n = await firstAbove(read, thread.conversation, id);
  return (await idAt(read, thread, n)) ?? NEWEST;
}
