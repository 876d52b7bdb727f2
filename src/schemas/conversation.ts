// A conversation as one of its sides sees it on the wire (rules.md 6).
import { type Static, Type } from 'typebox';
import type { Thread } from '../../db/queries/conversation.ts';
import type { Row } from '../../db/schema/tables.ts';
import { isPlatform } from '../domain/agent/platform.ts';
import { PHASES, STATUSES } from '../domain/conversation/conversation.ts';
import {
  AHEAD_MAX_DAYS,
  DURATION_MAX,
  DURATION_MIN,
  MEETING_STATUSES,
  MEETING_URL_MAX,
  meetingStatus,
} from '../domain/conversation/meeting.ts';
import { NOTE_CODES } from '../domain/conversation/note.ts';
import { type Author, authored, byField, words } from './authored.ts';
import { named, namedObject } from './named.ts';
import { ProposalShape, proposalView } from './proposal.ts';
import { Id, iso, isoOrNull, NullableId, NullableText, NullableTime, nullable, PathId, Time } from './wire.ts';

// A meeting as both sides of its conversation see it on the wire (rules.md 6).

const Minutes = Type.Integer({ minimum: DURATION_MIN, maximum: DURATION_MAX });

export const MeetingInput = namedObject('MeetingInput', 'when to meet, for how long, and where', {
  conversation_id: PathId,
  starts_at: Type.String({ format: 'date-time', description: `in the future, at most ${AHEAD_MAX_DAYS} days ahead` }),
  duration_minutes: Minutes,
  url: Type.Optional(
    Type.String({
      maxLength: MEETING_URL_MAX,
      description: 'http or https, without user name and password; shown to the other side',
    }),
  ),
});

export const MeetingShape = authored(
  byField('by'),
  namedObject('Meeting', 'a meeting of the two sides of a conversation', {
    meeting_id: Id,
    conversation_id: Id,
    by: Type.String({ description: 'current handle of the agent that scheduled it' }),
    starts_at: Time,
    duration_minutes: Minutes,
    url: words(NullableText),
    status: named(
      'MeetingStatus',
      Type.Enum([...MEETING_STATUSES], { description: 'completed: marked by one of the two' }),
    ),
    completed_at: NullableTime,
    created_at: Time,
  }),
);

/** The wire shape of a meeting, with handles from its conversation. */
export function meetingView(row: Row<'meetings'>, thread: Thread): Static<typeof MeetingShape> {
  const opened = row.by_id === thread.conversation.opener_id;
  return {
    meeting_id: row.id,
    conversation_id: row.conversation_id,
    by: opened ? thread.opener_handle : thread.other_handle,
    starts_at: iso(row.starts_at),
    duration_minutes: row.duration_minutes,
    url: row.url,
    status: meetingStatus(row),
    completed_at: isoOrNull(row.completed_at),
    created_at: iso(row.created_at),
  };
}

/** What a system message or a proposal says, for readers of other languages. */
const NoteShape = namedObject(
  'MessageNote',
  'what a system message, or the first line of a proposal, says, as a code',
  {
    code: Type.Enum([...NOTE_CODES]),
    amount_cents: Type.Integer({ minimum: 0 }),
  },
);

// A message as the wire shows it (rules.md 6, Q52): the sender by handle, and by role from the reader's side.

/** The author of a message: the other side; null for the reader's own messages and those of the service. */
const senderOf = ({ role, sender }: Readonly<Record<string, unknown>>): Author =>
  role === 'other' ? String(sender) : null;

export const MessageShape = authored(
  senderOf,
  namedObject('Message', 'a message of a conversation', {
    message_id: Id,
    conversation_id: Id,
    sender: Type.String({ description: "the sender's handle at that time" }),
    role: Type.Enum(['self', 'other', 'platform'], { description: 'the sender as the reader sees it' }),
    content: words(Type.String()),
    kind: Type.Enum(['text', 'proposal', 'system']),
    note: Type.Optional(NoteShape),
    created_at: Time,
    by_turn: Type.Optional(
      Type.Literal(true, { description: 'a turn of the service wrote it for your agent: conversation.why says why' }),
    ),
  }),
);

/** A message before its commit, which assigns the position in the thread. */
export type Unplaced = Omit<Row<'messages'>, 'n'>;

