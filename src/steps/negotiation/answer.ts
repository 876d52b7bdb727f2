// A side's answer to a proposal. Approval by both makes the deal; a rejection ends it; approving one that waited for the proposer's own
// person shows it to the other side (rules.md 6). Programs may approve only within their person's bounds; people anything.

import { apply, type Effect, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { writeFault } from '../../domain/conversation/conversation.ts';
import { type Note, noteText } from '../../domain/conversation/note.ts';
import { dealTitle } from '../../domain/deal/deal.ts';
import { type Code, type Fault, fault, isFault } from '../../domain/fault.ts';
import { dealsWanted } from '../../domain/listing/conditions.ts';
import { answerFault, askingBound, isKept, proposalAfter, versionOf } from '../../domain/negotiation/proposal.ts';
import { eventWords } from '../../domain/words/events.ts';
import type { Unplaced } from '../../schemas/conversation.ts';
import { proposalView } from '../../schemas/proposal.ts';
import { post } from '../message/post.ts';
import { type Agreed, agree, onlyOnce, type Purse, type Word } from './agree.ts';
import { wakePilot } from './autopilot.ts';
import { decideAt } from './decide-later.ts';
import { isAgreed, openProposal, type ProposalTalk } from './find.ts';
import { askSide, decideAgain, endWaiting, mayPay, propose } from './propose.ts';
import { asStood, recordDecision, standing } from './standing.ts';

export const ANSWER_REFUSALS = [
  'not_found',
  'invalid_request',
  'no_proposal',
  'blocked',
  'conversation_closed',
  'proposal_replaced',
  'proposal_expired',
  'proposal_decided',
  'outside_bounds',
  'payment_required',
  'open_obligations',
  'conflict',
] as const satisfies readonly Code[];
type AnswerRefusal = (typeof ANSWER_REFUSALS)[number];

/** A proposal to which something was said. */
export interface Answered {
  readonly row: Row<'proposals'>;
  readonly agreed: Agreed | null;
  readonly message: Unplaced | null;
  readonly effects: readonly Effect<AnswerRefusal>[];
}

/** The selected proposal. */
export interface Meant {
  /** The named proposal; null when none was named and the open one is meant. */
  readonly named: Row<'proposals'> | null;
  readonly proposal_id: string | undefined;
  readonly version: number | undefined;
}

/** Whether a proposal has the version that was read. Withheld ones are numbered separately: a number without an id means the visible
 * proposal with it. */
function isVersion({ number }: ProposalTalk, row: Row<'proposals'>, { proposal_id, version }: Meant): boolean {
  if (version === undefined) return true;
  return version === versionOf(row.number) && (proposal_id !== undefined || row.number > 0 || version > number);
}

/** The proposal that is answered, or why there is none to answer. */
export function proposalMeant(
  talk: ProposalTalk,
  meant: Meant,
  now_ms: number,
): Row<'proposals'> | Fault<AnswerRefusal> {
  const own = talk.live.find(({ status, by_id }) => status === 'withheld' && by_id === talk.me.id);
  const open = openProposal(talk);
  // Without a name the visible proposal is meant, unless it is answered already.
  const answered = open !== null && isAgreed(open, talk.me.id);
  const row = meant.proposal_id === undefined ? ((answered ? own : open) ?? open ?? own) : meant.named;
  if (!row) return meant.proposal_id === undefined ? fault('no_proposal') : fault('not_found');
  if (isKept(row, talk.me.id) || row.conversation_id !== talk.conversation.id) return fault('not_found');
  const refusal = answerFault(row, now_ms) ?? (isVersion(talk, row, meant) ? null : fault('proposal_replaced'));
  if (refusal?.fault !== 'proposal_replaced') return refusal ?? row;
  const current = open ?? own ?? null;
  const proposal = current && proposalView(current, talk.me, talk, now_ms);
  const other = 'That is not the current version: read the proposal again before you answer it.';
  return fault('proposal_replaced', row.id === current?.id ? other : undefined, { proposal });
}

/** The refusal of a program's yes to what its person has to decide. */
function programFault({ me, agrees_alone }: ProposalTalk, row: Row<'proposals'>): Fault<'outside_bounds'> | null {
  const side = row.buyer_id === me.id ? 'buyer' : 'seller';
  const { amount_cents } = row;
  const other_id = side === 'buyer' ? row.seller_id : row.buyer_id;
  const asking = askingBound(me.bounds, side, amount_cents, other_id);
  const bound = asking ?? (agrees_alone ? null : 'auto_approve_below_cents');
  if (bound === null) return null;
  const message = 'Its person has to approve this, signed in.';
  const bound_cents = bound === 'policy' ? null : (me.bounds[bound] ?? null);
  const beyond = bound === 'min_charge_cents' ? -1 : 1;
  const distance_cents = bound_cents === null ? null : (bound_cents - amount_cents) * beyond;
  return fault('outside_bounds', message, { bound, bound_cents, distance_cents, proposal_id: row.id });
}

/** The recorded answer to the events of a proposal. */
function answeredBy(
  ctx: Ctx,
  { me }: ProposalTalk,
  row: Row<'proposals'>,
  action: string,
  reason: string | null,
): Effect<never> {
  const answered = { action, note: null, reason, at: ctx.now_ms };
  return { do: 'answer', agent_id: me.id, subject_id: row.id, answered, timed: false };
}

/** The live ones without this. */
function without({ live }: ProposalTalk, { id }: Row<'proposals'>): Row<'proposals'>[] {
  return live.filter((row) => row.id !== id);
}

/** What the service says of an answer, as a message. */
function noteOf(handle: string, code: Note['code'], { amount_cents }: Row<'proposals'>) {
  const note = { code, amount_cents };
  return { content: noteText(handle, note, eventWords()), kind: 'system', note } as const;
}

/** A proposal that takes no answer any more. */
function ended({ now_ms }: Ctx, row: Row<'proposals'>): Effect<never>[] {
  return [...endWaiting(row), ...decideAgain(row, now_ms)];
}

/** A proposal that became a deal: each side whose listing wants a number of deals sees whether it has them, and what becomes of its other
 * conversations. */
function concluded(ctx: Ctx, { mine, theirs }: ProposalTalk, row: Row<'proposals'>): Effect<never>[] {
  const { now_ms } = ctx;
  const counts = [mine, theirs]
    .filter((listing) => listing !== null && listing.id !== row.compared_for && dealsWanted(listing) !== null)
    .flatMap((listing) => (listing ? [decideAt(listing.id, now_ms, now_ms)] : []));
  return [...ended(ctx, row), ...counts];
}

/** A no. The other side reads of it, unless it never saw the proposal. */
export function reject(
  ctx: Ctx,
  talk: ProposalTalk,
  row: Row<'proposals'>,
  reason: string | null,
): Answered | Fault<AnswerRefusal> {
  const set = { status: proposalAfter(row.status, 'reject'), escalated_to: null };
  const said = [
    patch('proposals', row, set),
    recordDecision(ctx, talk.me, row, 'reject'),
    answeredBy(ctx, talk, row, 'reject', reason),
    ...ended(ctx, row),
  ];
  const after = { row: { ...row, ...set }, agreed: null };
  const left = without(talk, row);
  const guard = asStood(talk.conversation);
  if (row.status === 'withheld') {
    const { conversation } = talk;
    const opened = conversation.opener_id === talk.me.id;
    const written = apply(
      'conversations',
      conversation.id,
      (now) => standing(left, now.phase, ctx.now_ms)(now),
      (now) => writeFault(now, opened, ctx.now_ms) ?? guard(now),
    );
    // Its own turns waited for this answer; wake the agent, as no new message may follow.
    const wakes = wakePilot(talk.me, conversation.id, ctx.now_ms);
    return { ...after, message: null, effects: [written, ...said, ...wakes] };
  }
  const { content, ...said_by } = noteOf(talk.me.handle, 'proposal_declined', row);
  const changes = standing(left, 'negotiation', ctx.now_ms);
  const posted = post(ctx, talk.me, talk.post, content, { ...said_by, interested: false, changes, guard });
  if (isFault(posted)) return posted;
  return { ...after, message: posted.row, effects: [...posted.effects, ...said] };
}

/** The proposer's person releases a withheld proposal: it is put again under its id, as if by that person, so that the other side cannot
 * see that it waited and was outside the bounds. */
function release(ctx: Ctx, talk: ProposalTalk, before: Row<'proposals'>): Answered | Fault<AnswerRefusal> {
  const { buyer_id, amount_cents, terms, issues, milestones, escrow_terms } = before;
  const side = buyer_id === talk.me.id ? 'buyer' : 'seller';
  const put = propose(ctx, talk, { side, amount_cents, terms, issues, milestones, escrow_terms }, before);
  if (isFault(put)) return put;
  const { row, message, effects } = put;
  return { row, agreed: null, message, effects: [answeredBy(ctx, talk, before, 'approve', null), ...effects] };
}

/** The offer of the match that brought the two together. */
function offerIn({ mine, theirs }: ProposalTalk, side: 'buyer' | 'seller'): Row<'listings'> | null {
  return side === 'seller' ? mine : theirs;
}

/** The facts for an approval: the buyer's purse, and the other side's current answer. */
export interface Agreeing {
  readonly purse: Purse | null;
  readonly word: Word | null;
  /** The counter that lets only one of several concurrent deals about the own listing pass; null where it wants any number. */
  readonly once: string | null;
}

const dealt = ({ status }: Row<'proposals'>, { deal }: Agreed) => ({
  status: proposalAfter(status, 'agree'),
  deal_id: deal.id,
});

/** Approves a proposal: by both sides it makes the deal. An earlier approval by a program that its person's bounds no longer allow is
 * withdrawn, and its person is asked. */
export function approve(
  ctx: Ctx,
  talk: ProposalTalk,
  before: Row<'proposals'>,
  { purse, word, once }: Agreeing,
): Answered | Fault<AnswerRefusal> {
  const { me, other } = talk;
  if (other.deactivated_at !== null) return fault('not_found', 'The other side was deactivated.');
  const side = before.buyer_id === me.id ? 'buyer' : 'seller';
  if ((side === 'buyer' ? before.buyer_at : before.seller_at) !== null) {
    return { row: before, agreed: null, message: null, effects: [] };
  }
  const barred = ctx.principal.kind === 'session' ? null : programFault(talk, before);
  if (barred) return barred;
  if (before.status === 'withheld') return release(ctx, talk, before);
  const given =
    side === 'buyer' ? { buyer_at: ctx.now_ms, buyer_pays: mayPay(ctx, talk) ? 1 : 0 } : { seller_at: ctx.now_ms };
  const lapsed = word !== null && !word.stands;
  const taken_back = side === 'buyer' ? { seller_at: null } : { buyer_at: null, buyer_pays: 0 };
  const said = { ...given, ...(lapsed && taken_back) };
  const given_row = { ...before, ...said };
  const both = given_row.buyer_at !== null && given_row.seller_at !== null;
  const agreed = both
    ? agree(
        ctx,
        {
          buyer: side === 'buyer' ? me : other,
          seller: side === 'buyer' ? other : me,
          seller_plan: talk.planOf(before.seller_id),
          amount_cents: before.amount_cents,
          title: dealTitle(offerIn(talk, side)?.headline ?? null, before),
          milestones: before.milestones,
          escrow_terms: before.escrow_terms,
          conversation_id: before.conversation_id,
          listing: offerIn(talk, side),
        },
        purse,
        given_row.buyer_pays === 1 && (side === 'buyer' || word?.may_pay !== false),
      )
    : null;
  const set = { ...said, escalated_to: null, ...(agreed && dealt(before, agreed)) };
  const row = { ...before, ...set };
  const left = agreed ? without(talk, before) : [row, ...without(talk, before)];
  const { content, ...said_by } = noteOf(me.handle, 'proposal_approved', row);
  const posted = post(ctx, me, talk.post, content, {
    ...said_by,
    changes: standing(left, agreed ? 'closing' : 'proposal', ctx.now_ms),
    guard: asStood(talk.conversation),
  });
  if (isFault(posted)) return posted;
  const effects = [
    ...posted.effects,
    patch('proposals', before, set),
    recordDecision(ctx, me, row, 'approve'),
    answeredBy(ctx, talk, row, 'approve', null),
    ...(agreed ? [...concluded(ctx, talk, row), ...onlyOnce(ctx, [once, word?.once]), ...agreed.effects] : []),
    ...(lapsed ? askSide(ctx, talk, row, other.id) : []),
  ];
  return { row, agreed, message: posted.row, effects };
}
