// The facts of an agent's turn: the conversation with its proposals, the newest messages, earlier turns, the deal; and whether it is the
// agent's turn.
import { messagesOf } from '../../../db/queries/conversation.ts';
import { dealById } from '../../../db/queries/deal.ts';
import { turnsOf } from '../../../db/queries/negotiation.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { acceptsMessages } from '../../domain/conversation/conversation.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { decideWithinHours } from '../../domain/listing/conditions.ts';
import type { Temper } from '../../domain/negotiation/bargain.ts';
import { isBeaten } from '../../domain/negotiation/negotiator.ts';
import type { Preferences } from '../../domain/negotiation/package.ts';
import { saidFault, tellsBound } from '../../domain/negotiation/told.ts';
import type { Comparing, SaidBefore, TurnFacts } from '../../domain/negotiation/turn.ts';
import { NEWEST, OLDEST } from '../message/thread.ts';
import type { Purse, Word } from './agree.ts';
import { comparingIn, type Rival, readRivals, sideOf } from './compared.ts';
import { isAgreed, openProposal, readTalk, type Talk } from './find.ts';
import type { Known } from './known.ts';
import { listedFor, listingFacts } from './listed.ts';
import { boundsAbout, manner } from './scale.ts';
import { readAlone, readPurse, readWord } from './word.ts';

/** More than any two sides write; what lies before is no part of the bargain. */
const MESSAGES = 60;
const TURNS = 30;

/** The facts of an agent's turn. */
export interface Course {
  readonly talk: Talk;
  /** Newest first. */
  readonly messages: readonly Row<'messages'>[];
  readonly turns: readonly Row<'turns'>[];
  readonly deal: Row<'deals'> | null;
  readonly purse: Purse | null;
  /** The other side's approval of the open proposal. */
  readonly word: Word | null;
  /** The counter that prevents buying the same twice by itself. */
  readonly once: string | null;
  /** What the agent compares for its listing, best first. */
  readonly held: readonly Rival[];
  readonly compare: Comparing | null;
  readonly scale: Preferences | null;
  readonly temper: Temper;
  /** The agent's public knowledge about the other side's last questions. */
  readonly known: string | null;
}

/** Reads it for one of the sides; null for other agents. */
export async function readCourse(
  read: Read,
  conversation_id: string,
  me: Row<'agents'>,
  ctx: Ctx,
  known: Known | null,
): Promise<Course | null> {
  const whole = await readTalk(read, conversation_id, me);
  if (!whole) return null;
  const { allowed, once } = await readAlone(read, { conversation_id, listing: whole.mine });
  const talk = { ...whole, agrees_alone: whole.agrees_alone && allowed };
  const { deal_id } = talk.conversation;
  const stands = openProposal(talk);
  const word = await readWord(read, ctx, talk, stands);
  const { mine } = talk;
  // While the other side compares this proposal, this one waits for its choice.
  const theirs_to_choose =
    stands !== null &&
    stands.compared_for !== null &&
    stands.compared_for !== mine?.id &&
    !isAgreed(stands, talk.other.id);
  const compares =
    mine !== null && allowed && !theirs_to_choose && (decideWithinHours(mine) > 0 || stands?.compared_for === mine.id);
  const { scale, temper } = manner(ctx, talk.me, mine, mine && sideOf(mine));
  const [held, messages, turns, deal, purse] = await Promise.all([
    compares ? readRivals(read, mine, scale, ctx.now_ms) : [],
    read.peek(messagesOf, { conversation_id, after: OLDEST, before: NEWEST, limit: MESSAGES }),
    read.peek(turnsOf, { conversation_id, agent_id: me.id, limit: TURNS }),
    deal_id === null ? null : read.peek(dealById, { id: deal_id }),
    stands && readPurse(read, ctx, talk, { buyer_id: stands.buyer_id, word }),
  ]);
  return {
    talk,
    messages,
    turns,
    deal,
    purse,
    word,
    once,
    held,
    scale,
    temper,
    compare: compares ? comparingIn(mine, held, { conversation_id, scale, now_ms: ctx.now_ms }) : null,
    known: known && known.message_id === messages[0]?.id ? known.text : null,
  };
}

/** Whether an agent has more to say about a proposal that it compares, after a message of its own: it is time to agree to it, or there is a
 * better one by now. */
