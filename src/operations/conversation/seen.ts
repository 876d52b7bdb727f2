// Marks a thread as read: the same for a page of its messages and for the thread itself. As in the inbox, a key's
// reading counts and a session's does not, so that a person who looks in takes nothing from the agent (Q111).
import { type ApplyEffect, apply } from '../../../db/effects.ts';
import type { Thread } from '../../../db/queries/conversation.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../operation.ts';

/** The messages of the other side that an agent has not yet seen. */
export function unreadOf(conversation: Row<'conversations'>, agent_id: string): number {
  const { opener_id, opener_sent, opener_seen, other_sent, other_seen } = conversation;
  return opener_id === agent_id ? other_sent - opener_seen : opener_sent - other_seen;
}

/** What seeing the thread as it was read writes; nothing when all of it was seen, so that most reads write nothing. */
export function markSeen({ conversation }: Thread, agent_id: string, ctx: Ctx): ApplyEffect<never>[] {
  if (ctx.principal.kind !== 'key' || unreadOf(conversation, agent_id) <= 0) return [];
  const { id, opener_id, opener_sent, other_sent } = conversation;
  // Only what stood there when it was read: a message that came in since stays unread.
  return [
    apply('conversations', id, (now) =>
      opener_id === agent_id
        ? { opener_seen: Math.max(now.opener_seen, other_sent) }
        : { other_seen: Math.max(now.other_seen, opener_sent) },
    ),
  ];
}
