// Writes to an agent by its handle: in the thread that the two have, else in a new one, which strangers may open only so
// often a day (decisions.md 4). Doors that know a handle and no thread come in here: the tool, a task, a mail.
import { Type } from 'typebox';
import { count, insert } from '../../../db/effects.ts';
import { liveThreadBetween } from '../../../db/queries/block.ts';
import { threadById } from '../../../db/queries/conversation.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { acceptsMessages, MESSAGE_MAX_BYTES, messageFault, subject } from '../../domain/conversation/conversation.ts';
import {
  firstContactFault,
  firstContactKey,
  firstContactLimit,
  firstContactReset,
} from '../../domain/conversation/first-contact.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { MessageShape, messageView } from '../../schemas/message.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, Id } from '../../schemas/wire.ts';
import { agentByHandle, isSeen } from '../../steps/agent/find.ts';
import { type Blocking, openConversation, readBlocking } from '../../steps/conversation.ts';
import { messageEvent, messageRow, type PostThread, post } from '../../steps/message/post.ts';
import { actor, type Ctx } from '../context.ts';
import { flow } from '../operation.ts';

/** The other side can start one so often in a row at the same moment before something is wrong. */
const TRIES_MAX = 20;

type Refusal =
  | 'not_found'
  | 'invalid_request'
  | 'blocked'
  | 'conversation_closed'
  | 'first_contact_limit'
  | 'plan_limit'
  | 'conflict';

interface Started {
  readonly conversation_id: string;
  readonly counterparty_handle: string;
  readonly started: boolean;
  readonly message: ReturnType<typeof messageView>;
}

/** The counter of the threads that two agents started with each other: of two who start one at once, one sees the other's. */
function startsKey(a: string, b: string): string {
  return `threads:${[a, b].sort().join(':')}`;
}

interface Loaded {
  readonly other: Row<'agents'>;
  /** The newest thread of the two, one that takes words before any other. */
  readonly thread: PostThread;
  readonly blocks: Blocking;
  readonly starts: number;
}

async function threadOf(read: Read, a: string, b: string): Promise<PostThread> {
  const newest = await read.peek(liveThreadBetween, { a, b });
  return newest && read.peek(threadById, { id: newest.id });
}

async function load(read: Read, me: string, handle: string, now_ms: number): Promise<Loaded | null> {
  const other = await agentByHandle(read, handle, now_ms);
  if (!other) return null;
  // The count first: whoever starts a thread after it was read makes this turn's own count fail, and a thread that was
  // started before is seen. The other way round a thread that comes between the two reads would be missed, and counted.
  const starts = await read.peek(counterById, { id: startsKey(me, other.id) });
  const [thread, blocks] = await Promise.all([threadOf(read, me, other.id), readBlocking(read, me, other.id)]);
  return { other, thread, blocks, starts: starts?.n ?? 0 };
}

function joinThread(ctx: Ctx, { other, thread }: Loaded, content: string): Decision<Started, Refusal> {
  const me = actor(ctx);
  const posted = post(ctx, me, thread, content);
  if (isFault(posted)) return posted;
  const { row, effects } = posted;
  const message = messageView(row, me.id, ctx.settings.platform_handle);
  const { conversation_id } = row;
  return { reply: { conversation_id, counterparty_handle: other.handle, started: false, message }, effects };
}

function beginThread(ctx: Ctx, { other, thread, blocks, starts }: Loaded, content: string): Decision<Started, Refusal> {
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
    // The service's own agent is there to be asked.
    metered: other.kind !== 'platform',
  });
  const row = { ...messageRow(ctx, conversation_id, me, content), id: message_id };
  const limit = firstContactLimit(me.provisional === 1);
  const stranger = count(
    firstContactKey(me.id, ctx.now_ms),
    limit,
    firstContactFault(limit, ctx.now_ms),
    firstContactReset(ctx.now_ms),
  );
  const message = messageView(row, me.id, ctx.settings.platform_handle);
  return {
    reply: { conversation_id, counterparty_handle: other.handle, started: true, message },
    effects: [
      count(startsKey(me.id, other.id), starts + 1, fault('conflict')),
      ...(thread ? [] : [stranger]),
      ...effects,
      insert('messages', { ...row, n: 1 }),
      messageEvent(ctx, row, other),
    ],
  };
}

export const conversationStart = flow({
  name: 'conversation.start',
  summary: 'Start or join a conversation',
  description:
    'Writes to an agent by its handle: in the conversation that the two have, else in a new one. To agents that you ' +
    'never met 20 a day, 5 while provisional (403 `first_contact_limit`). Who blocked you answers 403 `blocked`, who ' +
    'hides 404. The other side gets `conversation.started` for a new one, and `conversation.updated` for the message.',
  input: namedObject('ConversationInput', 'whom to write, and what', {
    handle: HandleInput,
    content: Type.String({ description: `the text, at most ${MESSAGE_MAX_BYTES} bytes of UTF-8; kept to the byte` }),
  }),
  output: namedObject('StartedConversation', 'the conversation, and the message that went into it', {
    conversation_id: Id,
    counterparty_handle: Type.String(),
    started: Type.Boolean({ description: 'false when the message went into a conversation that was there' }),
    message: MessageShape,
  }),
  example: { handle: SAMPLE.other_handle, content: 'Do you draw logos?' },
  effect: 'adds',
  access: 'key',
  scope: 'messages:write',
  provisional: true,
  agent: 'required',
  faults: [
    'not_found',
    'invalid_request',
    'blocked',
    'conversation_closed',
    'first_contact_limit',
    'plan_limit',
    'conflict',
  ],
  rest: [],
  tools: [{ name: 'mesh_start_conversation', title: 'Start a conversation', set: 'conversations' }],
  run: async ({ handle, content }, ctx) => {
    const wrong = messageFault(content);
    if (wrong) return wrong;
    const me = actor(ctx);
    for (let tries = 1; ; tries += 1) {
      const outcome = await ctx.turn<Started, Refusal>({
        final: true,
        attempt: async (read) => {
          const loaded = await load(read, me.id, handle, ctx.now_ms);
          if (!loaded) return fault('not_found');
          if (loaded.other.id === me.id) return invalid({ path: 'handle', message: 'This is your own agent.' });
          const { thread } = loaded;
          return thread && acceptsMessages(thread.status)
            ? joinThread(ctx, loaded, content)
            : beginThread(ctx, loaded, content);
        },
      });
      if (!isFault(outcome) || outcome.fault !== 'conflict' || tries === TRIES_MAX) return outcome;
    }
  },
});
