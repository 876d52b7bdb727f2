// The other agent of a block, a report or a first message: found by its handle when it may be met there, or when the two
// have something with each other already, so that whoever writes to me from hiding can still be stopped.
import { matchBetween, threadsBetween } from '../../../db/queries/block.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { agentByHandle, isSeen } from './find.ts';

/** The agent that a handle names, if `own_id` may know of it; null for itself, too: nobody is one's own counterparty. */
export async function counterparty(
  read: Read,
  own_id: string,
  handle: string,
  now_ms: number,
): Promise<Row<'agents'> | null> {
  const agent = await agentByHandle(read, handle, now_ms);
  if (!agent || agent.id === own_id) return null;
  if (isSeen(agent, 'profile')) return agent;
  const pair = { a: own_id, b: agent.id };
  const [threads, match] = await Promise.all([read.peek(threadsBetween, pair), read.peek(matchBetween, pair)]);
  return threads.length > 0 || match ? agent : null;
}
