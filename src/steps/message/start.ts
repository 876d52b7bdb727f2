// Writes to an agent by its handle: in the thread that the two have, else in a new one, which strangers may open only so
// often a day (rules.md 4). Doors that know a handle and no thread come in here: the tool and a task.
import { count, type Effect, insert } from '../../../db/effects.ts';
import { liveThreadBetween } from '../../../db/queries/block.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Outcome, Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { isPlatform } from '../../domain/agent/platform.ts';
import { acceptsMessages, subject } from '../../domain/conversation/conversation.ts';
import {
  firstContactFault,
  firstContactKey,
  firstContactLimit,
  firstContactReset,
} from '../../domain/conversation/first-contact.ts';
import { type Code, type Fault, fault, isFault } from '../../domain/fault.ts';
import type { Unplaced } from '../../schemas/message.ts';
import { agentByHandle, isSeen } from '../agent/find.ts';
import { type Blocking, openConversation, readBlocking } from '../conversation.ts';
import { messageEvent, messageRow, type PostedAs, post } from './post.ts';
import { type PostThread, threadToPost } from './thread.ts';

/** The other side can start one so often in a row at the same moment before something is wrong. */
const TRIES_MAX = 20;

/** What whoever starts a conversation may be refused with, beside what is wrong with the text. */
export type StartRefusal =
  | 'not_found'
  | 'invalid_request'
  | 'blocked'
  | 'conversation_closed'
  | 'first_contact_limit'
  | 'plan_limit'
  | 'conflict';

/** The counter of the threads that two agents started with each other: of two who start one at once, one sees the other's. */
export function startsKey(a: string, b: string): string {
  return `threads:${[a, b].sort().join(':')}`;
}

/** Whom somebody writes to, as it was read. */
export interface Reached {
  readonly other: Row<'agents'>;
  /** The newest thread of the two, one that takes words before any other. */
  readonly thread: PostThread;
  readonly blocks: Blocking;
  readonly starts: number;
}

async function threadOf(read: Read, me: string, other: string): Promise<PostThread> {
  const newest = await read.peek(liveThreadBetween, { a: me, b: other });
  return newest && threadToPost(read, newest.id, me);
}

/** Reads what writing to an agent takes; null where nobody is called so. */
export async function readReached(read: Read, me: string, handle: string, now_ms: number): Promise<Reached | null> {
  const other = await agentByHandle(read, handle, now_ms);
  if (!other) return null;
  // The count first: whoever starts a thread after it was read makes this turn's own count fail, and a thread that was
  // started before is seen. The other way round a thread that comes between the two reads would be missed, and counted.
  const starts = await read.peek(counterById, { id: startsKey(me, other.id) });
  const [thread, blocks] = await Promise.all([threadOf(read, me, other.id), readBlocking(read, me, other.id)]);
  return { other, thread, blocks, starts: starts?.n ?? 0 };
}

/** A message on its way to an agent. */
export interface Written<C extends Code = never> {
  readonly row: Unplaced;
  readonly started: boolean;
  readonly effects: readonly Effect<StartRefusal | C>[];
}

type Wrong = Fault<'not_found' | 'invalid_request' | 'blocked'>;

function beginThread<C extends Code>(
  ctx: Ctx,
  { other, thread, blocks, starts }: Reached,
  content: string,
  { task_id, begins }: PostedAs<C>,
): Written<C> | Wrong {
  const me = actor(ctx);
  // Who talked to it before knows that it exists, but may not seek it out where it no longer shows itself.
  if (!isSeen(other, 'contact')) return fault('not_found');
  if (blocks.other) return fault('blocked');
  const message_id = ctx.id();
  const { conversation_id, effects } = openConversation(ctx, {
    opener: me,
    other,
    match_id: null,
    subject: subject(null, content),
    blocks,
    message_id,
    begins_task: begins !== undefined,
    // The service's own agent is there to be asked.
    metered: !isPlatform(other.id),
  });
  const row = { ...messageRow(ctx, conversation_id, me, content), id: message_id };
  const limit = firstContactLimit(me.provisional === 1);
  const stranger = count(
    firstContactKey(me.id, ctx.now_ms),
    limit,
    firstContactFault(limit, ctx.now_ms),
    firstContactReset(ctx.now_ms),
  );
  return {
    row,
    started: true,
    effects: [
      count(startsKey(me.id, other.id), starts + 1, fault('conflict')),
      ...(thread || isPlatform(other.id) ? [] : [stranger]),
      ...effects,
      insert('messages', { ...row, n: 1 }),
      ...(isPlatform(other.id) ? [] : [messageEvent(ctx, row, other, task_id)]),
    ],
  };
}

/** The message of the acting agent to another: in their thread while that takes words, else in a new one. */
export function writeTo<C extends Code = never>(
  ctx: Ctx,
  reached: Reached,
  content: string,
  as: PostedAs<C> = {},
): Written<C> | Wrong {
  const { thread } = reached;
  if (!thread || !acceptsMessages(thread, ctx.now_ms)) return beginThread(ctx, reached, content, as);
  const posted = post(ctx, actor(ctx), thread, content, as);
  return isFault(posted) ? posted : { ...posted, started: false };
}

/** Repeats an attempt that lost to the other side's start at the same moment. */
export async function untilAlone<O>(attempt: () => Promise<Outcome<O>>): Promise<Outcome<O>> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if (!isFault(outcome) || outcome.fault !== 'conflict' || tries === TRIES_MAX) return outcome;
  }
}
