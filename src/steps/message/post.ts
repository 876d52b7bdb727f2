// Writes messages. Every transport adds messages here, so that the row, the conversation's columns, the event for the other side
// and the end of the answered tasks are written in one place.
import {
  type ApplyEffect,
  append,
  apply,
  count,
  type Effect,
  type EventEffect,
  headOf,
  insert,
  patch,
} from '../../../db/effects.ts';
import type { Thread, threadById } from '../../../db/queries/conversation.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { isPlatform, PLATFORM_AGENT_ID } from '../../domain/agent/platform.ts';
import { isSeenOn } from '../../domain/agent/profile.ts';
import {
  acceptsMessages,
  blockGate,
  firstContactFault,
  firstContactKey,
  firstContactLimit,
  firstContactReset,
  messageFault,
  PHASES,
  preview,
  subject,
  writeFault,
} from '../../domain/conversation/conversation.ts';
import { type Note, noteText } from '../../domain/conversation/note.ts';
import { type Code, type Fault, fault, isFault } from '../../domain/fault.ts';
import { counterKey, nextMonthStart, PLANS, planLimit } from '../../domain/identity/plan.ts';
import { REPLY_WITHIN_MS } from '../../domain/inbox/inbox.ts';
import { decideMatch } from '../../domain/match/state.ts';
import type { Part } from '../../domain/task/part.ts';
import { countTasks, type TaskCounts } from '../../domain/task/task.ts';
import { eventWords } from '../../domain/words/events.ts';
import { seenAs } from '../../schemas/agent.ts';
import { type Unplaced, unreadOf } from '../../schemas/conversation.ts';
import { factsOf } from '../../schemas/match.ts';
import { type Recipient, tell } from '../event.ts';
import { type Pilot, wakePilot } from '../negotiation/autopilot.ts';
import { stepTask } from '../task/move.ts';

export interface Posted<C extends Code = never> {
  readonly row: Unplaced;
  readonly effects: readonly Effect<'blocked' | 'conversation_closed' | C>[];
}

/** The properties of a message besides its text. */
interface PostedAs<C extends Code = never> {
  /** The task that it is about; the event of the other side names it. */
  readonly task_id?: string;
  /** Set when it begins that task, which is counted; refuses it when there are too many. */
  readonly begins?: (now: TaskCounts, by_opener: boolean) => Fault<C> | null;
  /** Its parts, when it is more than its text. */
  readonly parts?: readonly Part[];
  readonly kind?: Row<'messages'>['kind'];
  /** What a system message says. */
  readonly note?: Note;
  /** False when it waits for no reply, such as the result of a task. */
  readonly asks?: boolean;
  /** False when it does not show its writer's interest, such as a refusal. */
  readonly interested?: false;
  /** A further check under the lock of the conversation's row. */
  readonly guard?: (now: Row<'conversations'>) => Fault<C> | 'again' | null;
  /** Further changes of the conversation, under the row's lock. */
  readonly changes?: (now: Row<'conversations'>) => Partial<Row<'conversations'>>;
}

/** A text of `me` for a thread, not stored yet; `messageFault` found nothing wrong with it. */
function messageRow(
  ctx: Ctx,
  conversation_id: string,
  me: Recipient,
  content: string,
  kind: Row<'messages'>['kind'] = 'text',
  note: Note | null = null,
): Unplaced {
  return {
    id: ctx.id(),
    conversation_id,
    sender_id: me.id,
    sender_handle: me.handle,
    kind,
    content,
    note,
    created_at: ctx.now_ms,
  };
}

/** The event by which the other side learns of a message. */
function messageEvent(ctx: Ctx, row: Unplaced, reader: Recipient, asks: boolean, task_id?: string): EventEffect {
  const data = {
    conversation_id: row.conversation_id,
    message_id: row.id,
    sender: row.sender_handle,
    preview: preview(row.content),
    ...(row.kind === 'system' && { kind: row.kind }),
    ...(row.note && { note: row.note }),
    counterparty_handle: row.sender_handle,
    ...(task_id !== undefined && { task_id }),
  };
  return tell(ctx, reader, 'conversation.updated', data, asks ? { respond_by: row.created_at + REPLY_WITHIN_MS } : {});
}