function goesOn({ talk, compare, scale }: Course, last: Row<'messages'>): boolean {
  const open = openProposal(talk);
  if (!compare || !open || !talk.mine || open.compared_for !== talk.mine.id || compare.chosen_elsewhere) return false;
  if (isAgreed(open, talk.me.id)) return false;
  if (compare.due && compare.is_best) return true;
  return isBeaten({ compare, side: sideOf(talk.mine), scale }, open) && open.outbid_at !== last.created_at;
}

/** Whether it is an agent's turn: after a message of the other side, or, before the first message, when it opened the conversation. */
function isMyTurn(course: Course): boolean {
  const { talk, messages } = course;
  // The service's notice of an answer to a proposal counts as a message of the side that answered.
  const [last] = messages;
  if (last) return last.sender_id !== talk.me.id || goesOn(course, last);
  return talk.conversation.opener_id === talk.me.id;
}

/** The messages of the thread, newest first, as its negotiator reads them. */
export function saidIn({ talk, messages }: Course): SaidBefore[] {
  return messages.map(({ sender_id, content, kind }) => ({ mine: sender_id === talk.me.id, content, kind }));
}

/** The same in the form of the negotiator. */
export function factsOf(ctx: Ctx, course: Course, instruction: string | null): TurnFacts {
  const { talk, turns, deal, known, word, compare, temper, scale } = course;
  const [last] = course.messages;
  const said = saidIn(course);
  const { me, conversation, mine, theirs, my_side } = talk;
  const open = openProposal(talk);
  // An expired proposal no longer counts.
  const stands = open && open.expires_at > ctx.now_ms ? open : null;
  const side = stands ? (stands.buyer_id === me.id ? 'buyer' : 'seller') : my_side;
  const listing = mine && listingFacts(mine);
  const agreed = stands && isAgreed(stands, me.id);
  const bounds = boundsAbout(me, mine, side);
  return {
    side,
    opened_by_me: conversation.opener_id === me.id,
    phase: conversation.phase,
    listing,
    asked_cents: listedFor(mine, theirs).asked,
    bounds,
    agrees_alone: talk.agrees_alone,
    goals: mine?.goals ?? null,
    ...(side === (mine && sideOf(mine)) ? { temper, scale } : manner(ctx, me, mine, side)),
    said,
    before: turns.map(({ reasons }) => reasons),
    proposal: stands && {
      mine: stands.by_id === me.id,
      agreed: agreed === true,
      other_agreed: word?.stands === true,
      amount_cents: stands.amount_cents,
      issues: stands.issues,
      terms: [stands.terms, ...stands.milestones.map(({ title }) => title)].join('\n'),
      held: mine !== null && stands.compared_for === mine.id && !agreed,
      outbid: last !== undefined && last.sender_id !== me.id && stands.outbid_at === last.created_at,
    },
    compare,
    has_deal: deal !== null && deal.status === 'open',
    // Text that is harmless alone may reveal private data after earlier messages, or a limit.
    known:
      known !== null && (saidFault(known, said) || tellsBound(known, me.bounds) || tellsBound(known, bounds))
        ? null
        : known,
    instruction,
  };
}

export function turnFault(course: Course, now_ms: number): Fault<'conversation_closed' | 'not_your_turn'> | null {
  const { talk } = course;
  const { conversation } = talk;
  const { status } = conversation;
  if (!acceptsMessages(conversation, now_ms)) return fault('conversation_closed', undefined, { status });
  // The other side's proposal outside the bounds is bargained on like any other: staying silent only there would reveal the
  // bound.
  const waits = talk.live.some(
    (row) => row.by_id === talk.me.id && row.status === 'withheld' && row.expires_at > now_ms,
  );
  if (waits) return fault('not_your_turn', 'Its person has to decide on its own proposal first.');
  return isMyTurn(course) ? null : fault('not_your_turn');
}

/** The state of a thread, to detect changes: its last message and the version of each proposal. Proposals that the other side withholds
 * are left out, because they must stay unnoticed. */
export function stateOf({ talk }: Pick<Course, 'talk'>): string {
  const seen = talk.live.filter(({ status, by_id }) => status !== 'withheld' || by_id === talk.me.id);
  return [talk.conversation.last_n, ...seen.map(({ id, version }) => `${id}.${version}`)].join(' ');
}
