// What is read of a conversation before a message is written to it: its sides, whether it is open, which tasks of the other side the
// message would answer, and blocks; and the position of a message that a client names.
import { blockById, liveThreadBetween } from '../../../db/queries/block.ts';
import { messageAt, messageOf, type Thread, threadById } from '../../../db/queries/conversation.ts';
import { matchById } from '../../../db/queries/match.ts';
import { turnsAmong } from '../../../db/queries/negotiation.ts';
import { openTasksFor } from '../../../db/queries/task.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Outcome, Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { isPlatform } from '../../domain/agent/platform.ts';
import { blockId } from '../../domain/conversation/conversation.ts';
import { isFault } from '../../domain/fault.ts';
import { OPEN_PER_CONVERSATION } from '../../domain/task/task.ts';
import { agentByHandle } from '../agent/find.ts';
import { type Blocking, type PostThread, type Reached, startsKey, type ThreadRow } from './post.ts';

const NO_TASKS: readonly never[] = [];

/** Reads a conversation in which `writer_id` is about to write. Peeked: the sides never change, and the status is checked again
 * under the row's lock. A task that is sent at the same time was not seen, and is not answered. */
export async function threadToPost(read: Read, id: string, writer_id: string): Promise<PostThread> {
  const thread = await read.peek(threadById, { id });
  return thread && (await withAnswers(read, thread, writer_id));
}

/** The same for a thread that was read before. */
export async function withAnswers(read: Read, thread: ThreadRow, writer_id: string): Promise<NonNullable<PostThread>> {
  const { id, match_id, approved_by } = thread;
  const said = match_id === null || approved_by === null || approved_by.includes(writer_id);
  const unapproved = said ? null : ((await read(matchById, { match_id })) ?? null);
  const open = thread.opener_id === writer_id ? thread.other_tasks : thread.opener_tasks;
  if (open === 0) return { ...thread, answers: NO_TASKS, unapproved };
  const asked = { conversation_id: id, target_id: writer_id, limit: OPEN_PER_CONVERSATION };
  return { ...thread, answers: await read(openTasksFor, asked), unapproved };
}

/** Reads whether `opener_id` blocks `other_id`, and the reverse. A block that ends meanwhile is read again; the gate stops one
 * that comes meanwhile. */
export async function readBlocking(read: Read, opener_id: string, other_id: string): Promise<Blocking> {
  const [own, theirs] = await Promise.all([
    read(blockById, { id: blockId(opener_id, other_id) }),
    read(blockById, { id: blockId(other_id, opener_id) }),
  ]);
  return { opener: own !== null, other: theirs !== null };
}

/** Repeated lost races against the other side, above which something is wrong. */
const TRIES_MAX = 20;

async function threadOf(read: Read, me: string, other: string): Promise<PostThread> {
  const newest = await read.peek(liveThreadBetween, { a: me, b: other });
  return newest && threadToPost(read, newest.id, me);
}

/** Reads what writing to an agent needs; null when no agent has the handle. */
export async function readReached(read: Read, me: string, handle: string, now_ms: number): Promise<Reached | null> {
  const other = await agentByHandle(read, handle, now_ms);
  if (!other) return null;
  // The count is read first: a thread that starts after it makes this turn's own count fail, and a thread that started before
  // is seen. In the other order a thread between the two reads would be missed but counted.
  const starts = await read.peek(counterById, { id: startsKey(me, other.id) });
  const [thread, blocks] = await Promise.all([threadOf(read, me, other.id), readBlocking(read, me, other.id)]);
  return { other, thread, blocks, starts: starts?.n ?? 0 };
}

/** Repeats an attempt that lost a race against the other side's start. */
export async function untilAlone<O>(attempt: () => Promise<Outcome<O>>): Promise<Outcome<O>> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if (!isFault(outcome) || outcome.fault !== 'conflict' || tries === TRIES_MAX) return outcome;
  }
}

/** No message's id: the place before the first message of a thread, and after its last. */
export const OLDEST = '';

export const NEWEST = '';

/** The position of the first message whose id is above a foreign id; one after the last when there is none. Ids and positions
 * rise together except for neighbours, so it is found by binary search: a few reads for any length. */
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
    // The first of a thread may have been deleted for their age.
    if (message === null || message.id < id) low = n + 1;
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

/** The message after which a reader that has all up to `id` continues; OLDEST when it has none. */
export async function messageBefore(read: Read, thread: Thread, id: string): Promise<string> {
  if (await isOfThread(read, thread, id)) return id;
  const n = await firstAbove(read, thread.conversation, id);
  return (await idAt(read, thread, n - 1)) ?? OLDEST;
}

/** The message before which a reader that has all down to `id` continues; NEWEST when it has none. */
export async function messageFrom(read: Read, thread: Thread, id: string): Promise<string> {
  if (await isOfThread(read, thread, id)) return id;
  const n = await firstAbove(read, thread.conversation, id);
  return (await idAt(read, thread, n)) ?? NEWEST;
}

/** The ids of those of these messages that turns wrote for an agent; without a read where it wrote none. */
export async function writtenByTurns(
  read: Read,
  messages: readonly Row<'messages'>[],
  agent_id: string,
): Promise<ReadonlySet<string>> {
  const own = messages.filter(({ sender_id }) => sender_id === agent_id);
  const ids = own.map(({ id }) => id).toSorted();
  const [from, to, conversation_id] = [ids[0], ids.at(-1), own[0]?.conversation_id];
  if (from === undefined || to === undefined || conversation_id === undefined) return new Set();
  const turns = await read.peek(turnsAmong, { conversation_id, agent_id, from, to, limit: own.length });
  return new Set(turns.map(({ id }) => id));
}

/** The answer of the platform's agent when it is the recipient; null for all others, without a read. */
export async function readAnswer(
  read: Read,
  ctx: Ctx,
  { answer }: Pick<LoadPorts, 'answer'>,
  asker: Row<'agents'>,
  to: { readonly id: string; readonly text: string },
): Promise<string | null> {
  return isPlatform(to.id) ? answer(read, ctx, asker, to.text) : null;
}

/** The same for a conversation that was read for writing. The asker opened it, as the platform's agent opens none. */
export async function readThreadAnswer(
  read: Read,
  ctx: Ctx,
  ports: Pick<LoadPorts, 'answer'>,
  asker: Row<'agents'>,
  thread: PostThread,
  text: string,
): Promise<string | null> {
  return thread?.opener_id === asker.id ? readAnswer(read, ctx, ports, asker, { id: thread.other_id, text }) : null;
}
