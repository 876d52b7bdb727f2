// Conversations with their messages, and the inboxes with their events. Messages and events are written once and
// only ever appended, so their ids are time-ordered and their indexes as few as the reads need.
import { sql } from 'drizzle-orm';
import type { Phase, Status } from '../../src/domain/conversation/conversation.ts';
import type { Note } from '../../src/domain/conversation/note.ts';
import { goneHandle } from '../../src/domain/identity/handle.ts';
import type { Builders } from './builders.ts';
import { blank, blankBy, gone, keep, stays } from './personal.ts';

export interface AnsweredColumn {
  readonly action: string;
  readonly note: string | null;
  readonly reason: string | null;
  readonly at: number;
}

/** Only the ids of an event's data. */
function idsOf(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([field]) => field.endsWith('_id')));
}

// Without a return type: drizzle infers the row types from this literal.
export function conversationTables(b: Builders) {
  const conversations = b.table(
    'conversations',
    {
      id: b.id(),
      /** The side that opened it, and the other. */
      opener_id: b.code('opener_id', keep).notNull(),
      other_id: b.code('other_id', keep).notNull(),
      match_id: b.code('match_id', keep),
      /** The newest deal that its sides made in it. */
      deal_id: b.code('deal_id', keep),
      /** The open proposal, and the side whose person has to decide on it first. */
      proposal_id: b.code('proposal_id', keep),
      escalated_to: b.code('escalated_to', keep),
      phase: b.code<Phase>('phase', keep).notNull(),
      status: b.code<Status>('status', keep).notNull(),
      subject: b.text('subject', stays('words to the other side')).notNull(),
      last_message_id: b.code('last_message_id', keep),
      /** The position of the newest message: positions are assigned under this row's lock, so that they become visible in
       * order. */
      last_n: b.int('last_n', keep).notNull().default(0),
      /** How many messages each side has written, and how many of the other side's it has read. */
      opener_sent: b.int('opener_sent', keep).notNull().default(0),
      other_sent: b.int('other_sent', keep).notNull().default(0),
      opener_seen: b.int('opener_seen', keep).notNull().default(0),
      other_seen: b.int('other_seen', keep).notNull().default(0),
      /** The side whose reply the newest message waits for; null while it waits for none. */
      waits_for: b.code('waits_for', keep),
      closed_reason: b.text('closed_reason', stays('words to the other side')),
      /** 1 while that side blocks the other: a message checks only the row that it locks anyway. */
      opener_blocks: b.int('opener_blocks', keep).notNull().default(0),
      other_blocks: b.int('other_blocks', keep).notNull().default(0),
      /** The number of open tasks sent by each side: a message searches for tasks to answer only if there are any. */
      opener_tasks: b.int('opener_tasks', keep).notNull().default(0),
      other_tasks: b.int('other_tasks', keep).notNull().default(0),
      created_at: b.int('created_at', keep).notNull(),
      updated_at: b.int('updated_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.index('conversations_opener').on(t.opener_id, t.id),
      b.index('conversations_other').on(t.other_id, t.id),
      // For the threads of two agents: an index by one side would read all threads of a popular agent.
      b.index('conversations_pair').on(t.other_id, t.opener_id),
      b
        .index('conversations_waiting')
        .on(t.waits_for, t.last_message_id)
        .where(sql`waits_for IS NOT NULL AND status IN ('open', 'escalated')`),
      b.index('conversations_opener_tasks').on(t.opener_id).where(sql`opener_tasks + other_tasks > 0`),
      b.index('conversations_other_tasks').on(t.other_id).where(sql`opener_tasks + other_tasks > 0`),
    ],
  );
  const messages = b.table(
    'messages',
    {
      id: b.idWithin(),
      conversation_id: b.code('conversation_id', keep).notNull(),
      /** Its position in the thread: 1, 2, 3 … in the order of the commits. Ids are made before, in an order of their own. */
      n: b.int('n', keep).notNull().default(0),
      sender_id: b.code('sender_id', keep).notNull(),
      sender_handle: b
        .text(
          'sender_handle',
          blankBy((_handle, _row, owner_id) => goneHandle(owner_id)),
        )
        .notNull(),
      kind: b.code<'text' | 'proposal' | 'system'>('kind', keep).notNull(),
      content: b.text('content', stays('words to the other side')).notNull(),
      /** What a system message says, for readers of other languages. */
      note: b.json<Note | null>('note', stays('a code and an amount of both sides')),
      created_at: b.int('created_at', keep).notNull(),
    },
    (t) => [b.keyWithin(t.conversation_id, t.id), b.uniqueIndex('messages_n').on(t.conversation_id, t.n)],
  );
  /** The id is the agent's. `last_seq` is the head of the inbox, assigned only in the store's commit; `delivered_seq` is the
   * position of the delivery ladder, and `behind` is 1 while that is less: the inbox is the queue, so no event is written
   * twice. `lease_until` is the delivering node's lease. */
  const inboxes = b.table(
    'inboxes',
    {
      id: b.id(),
      last_seq: b.int('last_seq', keep).notNull(),
      delivered_seq: b.int('delivered_seq', keep).notNull().default(0),
      behind: b.int('behind', keep).notNull().default(0),
      lease_until: b.int('lease_until', keep).notNull().default(0),
    },
    (t) => [b.index('inboxes_behind').on(t.id).where(sql`behind = 1`)],
  );
  /** The id is the agent's. `ranges` are the seqs that the agent has read, as in `1-50,60-61`, `noticed` those that its
   * person has read as notifications. */
  const inbox_reads = b.table('inbox_reads', {
    id: b.id(),
    ranges: b.text('ranges', gone).notNull(),
    noticed: b.text('noticed', gone).notNull().default(''),
    version: b.version(),
  });
  const events = b.table(
    'events',
    {
      id: b.idWithin(),
      agent_id: b.code('agent_id', keep).notNull(),
      seq: b.int('seq', keep).notNull(),
      kind: b.code('kind', keep).notNull(),
      handle: b
        .text(
          'handle',
          blankBy((_handle, _row, owner_id) => goneHandle(owner_id)),
        )
        .notNull(),
      data: b.json<Record<string, unknown>>('data', blankBy(idsOf)).notNull(),
      /** The subject of an answer (a match, a conversation): acting on it by its own route answers the event too. */
      subject_id: b.code('subject_id', keep),
      respond_by: b.int('respond_by', keep),
      /** 1 while an answer is awaited. */
      awaiting: b.int('awaiting', blank(0)).notNull().default(0),
      answered: b.json<AnsweredColumn | null>('answered', blank(null)),
      created_at: b.int('created_at', keep).notNull(),
      /** The trace of the request that caused it (domain/trace.ts); pushes of the event continue it. */
      trace: b.code('trace', keep),
      version: b.version(),
    },
    (t) => [
      b.keyWithin(t.agent_id, t.id),
      b.uniqueIndex('events_seq').on(t.agent_id, t.seq),
      // With all that the counts of a pull and of a badge ask for: they read no row.
      b.index('events_awaiting').on(t.agent_id, t.subject_id, t.kind, t.respond_by).where(sql`awaiting = 1`),
    ],
  );
  return { conversations, messages, inboxes, inbox_reads, events };
}
