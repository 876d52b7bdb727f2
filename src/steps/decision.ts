// Counts what the person of the acting agent has to decide, by the rule of the app's list: one for each conversation.
import { dealsToPay } from '../../db/queries/deal.ts';
import { conversationOfEscrow, escrowsToDeliver } from '../../db/queries/escrow.ts';
import { eventsWaiting } from '../../db/queries/inbox.ts';
import { begunIn } from '../../db/queries/negotiation.ts';
import type { InboxEvent, Read } from '../../db/store.ts';
import { actor, type Ctx } from '../contract/context.ts';
import { type Decision, decisionKey } from '../domain/inbox/decision.ts';
import { undecidedMatches } from './match/find.ts';

/** As many deals and escrows are looked at. */
const LOOKED_AT = 100;
/** As many events and matches the list of the app shows. */
const EVENTS_SHOWN = 50;
const MATCHES_SHOWN = 20;

type Counted = Pick<Decision, 'id' | 'conversation_id'>;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The events, with the conversations of the escrows that they are about. */
async function ofEvents(read: Read, events: readonly InboxEvent[]): Promise<Counted[]> {
  const conversations = new Map<string, string | null>();
  const counted: Counted[] = [];
  for (const { id, data } of events) {
    const escrow_id = textOf(data['escrow_id']);
    let conversation_id = textOf(data['conversation_id']);
    if (conversation_id === null && escrow_id !== null) {
      if (!conversations.has(escrow_id)) {
        const escrow = await read.peek(conversationOfEscrow, { id: escrow_id });
        conversations.set(escrow_id, escrow?.conversation_id ?? null);
      }
      conversation_id = conversations.get(escrow_id) ?? null;
    }
    counted.push({ id, conversation_id });
  }
  return counted;
}

/** The undecided matches whose conversation has no proposal under way or agreed yet. */
async function ofMatches(read: Read, ctx: Ctx): Promise<Counted[]> {
  const agent_id = actor(ctx).id;
  const counted: Counted[] = [];
  for (const { match_id: id, conversation_id } of await undecidedMatches(read, ctx, MATCHES_SHOWN)) {
    const begun =
      conversation_id !== null && (await read.peek(begunIn, { conversation_id, agent_id, now_ms: ctx.now_ms }));
    if (!begun) counted.push({ id, conversation_id });
  }
  return counted;
}

export async function countDecisions(read: Read, ctx: Ctx): Promise<number> {
  const { id } = actor(ctx);
  const [events, deals, escrows, matches] = await Promise.all([
    read.peek(eventsWaiting, { agent_id: id, now_ms: ctx.now_ms, limit: EVENTS_SHOWN }),
    read.peek(dealsToPay, { buyer_id: id, looked_at: LOOKED_AT }),
    read.peek(escrowsToDeliver, { seller_id: id, limit: LOOKED_AT }),
    ofMatches(read, ctx),
  ]);
  const asked = await ofEvents(read, events);
  return new Set([...asked, ...deals, ...escrows, ...matches].map(decisionKey)).size;
}