/** Writing in the conversation of a match counts as interest in it, and ends the question. */
function interestIn(ctx: Ctx, me: Recipient, match: Row<'matches'> | null): Effect<never>[] {
  const changes = match && decideMatch(factsOf(match), me.id, 'interested', ctx.now_ms);
  if (!match || !changes || isFault(changes)) return [];
  const answered = { action: 'interested', note: null, reason: null, at: ctx.now_ms };
  const feedback = { agent_id: me.id, action: 'interested', reason: null };
  return [
    patch('matches', match, { approved_by: changes.approved_by, feedback, updated_at: ctx.now_ms }),
    // The message itself records the response time, once.
    { do: 'answer', agent_id: me.id, subject_id: match.match_id, answered, timed: false },
  ];
}

/** Completes the tasks that a message answers: each gets it as an artifact and as the word at its end. */
function completeTasks(ctx: Ctx, row: Unplaced, answers: NonNullable<PostThread>['answers'], parts?: readonly Part[]) {
  const said = parts ?? [{ kind: 'text' as const, text: row.content }];
  const message = { message_id: row.id, role: 'agent' as const, sender: row.sender_handle, parts: said };
  return answers.flatMap((task) => {
    const artifacts = [{ artifact_id: ctx.id(), parts: said }];
    return stepTask(ctx, task, { state: 'completed', message, artifacts }).effects;
  });
}

/** A message to append to a conversation, under the lock of its row. */
interface Appended<C extends Code> {
  readonly row: Unplaced;
  /** Whether the side that opened the conversation wrote it. */
  readonly by_opener: boolean;
  readonly reader: Recipient;
  /** Whether it waits for the reader's reply. */
  readonly asks: boolean;
  readonly task_id?: string;
  readonly changes?: (now: Row<'conversations'>) => Partial<Row<'conversations'>>;
  readonly refuse?: (now: Row<'conversations'>) => Fault<C> | 'again' | null;
}

/** The message's row, what the conversation keeps of it, and the event for the reader. The agent of the platform reads no inbox. */
function appendMessage<C extends Code = never>(
  ctx: Ctx,
  { row, by_opener, reader, asks, task_id, changes, refuse }: Appended<C>,
): Effect<C>[] {
  const written = headOf(
    'last_n',
    apply<'conversations', C>(
      'conversations',
      row.conversation_id,
      (now) => ({
        last_message_id: row.id,
        updated_at: ctx.now_ms,
        waits_for: asks && now.opener_blocks + now.other_blocks === 0 ? reader.id : null,
        ...(by_opener ? { opener_sent: now.opener_sent + 1 } : { other_sent: now.other_sent + 1 }),
        ...changes?.(now),
      }),
      refuse,
    ),
  );
  const told = isPlatform(reader.id) ? [] : [messageEvent(ctx, row, reader, asks, task_id)];
  return [written, append('messages', row, 'n', written), ...told];
}

/**
 * The message that `me` writes into `thread`. Three writes without a version check, so that two sides writing at once never
 * conflict: blocks and the thread's end are checked under its row's lock.
 */
export function post<C extends Code = never>(
  ctx: Ctx,
  me: Recipient,
  thread: PostThread,
  content: string,
  { task_id, begins, parts, kind = 'text', note, asks = true, interested, guard, changes }: PostedAs<C> = {},
): Posted<C> | Fault<'not_found' | 'invalid_request'> {
  if (!thread || (thread.opener_id !== me.id && thread.other_id !== me.id)) return fault('not_found');
  const wrong = messageFault(content);
  if (wrong) return wrong;
  const opened = thread.opener_id === me.id;
  const row = messageRow(ctx, thread.id, me, content, kind, note);
  const reader = opened
    ? { id: thread.other_id, handle: thread.other_handle, autopilot: thread.other_autopilot }
    : { id: thread.opener_id, handle: thread.opener_handle, autopilot: thread.opener_autopilot };
  const answered = thread.answers.length;
  const written = appendMessage<'blocked' | 'conversation_closed' | C>(ctx, {
    ...{ row, reader, task_id, by_opener: opened },
    // The service reads no inbox; what is no text, or answers a task, has an event of its own.
    asks: asks && kind === 'text' && answered === 0 && !isPlatform(me.id) && !isPlatform(reader.id),
    changes: (now) => ({
      ...(begins && countTasks(now, opened, 1)),
      ...(answered > 0 && countTasks(now, !opened, -answered)),
      ...(now.status === 'completed' && { status: 'open' as const }),
      ...changes?.(now),
    }),
    refuse: (now) => writeFault(now, opened, ctx.now_ms) ?? begins?.(now, opened) ?? guard?.(now) ?? null,
  });
  const effects: Posted<C>['effects'][number][] = [
    ...written,
    ...(isPlatform(me.id) ? [] : wakePilot(reader, thread.id, ctx.now_ms)),
    ...(interested === false ? [] : interestIn(ctx, me, thread.unapproved)),
  ];
  if (answered > 0) effects.push(...completeTasks(ctx, row, thread.answers, parts));
  // Answers to the service's own agent do not count as responsiveness.
  if (thread.last_sender_id === reader.id && thread.last_at !== null && !isPlatform(reader.id)) {
    effects.push({ do: 'replied', agent_id: me.id, seconds: (ctx.now_ms - thread.last_at) / 1000 });
  }
  return { row, effects };
}

