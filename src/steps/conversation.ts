// Opens a thread between two agents: the row, the event that tells the other side, and the opener's monthly count. It is
// shared by everything that starts a conversation (rules.md 6), so that all of them start alike and none passes a
// block.
import { type ApplyEffect, apply, count, type Effect, insert } from '../../db/effects.ts';
import { blockById } from '../../db/queries/block.ts';
import type { Thread } from '../../db/queries/conversation.ts';
import type { Read } from '../../db/store.ts';
import type { Ctx } from '../contract/context.ts';
import { isPlatform } from '../domain/agent/platform.ts';
import { blockGate, blockId } from '../domain/conversation/block.ts';
import { PHASES, subject } from '../domain/conversation/conversation.ts';
import { fault } from '../domain/fault.ts';
import { counterKey, nextMonthStart, PLANS, planLimit } from '../domain/identity/plan.ts';
import { unreadOf } from '../schemas/conversation.ts';
import { type Recipient, tell } from './event.ts';
import { type Pilot, wakePilot } from './negotiation/autopilot.ts';

/** Counted for plans without a limit too: the figure is shown, and a downgrade finds it. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Who of two sides blocks the other, read before a thread is opened between them. */
export interface Blocking {
  readonly opener: boolean;
  readonly other: boolean;
}

/** Reads whether `opener_id` blocks `other_id`, and the other way round. A block that ends meanwhile is looked at again;
 * one that comes meanwhile is stopped by the gate. */
export async function readBlocking(read: Read, opener_id: string, other_id: string): Promise<Blocking> {
  const [own, theirs] = await Promise.all([
    read(blockById, { id: blockId(opener_id, other_id) }),
    read(blockById, { id: blockId(other_id, opener_id) }),
  ]);
  return { opener: own !== null, other: theirs !== null };
}

export interface Opening {
  /** The side that starts it; its account is the caller's, whose plan pays for the count. */
  readonly opener: Recipient & Pilot;
  readonly other: Recipient & Pilot;
  readonly match_id: string | null;
  /** The headline of the listing that brought them together, or the first message; cut to one line. */
  readonly subject: string;
  /** What `readBlocking` read. */
  readonly blocks: Blocking;
  /** The first message, where the thread begins with one; its row and event are the caller's effects. */
  readonly message_id?: string;
  /** Whether that message begins a task of the opener's. */
  readonly begins_task?: boolean;
  /** False for threads that no plan counts, such as those that the service itself opens. */
  readonly metered?: boolean;
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
export function openConversation(
  ctx: Ctx,
  { opener, other, match_id, subject: about, blocks, message_id, begins_task = false, metered = true }: Opening,
): { readonly conversation_id: string; readonly effects: Effect<'plan_limit' | 'blocked'>[] } {
  const conversation_id = ctx.id();
  const phase = PHASES[0];
  const row = insert('conversations', {
    id: conversation_id,
    opener_id: opener.id,
    other_id: other.id,
    match_id,
    phase,
    status: 'open',
    subject: subject(about, null),
    ...(message_id !== undefined && { last_message_id: message_id, last_n: 1, opener_sent: 1 }),
    ...(begins_task && { opener_tasks: 1 }),
    opener_blocks: blocks.opener ? 1 : 0,
    created_at: ctx.now_ms,
    updated_at: ctx.now_ms,
  });
  const news = { conversation_id, counterparty_handle: opener.handle, phase };
  const started = isPlatform(other.id) ? [] : [tell(ctx, other, 'conversation.started', news)];
  // Whoever is written to answers; where nothing is written yet, whoever opens it begins.
  const begins = wakePilot(message_id === undefined ? opener : other, conversation_id, ctx.now_ms);
  const gate = count(blockGate(other.id, opener.id), 0, fault('blocked'), null, 0);
  return { conversation_id, effects: [gate, ...(metered ? [countConversation(ctx)] : []), row, ...started, ...begins] };
}

// Marks a thread as read: the same for a page of its messages and for the thread itself. As in the inbox, a key's
// reading counts and a session's does not, so that a person who looks in takes nothing from the agent (Q111).

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
