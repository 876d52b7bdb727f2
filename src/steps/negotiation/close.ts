// Closes a conversation for good: both sides are told, its open tasks and proposals end.
import { apply, type Effect } from '../../../db/effects.ts';
import type { Thread } from '../../../db/queries/conversation.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { isPlatform } from '../../domain/agent/platform.ts';
import { acceptsMessages } from '../../domain/conversation/conversation.ts';
import { fault } from '../../domain/fault.ts';
import { type Recipient, tell } from '../event.ts';
import { endOfConversation } from '../task/end.ts';
import { endProposals } from './propose.ts';
import { asStood } from './standing.ts';

interface Closing {
  readonly thread: Thread;
  readonly live: readonly Row<'proposals'>[];
  /** The side that closes it. */
  readonly by_id: string;
  /** Shown to both sides. */
  readonly reason: string | undefined;
}

/** The effects of closing; they fail with `conversation_closed` where it takes no messages any more. */
export function closeConversation(ctx: Ctx, { thread, live, by_id, reason }: Closing): Effect<'conversation_closed'>[] {
  const { id, opener_id, other_id } = thread.conversation;
  const opener = { id: opener_id, handle: thread.opener_handle };
  const other = { id: other_id, handle: thread.other_handle };
  const why = reason === undefined ? {} : { reason };
  const told = (side: Recipient, counterparty: Recipient) => {
    const news = { conversation_id: id, counterparty_handle: counterparty.handle, ...why };
    return isPlatform(side.id) ? [] : [tell(ctx, side, 'conversation.completed', news)];
  };
  return [
    apply(
      'conversations',
      id,
      () => ({ status: 'closed' as const, closed_reason: reason ?? null, updated_at: ctx.now_ms }),
      (now) =>
        acceptsMessages(now, ctx.now_ms)
          ? asStood(thread.conversation)(now)
          : fault('conversation_closed', undefined, { status: now.status }),
    ),
    ...told(opener, other),
    ...told(other, opener),
    endOfConversation(ctx.now_ms, id, by_id),
    ...endProposals(live, ctx.now_ms),
  ];
}