/** The columns of a conversation that writing takes. */
export type ThreadRow = NonNullable<ReturnType<typeof threadById.shape>>;

/** A conversation as its writer read it, or null. */
export type PostThread =
  | (ThreadRow & {
      /** The open tasks that the other side sent: the message completes them. */
      readonly answers: readonly Row<'tasks'>[];
      /** The match that it came from, where its writer has not said yet that it is interested: writing says so. */
      readonly unapproved: Row<'matches'> | null;
    })
  | null;

/** Plans without a limit count too: the figure is shown, and it applies after a downgrade. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Blocks between two sides, read before a thread is opened. */
export interface Blocking {
  readonly opener: boolean;
  readonly other: boolean;
}

interface Opening {
  /** The side that starts it; its account is the caller's, whose plan pays for the count. */
  readonly opener: Recipient & Pilot;
  readonly other: Recipient & Pilot;
  readonly match_id: string | null;
  /** The headline of the listing that brought them together, or the first message; cut to one line. */
  readonly subject: string;
  /** What `readBlocking` read. */
  readonly blocks: Blocking;
  /** The opener's first words, where the thread begins with any, and the task that they are about. */
  readonly content?: string;
  readonly task_id?: string;
  /** Whether they begin that task of the opener's. */
  readonly begins_task?: boolean;
  /** False for threads that no plan counts, such as those that the service itself opens. */
  readonly metered?: boolean;
}

/** A conversation that is opened, and its first message. */
interface Opened<M = Unplaced | null> {
  readonly conversation_id: string;
  readonly message: M;
  readonly effects: Effect<'plan_limit' | 'blocked'>[];
}

/** The counter of conversations that the caller's account opened this month; full, it refuses with `plan_limit`. */
function countConversation(ctx: Ctx): Effect<'plan_limit'> {
  const limit = PLANS[ctx.principal.plan].limits.conversations ?? UNLIMITED;
  const key = counterKey('conversations', ctx.account_id, ctx.now_ms);
  return count(key, limit, planLimit('conversations', limit, limit, ctx.now_ms), nextMonthStart(ctx.now_ms));
}

/**
 * The new conversation's id and what opening it takes. That a pair opens only one is the caller's to see to, by the
 * version of the row that led here (a match, a quote). Operations that return these effects declare `plan_limit` and
 * `blocked`, and refuse beforehand when `blocks.other` says so.
 */
export function openConversation(ctx: Ctx, opening: Opening & { readonly content: string }): Opened<Unplaced>;
export function openConversation(ctx: Ctx, opening: Opening): Opened;
export function openConversation(
  ctx: Ctx,
  { opener, other, match_id, subject: about, blocks, content, task_id, begins_task = false, metered = true }: Opening,
): Opened {
  const conversation_id = ctx.id();
  const message = content === undefined ? null : messageRow(ctx, conversation_id, opener, content);
  const phase = PHASES[0];
  const asks = !isPlatform(opener.id) && !isPlatform(other.id);
  const row = insert('conversations', {
    id: conversation_id,
    opener_id: opener.id,
    other_id: other.id,
    match_id,
    phase,
    status: 'open',
    subject: subject(about, null),
    ...(message && { last_message_id: message.id, last_n: 1, opener_sent: 1, waits_for: asks ? other.id : null }),
    ...(begins_task && { opener_tasks: 1 }),
    opener_blocks: blocks.opener ? 1 : 0,
    created_at: ctx.now_ms,
    updated_at: ctx.now_ms,
  });
  const news = { conversation_id, counterparty_handle: opener.handle, phase };
  const started = isPlatform(other.id) ? [] : [tell(ctx, other, 'conversation.started', news)];
  // The reader of the first message takes the first turn; without a message, the opener does.
  const begins = wakePilot(message ? other : opener, conversation_id, ctx.now_ms);
  const gate = count(blockGate(other.id, opener.id), 0, fault('blocked'), null, 0);
  const told = message && !isPlatform(other.id) ? [messageEvent(ctx, message, other, asks, task_id)] : [];
  const written = message ? [insert('messages', { ...message, n: 1 }), ...told] : [];
  const counted = metered ? [countConversation(ctx)] : [];
  return { conversation_id, message, effects: [gate, ...counted, row, ...started, ...begins, ...written] };
}

