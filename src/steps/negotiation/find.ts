// A conversation as proposing or answering a proposal needs it: its sides with their bounds, who sells, the live proposals. And the
// payees of waiting actions.
import { agentById } from '../../../db/queries/agent.ts';
import { conversationToTurn } from '../../../db/queries/conversation.ts';
import { dealById } from '../../../db/queries/deal.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { listingById } from '../../../db/queries/listing.ts';
import { matchById } from '../../../db/queries/match.ts';
import { liveProposals, newestNumber, newestWithheld } from '../../../db/queries/negotiation.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { asksPerson, type DealSide, withheldRange } from '../../domain/negotiation/proposal.ts';
import type { Sides } from '../../schemas/proposal.ts';
import { type Called, readCalled } from '../agent/load.ts';
import type { PostThread } from '../message/post.ts';
import { withAnswers } from '../message/thread.ts';
import { keyOf } from './timeout.ts';

/** A conversation with its negotiation. */
export interface Talk {
  readonly conversation: Row<'conversations'>;
  /** The same as its writer needs it. */
  readonly post: NonNullable<PostThread>;
  readonly me: Row<'agents'>;
  readonly other: Row<'agents'>;
  /** Whether the acting agent may agree without its person here, as far as its bounds let it. */
  readonly agrees_alone: boolean;
  /** The caller's side by the match or deal that brought the two together; null when unknown. */
  readonly my_side: DealSide | null;
  /** The listings of the match, if any. */
  readonly mine: Row<'listings'> | null;
  readonly theirs: Row<'listings'> | null;
  /** The undecided proposals, newest first. */
  readonly live: readonly Row<'proposals'>[];
}

/** The same with what proposing and answering take. */
export interface ProposalTalk extends Talk, Sides {
  /** The number of the newest proposal that both sides see; 0 before the first. */
  readonly number: number;
  /** The number of what this side withheld last; null for nothing. */
  readonly withheld: number | null;
  /** To the person of each side, about what this one put. */
  readonly letters: { readonly mine: number; readonly theirs: number };
}

function sideIn({ buyer_id }: { readonly buyer_id: string }, agent_id: string): DealSide {
  return buyer_id === agent_id ? 'buyer' : 'seller';
}

async function sideBefore(
  read: Read,
  { deal_id }: Pick<Row<'conversations'>, 'deal_id'>,
  me: string,
): Promise<DealSide | null> {
  const deal = deal_id === null ? null : await read.peek(dealById, { id: deal_id });
  return deal && sideIn(deal, me);
}

/** Reads it for one of its sides; null for other agents. */
export async function readTalk(read: Read, conversation_id: string, me: Row<'agents'>): Promise<Talk | null> {
  const found = await read.peek(conversationToTurn, { id: conversation_id });
  if (!found) return null;
  const { conversation, last_sender_id, last_at } = found;
  const { opener_id, match_id } = conversation;
  if (opener_id !== me.id && conversation.other_id !== me.id) return null;
  const opened = opener_id === me.id;
  const other_id = opened ? conversation.other_id : opener_id;
  // The current bounds: the caller's row may have been read before another node changed them.
  const [own, other, live, match] = await Promise.all([
    read(agentById, { id: me.id }),
    read(agentById, { id: other_id }),
    read(liveProposals, { conversation_id }),
    match_id === null ? null : read.peek(matchById, { match_id }),
  ]);
  if (!own || !other) return null;
  const [opener, joined] = opened ? [own, other] : [other, own];
  const sides = {
    ...{ opener_handle: opener.handle, opener_autopilot: opener.autopilot },
    ...{ other_handle: joined.handle, other_autopilot: joined.autopilot },
  };
  const thread = { ...conversation, ...sides, last_sender_id, last_at, approved_by: match?.approved_by ?? null };
  const offers = match?.offer_agent_id === me.id;
  const [mine_id, theirs_id] = match
    ? offers
      ? [match.offer_id, match.seek_id]
      : [match.seek_id, match.offer_id]
    : [];
  const [mine, theirs, post] = await Promise.all([
    mine_id === undefined ? null : read.peek(listingById, { id: mine_id }),
    theirs_id === undefined ? null : read.peek(listingById, { id: theirs_id }),
    withAnswers(read, thread, me.id),
  ]);
  return {
    ...{ conversation, post, me: own, other, mine, theirs, live },
    agrees_alone: !asksPerson(own.bounds, other.id),
    my_side: match ? (offers ? 'seller' : 'buyer') : await sideBefore(read, conversation, me.id),
  };
}

/** Reads what proposing and answering take. A proposal that is put between this and the reads before changes the conversation, so that
 * the turn decides again. */
export async function toPropose(read: Read, talk: Talk, now_ms: number): Promise<ProposalTalk> {
  const { conversation, me, other } = talk;
  const { id: conversation_id } = conversation;
  const opened = conversation.opener_id === me.id;
  const [newest, withheld, mine_told, theirs_told, my_account, their_account] = await Promise.all([
    read.peek(newestNumber, { conversation_id }),
    read.peek(newestWithheld, { conversation_id, ...withheldRange(opened) }),
    readLetters(read, me.id, me, now_ms),
    readLetters(read, other.id, me, now_ms),
    read.peek(accountById, { id: me.account_id }),
    read.peek(accountById, { id: other.account_id }),
  ]);
  return {
    ...talk,
    number: Math.max(0, newest?.number ?? 0),
    withheld: withheld?.number ?? null,
    letters: { mine: mine_told, theirs: theirs_told },
    handleOf: (id) => (id === me.id ? me.handle : other.handle),
    planOf: (id) => (id === me.id ? my_account : their_account)?.plan ?? 'free',
  };
}

/** Reads a conversation for proposing and answering, for one of its sides; null for other agents. */
export async function readProposalTalk(
  read: Read,
  conversation_id: string,
  me: Row<'agents'>,
  now_ms: number,
): Promise<ProposalTalk | null> {
  const talk = await readTalk(read, conversation_id, me);
  return talk && toPropose(read, talk, now_ms);
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
