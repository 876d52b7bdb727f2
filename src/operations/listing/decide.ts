// Decides on the proposals that an agent compares for a listing: at the time that it named, and again where the chosen one comes to
// nothing. An agent on autopilot agrees to the best by a turn of its own; otherwise its person is asked. Once as many deals as the listing
// wants are made and paid, the conversations of the others are closed, on autopilot also those in which the other side compares.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { type Thread, wholeThread } from '../../../db/queries/conversation.ts';
import { listingById } from '../../../db/queries/listing.ts';
import { openTalksOfOffer, openTalksOfSeek } from '../../../db/queries/match.ts';
import { decisionOn, liveProposals } from '../../../db/queries/negotiation.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { acceptsMessages } from '../../domain/conversation/conversation.ts';
import { dealsWanted } from '../../domain/listing/conditions.ts';
import { agreesAlone } from '../../domain/negotiation/goal.ts';
import type { DealSide } from '../../domain/negotiation/proposal.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { TAKE_TURN } from '../../steps/negotiation/autopilot.ts';
import { closeConversation } from '../../steps/negotiation/close.ts';
import { chosenOf, decidesAt, type Held, readDealsAbout, readHeld, sideOf } from '../../steps/negotiation/compared.ts';
import { DECIDE, type Done, decideAt } from '../../steps/negotiation/decide-later.ts';
import { type ProposalTalk, readProposalTalk } from '../../steps/negotiation/find.ts';
import { listedFor } from '../../steps/negotiation/listed.ts';
import { askSide } from '../../steps/negotiation/propose.ts';
import { manner } from '../../steps/negotiation/scale.ts';
import { readAlone } from '../../steps/negotiation/word.ts';
import { remind } from '../../steps/reminder.ts';

/** How long a chosen counterparty, a payment or a person is waited for before it looks again. */
const LOOK_MS = HOUR_MS;

/** Conversations that one run closes at most. */
const CLOSED_MAX = 20;

/** How long the other side of the chosen one has for its yes while there are others. */
const CHOSEN_MS = 24 * HOUR_MS;

interface Other {
  readonly thread: Thread;
  readonly live: readonly Row<'proposals'>[];
}

interface Found {
  readonly listing: Row<'listings'>;
  readonly agent: Row<'agents'>;
  readonly held: readonly Held[];
  readonly deals: { readonly made: number; readonly unpaid: boolean };
  /** The conversation of the best. */
  readonly talk: ProposalTalk | null;
  /** Whether the listing lets the agent make another deal there by itself. */
  readonly allowed: boolean;
  /** The chosen one, if its time for a yes is over, it is the agent's own choice, and there are others. */
  readonly silent: Held | null;
  /** Whether there are other conversations, where the listing has what it wants; and those, once its deals are paid. */
  readonly has_others: boolean;
  readonly others: readonly Other[];
}

/** Whether the listing has what it wants. */
function isServed({ listing, deals }: Pick<Found, 'listing' | 'deals'>): boolean {
  const wanted = dealsWanted(listing);
  return wanted !== null && deals.made >= wanted;
}

/** Ends the conversations of those that were not chosen. */
function closeOthers(ctx: Ctx, { agent, others }: Found): Effect<'conversation_closed'>[] {
  return others
    .filter(({ thread }) => acceptsMessages(thread.conversation, ctx.now_ms))
    .flatMap(({ thread, live }) => closeConversation(ctx, { thread, live, by_id: agent.id, reason: 'other_chosen' }));
}

/** Whether the agent may agree to the best by itself. */
function isAlone({ listing, agent, talk, allowed }: Found, bid: Held): boolean {
  if (agent.autopilot !== 1 || !talk?.agrees_alone || !allowed) return false;
  const { asked: asked_cents } = listedFor(talk.mine, talk.theirs);
  return agreesAlone({ side: sideOf(listing), bounds: agent.bounds, goals: listing.goals, asked_cents }, bid);
}

/** Has the agent agree to the best, or asks its person once: also where the agent was to agree and did not. */
function choose(ctx: Ctx, found: Found, best: Held, { asked, tried }: Done): Effect<never>[] {
  const { listing, agent, talk } = found;
  const look = (done: Done) => decideAt(listing.id, ctx.now_ms + LOOK_MS, ctx.now_ms, done);
  if (asked === best.id || !talk) return [look({ asked: best.id })];
  if (tried !== best.id && isAlone(found, best)) {
    const which = { at: ctx.now_ms, key: `${best.conversation_id}:${agent.id}`, now_ms: ctx.now_ms };
    const turn = remind(TAKE_TURN, { conversation_id: best.conversation_id, agent_id: agent.id }, which);
    return [turn, look({ tried: best.id })];
  }
  return [...askSide(ctx, talk, best.row, agent.id), look({ asked: best.id })];
}

