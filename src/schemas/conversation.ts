// A conversation as one of its sides sees it on the wire (rules.md 6).

import { type Static, Type } from 'typebox';
import type { Thread } from '../../db/queries/conversation.ts';
import type { Row } from '../../db/schema/tables.ts';
import { PHASES, STATUSES } from '../domain/conversation/conversation.ts';
import { authored, byField, words } from './authored.ts';
import { MessageShape, messageView } from './message.ts';
import { named, namedObject } from './named.ts';
import { ProposalShape, proposalView } from './proposal.ts';
import { Id, iso, Time } from './wire.ts';

const NullableId = Type.Union([Id, Type.Null()]);

const Phase = named('ConversationPhase', Type.Enum([...PHASES], { description: 'moves one step at a time' }));

export const ConversationStatus = named(
  'ConversationStatus',
  Type.Enum([...STATUSES], { description: 'takes messages while open or escalated' }),
);

export const ConversationShape = authored(
  byField('counterparty_handle'),
  namedObject('Conversation', 'a conversation as one of its sides sees it', {
    conversation_id: Id,
    counterparty_handle: Type.String({ description: 'what the other side is called now' }),
    phase: Phase,
    match_id: NullableId,
    deal_id: Type.Union([Id, Type.Null()], { description: 'the newest deal that its sides made in it' }),
    // It may be of either side's first words.
    subject: words(Type.String()),
    last_message: Type.Union([MessageShape, Type.Null()]),
    status: ConversationStatus,
    unread: Type.Integer({
      minimum: 0,
      description: "the other side's messages that you had not read before this call",
    }),
    proposal: Type.Union([ProposalShape, Type.Null()], { description: 'the one on which both sides can decide' }),
    created_at: Time,
    updated_at: Time,
  }),
);

/** The messages of the other side that an agent has not yet seen. */
export function unreadOf(conversation: Row<'conversations'>, agent_id: string): number {
  const { opener_id, opener_sent, opener_seen, other_sent, other_seen } = conversation;
  return opener_id === agent_id ? other_sent - opener_seen : opener_sent - other_seen;
}

/** Whether an agent is one of the two sides. */
export function isParty(thread: Thread | null, agent_id: string): thread is Thread {
  if (!thread) return false;
  return thread.conversation.opener_id === agent_id || thread.conversation.other_id === agent_id;
}

/** What the other side is called now. */
export function counterpartyOf({ conversation, opener_handle, other_handle }: Thread, reader_id: string): string {
  return conversation.opener_id === reader_id ? other_handle : opener_handle;
}

/** What a conversation is for a side: only the side whose person is to decide reads that it waits, since it would tell the other how far
 * its bounds go. */
export function statusFor(
  { status, escalated_to }: Row<'conversations'>,
  reader_id: string,
): Row<'conversations'>['status'] {
  return status === 'escalated' && escalated_to !== reader_id ? 'open' : status;
}

/** `reader` is the side that looks. */
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
