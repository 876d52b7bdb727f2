// Conversations with their messages, and the inboxes with their events. Messages and events are written once and
// only ever appended, so their ids are time-ordered and their indexes as few as the reads need.
import { sql } from 'drizzle-orm';
import type { Phase, Status } from '../../src/domain/conversation/conversation.ts';
import type { Builders } from './builders.ts';

export interface AnsweredColumn {
  readonly action: string;
  readonly note: string | null;
  readonly reason: string | null;
  readonly at: number;
}

// Without a return type: drizzle infers the row types from this literal.
export function conversationTables(b: Builders) {
  const conversations = b.table(
    'conversations',
    {
      id: b.id(),
      /** The side that opened it, and the other. */
      opener_id: b.text('opener_id').notNull(),
      other_id: b.text('other_id').notNull(),
      match_id: b.text('match_id'),
      /** The newest deal that its sides made in it. */
      deal_id: b.text('deal_id'),
      /** The proposal that stands in it, and the side whose person is to decide on it before all else. */
      proposal_id: b.text('proposal_id'),
      escalated_to: b.text('escalated_to'),
      phase: b.text('phase').$type<Phase>().notNull(),
      status: b.text('status').$type<Status>().notNull(),
      subject: b.text('subject').notNull(),
      last_message_id: b.text('last_message_id'),
      /** The position of the newest message: positions are given under this row's lock, so that nobody sees one before those
       * below it. */
      last_n: b.int('last_n').notNull().default(0),
      /** How many messages each side has written, and how many of the other's it has seen. */
      opener_sent: b.int('opener_sent').notNull().default(0),
      other_sent: b.int('other_sent').notNull().default(0),
      opener_seen: b.int('opener_seen').notNull().default(0),
      other_seen: b.int('other_seen').notNull().default(0),
      closed_reason: b.text('closed_reason'),
      /** 1 while that side blocks the other: a message asks only the row that it locks anyway. */
      opener_blocks: b.int('opener_blocks').notNull().default(0),
      other_blocks: b.int('other_blocks').notNull().default(0),
      /** How many open tasks each side has sent: a message looks for those that it answers only where there are any. */
      opener_tasks: b.int('opener_tasks').notNull().default(0),
      other_tasks: b.int('other_tasks').notNull().default(0),
      created_at: b.int('created_at').notNull(),
      updated_at: b.int('updated_at').notNull(),
      version: b.version(),
    },
    (t) => [
      b.index('conversations_opener').on(t.opener_id, t.id),
      b.index('conversations_other').on(t.other_id, t.id),
      // Of two agents, whichever of them opened: by one side alone it would be all threads of a popular one.
      b.index('conversations_pair').on(t.other_id, t.opener_id),
      b.index('conversations_opener_tasks').on(t.opener_id).where(sql`opener_tasks + other_tasks > 0`),
      b.index('conversations_other_tasks').on(t.other_id).where(sql`opener_tasks + other_tasks > 0`),
    ],
  );
  const messages = b.table(
    'messages',
    {
      id: b.id(),
      conversation_id: b.text('conversation_id').notNull(),
      /** Its position in the thread: 1, 2, 3 … in the order of the commits. Ids are made before, in an order of their own. */
      n: b.int('n').notNull().default(0),
      sender_id: b.text('sender_id').notNull(),
      sender_handle: b.text('sender_handle').notNull(),
      kind: b.text('kind').$type<'text' | 'proposal' | 'system'>().notNull(),
      content: b.text('content').notNull(),
      created_at: b.int('created_at').notNull(),
    },
    (t) => [b.uniqueIndex('messages_n').on(t.conversation_id, t.n)],
  );
  /** The id is the agent's. `last_seq` is the head of the inbox, which only the store's commit gives; `delivered_seq` is how far
   * the delivery ladder has come, and `behind` 1 while that is less: the inbox is the queue, so no event is written twice.
   * `lease_until` is whose turn it is where several nodes run. */
  const inboxes = b.table(
    'inboxes',
    {
      id: b.id(),
      last_seq: b.int('last_seq').notNull(),
      delivered_seq: b.int('delivered_seq').notNull().default(0),
      behind: b.int('behind').notNull().default(0),
      lease_until: b.int('lease_until').notNull().default(0),
    },
    (t) => [b.index('inboxes_behind').on(t.id).where(sql`behind = 1`)],
  );
  /** The id is the agent's. `ranges` are the seqs that the agent has read, as in `1-50,60-61`, `noticed` those that its
   * person has read as notifications. */
  const inbox_reads = b.table('inbox_reads', {
    id: b.id(),
    ranges: b.text('ranges').notNull(),
    noticed: b.text('noticed').notNull().default(''),
    version: b.version(),
  });
  const events = b.table(
    'events',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      seq: b.int('seq').notNull(),
      kind: b.text('kind').notNull(),
      handle: b.text('handle').notNull(),
      data: b.json<Record<string, unknown>>('data').notNull(),
      /** What an answer is about (a match, a conversation): acting on it by its own route answers the event too. */
      subject_id: b.text('subject_id'),
      respond_by: b.int('respond_by'),
      /** 1 while an answer is awaited. */
      awaiting: b.int('awaiting').notNull().default(0),
      answered: b.json<AnsweredColumn | null>('answered'),
      created_at: b.int('created_at').notNull(),
      /** The trace of the request that caused it (domain/trace.ts); what pushes the event goes on in it. */
      trace: b.text('trace'),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('events_seq').on(t.agent_id, t.seq),
      b.index('events_awaiting').on(t.agent_id, t.subject_id).where(sql`awaiting = 1`),
    ],
  );
  return { conversations, messages, inboxes, inbox_reads, events };
}
