// Puts one message into a conversation: the row, the count of its side, the event for the other side, the end of the other
// side's tasks that it answers. All that writes as an agent comes through here, whatever door it came by, so that all of it
// keeps the same rules.
import { append, apply, type Effect, type EventEffect, headOf, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { isPlatform } from '../../domain/agent/platform.ts';
import { writeFault } from '../../domain/conversation/block.ts';
import { messageFault, preview } from '../../domain/conversation/conversation.ts';
import { type Code, type Fault, fault, isFault } from '../../domain/fault.ts';
import { decideMatch } from '../../domain/match/state.ts';
import type { Part } from '../../domain/task/part.ts';
import { countTasks, type TaskCounts } from '../../domain/task/task.ts';
import { factsOf } from '../../schemas/match.ts';
import type { Unplaced } from '../../schemas/message.ts';
import { type Recipient, tell } from '../event.ts';
import { wakePilot } from '../negotiation/autopilot.ts';
import { stepTask } from '../task/move.ts';
import type { PostThread } from './thread.ts';

export interface Posted<C extends Code = never> {
  readonly row: Unplaced;
  readonly effects: readonly Effect<'blocked' | 'conversation_closed' | C>[];
}

/** What a message is beside its text. */
export interface PostedAs<C extends Code = never> {
  /** The task that it is about; the event of the other side names it. */
  readonly task_id?: string;
  /** It begins that task, which is counted; this refuses it where there are too many. */
  readonly begins?: (now: TaskCounts, by_opener: boolean) => Fault<C> | null;
  /** What it is made of where it is more than its text. */
  readonly parts?: readonly Part[];
  readonly kind?: Row<'messages'>['kind'];
  /** Whether it says by itself that its writer wants to deal; so does all but a no. */
  readonly interested?: false;
  /** What else refuses it, looked at under the lock of the conversation's row. */
  readonly guard?: (now: Row<'conversations'>) => Fault<C> | 'again' | null;
  /** What else it changes of the conversation, under the row's lock. */
  readonly changes?: (now: Row<'conversations'>) => Partial<Row<'conversations'>>;
}

/** A text of `me` for a thread, not stored yet; `messageFault` found nothing wrong with it. */
export function messageRow(
  ctx: Ctx,
  conversation_id: string,
  me: Recipient,
  content: string,
  kind: Row<'messages'>['kind'] = 'text',
): Unplaced {
  return {
    id: ctx.id(),
    conversation_id,
    sender_id: me.id,
    sender_handle: me.handle,
    kind,
    content,
    created_at: ctx.now_ms,
  };
}

/** The event by which the other side learns of a message. */
export function messageEvent(ctx: Ctx, row: Unplaced, reader: Recipient, task_id?: string): EventEffect {
  return tell(ctx, reader, 'conversation.updated', {
    conversation_id: row.conversation_id,
    message_id: row.id,
    sender: row.sender_handle,
    preview: preview(row.content),
    ...(row.kind === 'system' && { kind: row.kind }),
    counterparty_handle: row.sender_handle,
    ...(task_id !== undefined && { task_id }),
  });
}

/** Who writes in the conversation of a match is interested in it, and is not asked any more. */
function interestIn(ctx: Ctx, me: Recipient, match: Row<'matches'> | null): Effect<never>[] {
  const changes = match && decideMatch(factsOf(match), me.id, 'interested', ctx.now_ms);
  if (!match || !changes || isFault(changes)) return [];
  const answered = { action: 'interested', note: null, reason: null, at: ctx.now_ms };
  const feedback = { agent_id: me.id, action: 'interested', reason: null };
  return [
    patch('matches', match, { approved_by: changes.approved_by, feedback, updated_at: ctx.now_ms }),
    // How long it took is what the message itself tells, once.
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

/**
 * The message that `me` writes into `thread`. Three writes that need no agreement on a version, so that two sides writing
 * at once never wait for each other: blocks and the thread's end are looked at under its row's lock.
 */
export function post<C extends Code = never>(
  ctx: Ctx,
  me: Recipient,
  thread: PostThread,
  content: string,
  { task_id, begins, parts, kind, interested, guard, changes }: PostedAs<C> = {},
): Posted<C> | Fault<'not_found' | 'invalid_request'> {
  if (!thread || (thread.opener_id !== me.id && thread.other_id !== me.id)) return fault('not_found');
  const wrong = messageFault(content);
  if (wrong) return wrong;
  const opened = thread.opener_id === me.id;
  const row = messageRow(ctx, thread.id, me, content, kind);
  const reader = opened
    ? { id: thread.other_id, handle: thread.other_handle, autopilot: thread.other_autopilot }
    : { id: thread.opener_id, handle: thread.opener_handle, autopilot: thread.opener_autopilot };
  const answered = thread.answers.length;
  const written = headOf(
    'last_n',
    apply<'conversations', 'blocked' | 'conversation_closed' | C>(
      'conversations',
      thread.id,
      (now) => ({
        last_message_id: row.id,
        updated_at: ctx.now_ms,
        ...(opened ? { opener_sent: now.opener_sent + 1 } : { other_sent: now.other_sent + 1 }),
        ...(begins && countTasks(now, opened, 1)),
        ...(answered > 0 && countTasks(now, !opened, -answered)),
        ...(now.status === 'completed' && { status: 'open' as const }),
        ...changes?.(now),
      }),
      (now) => writeFault(now, opened, ctx.now_ms) ?? begins?.(now, opened) ?? guard?.(now) ?? null,
    ),
  );
  const effects: Posted<C>['effects'][number][] = [
    written,
    append('messages', row, 'n', written),
    ...(isPlatform(reader.id) ? [] : [messageEvent(ctx, row, reader, task_id)]),
    ...(isPlatform(me.id) ? [] : wakePilot(reader, thread.id, ctx.now_ms)),
    ...(interested === false ? [] : interestIn(ctx, me, thread.unapproved)),
  ];
  if (answered > 0) effects.push(...completeTasks(ctx, row, thread.answers, parts));
  // Whoever answers the service's agent shows nobody how quickly it answers.
  if (thread.last_sender_id === reader.id && thread.last_at !== null && !isPlatform(reader.id)) {
    effects.push({ do: 'replied', agent_id: me.id, seconds: (ctx.now_ms - thread.last_at) / 1000 });
  }
  return { row, effects };
}