const NO_TURNS: ReadonlySet<string> = new Set();

/** `reader_id` is the reading agent; `platform_handle` names the service's own agent; `turns` are the messages that turns wrote for
 * the reader. */
export function messageView(
  row: Unplaced,
  reader_id: string,
  platform_handle: string,
  turns = NO_TURNS,
): Static<typeof MessageShape> {
  // The sender id also covers messages under an earlier handle of the platform.
  const platform = row.kind === 'system' || isPlatform(row.sender_id) || row.sender_handle === platform_handle;
  return {
    message_id: row.id,
    conversation_id: row.conversation_id,
    sender: row.sender_handle,
    role: row.sender_id === reader_id ? 'self' : platform ? 'platform' : 'other',
    content: row.content,
    kind: row.kind,
    ...(row.note && { note: row.note }),
    created_at: iso(row.created_at),
    ...(turns.has(row.id) && { by_turn: true as const }),
  };
}

const Phase = named('ConversationPhase', Type.Enum([...PHASES], { description: 'changes one step at a time' }));

export const ConversationStatus = named(
  'ConversationStatus',
  Type.Enum([...STATUSES], { description: 'accepts messages while open or escalated' }),
);

export const ConversationShape = authored(
  byField('counterparty_handle'),
  namedObject('Conversation', 'a conversation as one of its sides sees it', {
    conversation_id: Id,
    counterparty_handle: Type.String({ description: 'current handle of the other side' }),
    phase: Phase,
    match_id: NullableId,
    deal_id: nullable(Id, 'the newest deal made in it'),
    // It may be from the first message of either side.
    subject: words(Type.String()),
    last_message: nullable(MessageShape),
    status: ConversationStatus,
    unread: Type.Integer({
      minimum: 0,
      description: "the other side's messages that you had not read before this call",
    }),
    proposal: nullable(ProposalShape, 'the open one'),
    created_at: Time,
    updated_at: Time,
  }),
);

/** The number of messages of the other side that an agent has not yet seen. */
export function unreadOf(conversation: Row<'conversations'>, agent_id: string): number {
  const { opener_id, opener_sent, opener_seen, other_sent, other_seen } = conversation;
  return opener_id === agent_id ? other_sent - opener_seen : opener_sent - other_seen;
}

/** Whether an agent is one of the two sides. */
export function isParty(thread: Thread | null, agent_id: string): thread is Thread {
  if (!thread) return false;
  return thread.conversation.opener_id === agent_id || thread.conversation.other_id === agent_id;
}

/** The current handle of the other side. */
export function counterpartyOf({ conversation, opener_handle, other_handle }: Thread, reader_id: string): string {
  return conversation.opener_id === reader_id ? other_handle : opener_handle;
}

/** The status for a side. Only the side whose person has to decide reads `escalated`, since it would tell the other side about its bounds. */
export function statusFor(
  { status, escalated_to }: Row<'conversations'>,
  reader_id: string,
): Row<'conversations'>['status'] {
  return status === 'escalated' && escalated_to !== reader_id ? 'open' : status;
}

/** `reader` is the reading side. */
export function conversationView(
  thread: Thread,
  reader: Pick<Row<'agents'>, 'id' | 'bounds'>,
  { platform_handle, now_ms }: { readonly platform_handle: string; readonly now_ms: number },
): Static<typeof ConversationShape> {
  const { conversation, last, proposal } = thread;
  const { id: reader_id } = reader;
  const { opener_id } = conversation;
  const sides = {
    handleOf: (id: string) => (id === opener_id ? thread.opener_handle : thread.other_handle),
    planOf: () => thread.seller_plan ?? 'free',
  };
  return {
    conversation_id: conversation.id,
    counterparty_handle: counterpartyOf(thread, reader_id),
    phase: conversation.phase,
    match_id: conversation.match_id,
    deal_id: conversation.deal_id,
    subject: conversation.subject,
    last_message: last && messageView(last, reader_id, platform_handle),
    status: statusFor(conversation, reader_id),
    unread: Math.max(0, unreadOf(conversation, reader_id)),
    proposal: proposal && proposalView(proposal, reader, sides, now_ms),
    created_at: iso(conversation.created_at),
    updated_at: iso(conversation.updated_at),
  };
}
