// Counts what the person of the acting agent has to decide, by the rule of the app's list: one for each conversation.
import { dealsToPay } from '../../db/queries/deal.ts';
import { escrowById, escrowsToDeliver } from '../../db/queries/escrow.ts';
import { eventsWaiting } from '../../db/queries/inbox.ts';
import type { InboxEvent, Read } from '../../db/store.ts';
import { actor, type Ctx } from '../contract/context.ts';
import { type Decision, decisionKey, isBegun } from '../domain/inbox/decision.ts';
import { isKept } from '../domain/negotiation/proposal.ts';
import { statusAt } from '../schemas/proposal.ts';
import { undecidedMatches } from './match/find.ts';
import { newestProposals } from './negotiation/newest.ts';

/** As many of each kind are looked at. */
const LOOKED_AT = 100;
/** As many matches and proposals the list of the app shows. */
const SHOWN = 20;

type Counted = Pick<Decision, 'id' | 'conversation_id'>;

async function ofEvent(read: Read, { id, data }: InboxEvent): Promise<Counted> {
  const { conversation_id = null, escrow_id } = data;
  if (typeof conversation_id === 'string') return { id, conversation_id };
  const escrow = typeof escrow_id === 'string' ? await read.peek(escrowById, { id: escrow_id }) : null;
  return { id, conversation_id: escrow?.conversation_id ?? null };
}

/** The undecided matches whose conversation has no proposal under way yet. */
async function ofMatches(read: Read, ctx: Ctx): Promise<Counted[]> {
  const rows = await undecidedMatches(read, ctx, SHOWN);
  const talked = rows.some(({ conversation_id }) => conversation_id !== null);
  const agent_id = actor(ctx).id;
  const proposals = talked
    ? await newestProposals(read.peek, { agent_id, after: null, limit: SHOWN, waiting_at: null })
    : [];
  const begun = new Set(
    proposals
      // What the other side withholds changes no number.
      .filter(({ proposal }) => !isKept(proposal, agent_id) && isBegun(statusAt(proposal, ctx.now_ms)))
      .map(({ proposal }) => proposal.conversation_id),
  );
  return rows
    .filter(({ conversation_id }) => conversation_id === null || !begun.has(conversation_id))
    .map(({ match_id: id, conversation_id }) => ({ id, conversation_id }));
}

export async function countDecisions(read: Read, ctx: Ctx): Promise<number> {
  const { id } = actor(ctx);
  const [events, deals, escrows, matches] = await Promise.all([
    read.peek(eventsWaiting, { agent_id: id, now_ms: ctx.now_ms, limit: LOOKED_AT }),
    read.peek(dealsToPay, { buyer_id: id, looked_at: LOOKED_AT }),
    read.peek(escrowsToDeliver, { seller_id: id, limit: LOOKED_AT }),
    ofMatches(read, ctx),
  ]);
  const asked = await Promise.all(events.map((event) => ofEvent(read, event)));
  return new Set([...asked, ...deals, ...escrows, ...matches].map(decisionKey)).size;
}