/** The conversations of what it holds, and on autopilot all others about the listing that led to no deal. */
async function otherIds(
  read: Read,
  { listing, agent, held }: Pick<Found, 'listing' | 'agent' | 'held'>,
): Promise<string[]> {
  const query = listing.direction === 'seek' ? openTalksOfSeek : openTalksOfOffer;
  const about = { listing_id: listing.id, limit: CLOSED_MAX };
  const talks = agent.autopilot === 1 ? await read.peek(query, about) : [];
  const ids = new Set([...held.map(({ conversation_id }) => conversation_id), ...talks.map(({ id }) => id)]);
  return [...ids].slice(0, CLOSED_MAX);
}

async function readOthers(read: Read, ids: readonly string[]): Promise<Other[]> {
  const others = await Promise.all(
    ids.map(async (conversation_id) => ({
      thread: await read.peek(wholeThread, { id: conversation_id, limit: 1 }),
      live: await read(liveProposals, { conversation_id }),
    })),
  );
  return others.flatMap(({ thread, live }) => (thread ? [{ thread, live }] : []));
}

async function readSilent(
  read: Read,
  listing: Row<'listings'>,
  held: readonly Held[],
  now_ms: number,
): Promise<Held | null> {
  const chosen = chosenOf(held);
  const at = chosen?.chosen_at ?? null;
  if (!chosen || at === null || at > now_ms - CHOSEN_MS || held.length === 1) return null;
  const said = await read.peek(decisionOn, { agent_id: listing.agent_id, subject_id: chosen.id, at });
  return said?.by === 'person' ? null : chosen;
}

/** Takes the yes to it back: its other side may still agree, and then the person is asked. */
function passOver(side: DealSide, { row }: Held): Effect<never> {
  const back = side === 'buyer' ? { buyer_at: null, buyer_pays: 0 } : { seller_at: null };
  return patch('proposals', row, { ...back, compared_for: null, decides_at: null });
}

export const listingDecide = command({
  ...DECIDE,
  summary: 'Decide on the proposals that are compared for a listing',
  output: Type.Object({ held: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  faults: ['conversation_closed'],
  load: async (read, { listing_id }, ctx): Promise<Found | null> => {
    const listing = await read.peek(listingById, { id: listing_id });
    const agent = listing && (await read.peek(agentById, { id: listing.agent_id }));
    if (!listing || !agent || agent.deactivated_at !== null) return null;
    const { scale } = manner(ctx, agent, listing, sideOf(listing));
    const [held, deals] = await Promise.all([
      readHeld(read, listing, scale, ctx.now_ms),
      readDealsAbout(read, listing),
    ]);
    const [best] = held;
    const served = isServed({ listing, deals });
    const others = served ? await otherIds(read, { listing, agent, held }) : [];
    const about = best && !served ? { conversation_id: best.conversation_id, listing } : null;
    const talk = about && (await readProposalTalk(read, about.conversation_id, agent, ctx.now_ms));
    const alone = about && (await readAlone(read, about));
    return {
      listing,
      agent,
      held,
      deals,
      talk,
      allowed: alone?.allowed === true,
      silent: await readSilent(read, listing, held, ctx.now_ms),
      has_others: others.length > 0,
      others: deals.unpaid ? [] : await readOthers(read, others),
    };
  },
  decide: (found, { listing_id, ...done }, ctx) => {
    const reply = { held: found?.held.length ?? 0 };
    if (!found) return { reply, effects: [] };
    const { held, deals, listing, has_others, others } = found;
    const again = (at: number): Effect<never> => decideAt(listing_id, at, ctx.now_ms, done);
    if (isServed(found)) {
      if (has_others && deals.unpaid) return { reply, effects: [again(ctx.now_ms + LOOK_MS)] };
      const more = others.length === CLOSED_MAX ? [again(ctx.now_ms)] : [];
      return { reply, effects: [...closeOthers(ctx, found), ...more] };
    }
    const [best] = held;
    if (!best) return { reply, effects: [] };
    const at = decidesAt(held) ?? ctx.now_ms;
    if (at > ctx.now_ms) return { reply, effects: [again(at)] };
    const side = sideOf(listing);
    if (found.silent) return { reply, effects: [passOver(side, found.silent), again(ctx.now_ms)] };
    const chosen = chosenOf(held);
    if (chosen) return { reply, effects: [again(Math.min(chosen.row.expires_at, ctx.now_ms + LOOK_MS))] };
    return { reply, effects: choose(ctx, found, best, done) };
  },
});
