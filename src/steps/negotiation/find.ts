// A conversation as proposing or answering a proposal needs it: its sides with their bounds, who sells, the live proposals. And the
// payees of waiting actions.
import { agentById } from '../../../db/queries/agent.ts';
import { type Thread, wholeThread } from '../../../db/queries/conversation.ts';
import { dealById } from '../../../db/queries/deal.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { listingById } from '../../../db/queries/listing.ts';
import { matchById } from '../../../db/queries/match.ts';
import { liveProposals, newestNumber, newestWithheld } from '../../../db/queries/negotiation.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { asksPerson, type DealSide, withheldRange } from '../../domain/negotiation/proposal.ts';
import { isParty } from '../../schemas/conversation.ts';
import type { Sides } from '../../schemas/proposal.ts';
import { type Called, readCalled } from '../agent/load.ts';
import type { PostThread } from '../message/post.ts';
import { threadToPost } from '../message/thread.ts';
import { keyOf } from './timeout.ts';

/** A conversation with its negotiation. */
export interface Talk extends Sides {
  readonly thread: Thread;
  /** The same as its writer needs it. */
  readonly post: PostThread;
  readonly me: Row<'agents'>;
  readonly other: Row<'agents'>;
  /** Whether the acting agent may agree without its person here, as far as its bounds let it. */
  readonly agrees_alone: boolean;
  /** The caller's side by the match or deal that brought the two together; null when unknown. */
  readonly my_side: DealSide | null;
  /** The listings of the match, if any. */
  readonly mine: Row<'listings'> | null;
  readonly theirs: Row<'listings'> | null;
  /** Newest first, none of them decided. */
  readonly live: readonly Row<'proposals'>[];
  readonly number: number;
  /** The number of what this side withheld last; null for nothing. */
  readonly withheld: number | null;
  /** To the person of each side, about what this one put. */
  readonly letters: { readonly mine: number; readonly theirs: number };
}

function sideIn({ buyer_id }: { readonly buyer_id: string }, agent_id: string): DealSide {
  return buyer_id === agent_id ? 'buyer' : 'seller';
}

async function sideBefore(read: Read, { conversation }: Thread, me: string): Promise<DealSide | null> {
  const deal = conversation.deal_id === null ? null : await read.peek(dealById, { id: conversation.deal_id });
  return deal && sideIn(deal, me);
}

/** Reads it for one of its sides; null for other agents. */
export async function readTalk(
  read: Read,
  conversation_id: string,
  me: Row<'agents'>,
  now_ms: number,
): Promise<Talk | null> {
  const thread = await read.peek(wholeThread, { id: conversation_id, limit: 1 });
  if (!isParty(thread, me.id)) return null;
  const { conversation } = thread;
  const other_id = conversation.opener_id === me.id ? conversation.other_id : conversation.opener_id;
  // The number is read first: a proposal put after it takes this turn's number, and one put before is among the live ones. In the other
  // order a proposal between the two reads would be missed but counted.
  const newest = await read.peek(newestNumber, { conversation_id });
  // The current bounds: the caller's row may have been read before another node changed them.
  const [post, own, other, live, withheld, mine_told, theirs_told, match] = await Promise.all([
    threadToPost(read, conversation_id, me.id),
    read(agentById, { id: me.id }),
    read(agentById, { id: other_id }),
    read(liveProposals, { conversation_id }),
    read.peek(newestWithheld, { conversation_id, ...withheldRange(conversation.opener_id === me.id) }),
    readLetters(read, me.id, me, now_ms),
    readLetters(read, other_id, me, now_ms),
    conversation.match_id === null ? null : read.peek(matchById, { match_id: conversation.match_id }),
  ]);
  if (!own || !other) return null;
  const offers = match?.offer_agent_id === me.id;
  const [mine_id, theirs_id] = match
    ? offers
      ? [match.offer_id, match.seek_id]
      : [match.seek_id, match.offer_id]
    : [];
  const [mine, theirs, my_account, their_account] = await Promise.all([
    mine_id === undefined ? null : read.peek(listingById, { id: mine_id }),
    theirs_id === undefined ? null : read.peek(listingById, { id: theirs_id }),
    read.peek(accountById, { id: own.account_id }),
    read.peek(accountById, { id: other.account_id }),
  ]);
  return {
    thread,
    post,
    me: own,
    other,
    agrees_alone: !asksPerson(own.bounds, other.id),
    my_side: match ? (offers ? 'seller' : 'buyer') : await sideBefore(read, thread, me.id),
    mine,
    theirs,
    live,
    number: Math.max(0, newest?.number ?? 0),
    withheld: withheld?.number ?? null,
    letters: { mine: mine_told, theirs: theirs_told },
    handleOf: (id) => (id === me.id ? me.handle : other.handle),
    planOf: (id) => (id === me.id ? my_account : their_account)?.plan ?? 'free',
  };
}

/** The open proposal, or null. */
export function openProposal({ live }: Pick<Talk, 'live'>): Row<'proposals'> | null {
  return live.find(({ status }) => status === 'open') ?? null;
}

/** Whether a side has agreed to a proposal. */
export function isAgreed({ buyer_id, buyer_at, seller_at }: Row<'proposals'>, agent_id: string): boolean {
  return (buyer_id === agent_id ? buyer_at : seller_at) !== null;
}

/** The side of the acting agent in the open proposal, or null. */
export function standingSide(talk: Pick<Talk, 'live' | 'me'>): DealSide | null {
  const open = openProposal(talk);
  return open && sideIn(open, talk.me.id);
}

/** The current handles of those to be paid, or charged. */
export async function payeesOf(
  read: Read,
  rows: readonly Row<'actions'>[],
): Promise<(row: Row<'actions'>) => Called | null> {
  const called = await readCalled(
    read,
    rows.flatMap(({ to_id }) => to_id ?? []),
  );
  return ({ to_id }) => called.get(to_id ?? '') ?? null;
}

/** The letters of today to the person of an agent, about what one agent's account put. */
async function readLetters(
  read: Read,
  to_id: string,
  by: Pick<Row<'agents'>, 'account_id'>,
  now_ms: number,
): Promise<number> {
  return (await read.peek(counterById, { id: keyOf(to_id, by, now_ms) }))?.n ?? 0;
}