/** The effects of reading a thread or a page of its messages; none when all were seen, so that most reads write nothing. As in the
 * inbox, reads by key count and reads by session do not, so that a person does not mark the agent's messages as read (Q111). */
export function markSeen({ conversation }: Thread, agent_id: string, ctx: Ctx): ApplyEffect<never>[] {
  if (ctx.principal.kind !== 'key' || unreadOf(conversation, agent_id) <= 0) return [];
  const { id, opener_id, opener_sent, other_sent } = conversation;
  // Only the messages that were read: one that came in since stays unread.
  return [
    apply('conversations', id, (now) =>
      opener_id === agent_id
        ? { opener_seen: Math.max(now.opener_seen, other_sent) }
        : { other_seen: Math.max(now.other_seen, opener_sent) },
    ),
  ];
}

/** The refusals of a new conversation, besides those of the text. */
export type StartRefusal =
  | 'not_found'
  | 'invalid_request'
  | 'blocked'
  | 'conversation_closed'
  | 'first_contact_limit'
  | 'plan_limit'
  | 'conflict';

/** The counter of threads between two agents: when both start one at once, the second sees the first's. */
export function startsKey(a: string, b: string): string {
  return `threads:${[a, b].sort().join(':')}`;
}

/** The agent that is written to, as it was read. */
export interface Reached {
  readonly other: Row<'agents'>;
  /** The newest thread of the two, one that takes words before any other. */
  readonly thread: PostThread;
  readonly blocks: Blocking;
  readonly starts: number;
}

/** A message on its way to an agent. */
interface Written<C extends Code = never> {
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
  // A former counterparty knows that the agent exists, but may not start a new thread once it is hidden.
  if (!isSeenOn(seenAs(other), 'contact')) return fault('not_found');
  if (blocks.other) return fault('blocked');
  const { message, effects } = openConversation(ctx, {
    opener: me,
    other,
    match_id: null,
    subject: subject(null, content),
    blocks,
    content,
    task_id,
    begins_task: begins !== undefined,
    // Questions to the service's own agent do not count against the plan.
    metered: !isPlatform(other.id),
  });
  const limit = firstContactLimit(me.provisional === 1);
  const stranger = count(
    firstContactKey(me.id, ctx.now_ms),
    limit,
    firstContactFault(limit, ctx.now_ms),
    firstContactReset(ctx.now_ms),
  );
  return {
    row: message,
    started: true,
    effects: [
      count(startsKey(me.id, other.id), starts + 1, fault('conflict')),
      ...(thread || isPlatform(other.id) ? [] : [stranger]),
      ...effects,
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

/** A notice by the service of what `me` did to an agreement of both; nothing without a conversation. The other side has to learn of
 * it, so it is written also when the conversation is over or one side blocks the other; it answers no task, and no autopilot answers
 * it. */
export function noteIn(ctx: Ctx, me: Recipient, thread: PostThread, note: Note): Effect<never>[] {
  if (!thread) return [];
  const opened = thread.opener_id === me.id;
  const row = messageRow(ctx, thread.id, me, noteText(me.handle, note, eventWords()), 'system', note);
  const reader = opened
    ? { id: thread.other_id, handle: thread.other_handle }
    : { id: thread.opener_id, handle: thread.opener_handle };
  return appendMessage(ctx, { row, reader, by_opener: opened, asks: false });
}

/** The service's answer to a message of the same turn, whose guards have checked that the conversation is open. An asker who
 * blocks the service's agent is answered too. */
export function answerMessage(
  ctx: Ctx,
  asker: Recipient,
  conversation_id: string,
  answer: string,
): { readonly row: Unplaced; readonly effects: readonly Effect<never>[] } {
  const row = messageRow(ctx, conversation_id, { id: PLATFORM_AGENT_ID, handle: ctx.settings.platform_handle }, answer);
  // The service's agent has read what it answers.
  const changes = (now: Row<'conversations'>) => ({ other_seen: now.opener_sent });
  return { row, effects: appendMessage(ctx, { row, reader: asker, by_opener: false, asks: false, changes }) };
}

/** The effects of the answer, if any. */
export function answerEffects(
  ctx: Ctx,
  asker: Recipient,
  { conversation_id }: Pick<Unplaced, 'conversation_id'>,
  answer: string | null,
): readonly Effect<never>[] {
  return answer === null ? [] : answerMessage(ctx, asker, conversation_id, answer).effects;
}
