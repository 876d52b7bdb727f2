// Puts a proposal into a conversation: its row, which replaces the one before it, the message by which the other side reads it, and
// the event for each side that has to decide. One outside the proposer's own bounds waits for its person, hidden from the other side.
import { apply, type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { isLet } from '../../domain/agent/policy.ts';
import { writeFault } from '../../domain/conversation/conversation.ts';
import { type FixedTerms, NO_TERMS } from '../../domain/escrow/escrow.ts';
import { type Code, type Fault, fault, isFault } from '../../domain/fault.ts';
import { idAsOf } from '../../domain/id-time.ts';
import { heldForTheDay } from '../../domain/inbox/notification-settings.ts';
import { proceedsOfWhole } from '../../domain/money/fee.ts';
import { dollars } from '../../domain/money/typed.ts';
import { countedParts, type Issue, issuesText } from '../../domain/negotiation/issue.ts';
import {
  boundPassed,
  type DealSide,
  figuresFault,
  isAutomatic,
  type Proposed,
  proposalAfter,
  standsUntil,
  versionOf,
  withheldNumber,
} from '../../domain/negotiation/proposal.ts';
import type { Unplaced } from '../../schemas/conversation.ts';
import { iso } from '../../schemas/wire.ts';
import { tell } from '../event.ts';
import { post } from '../message/post.ts';
import { decideAt } from './decide-later.ts';
import type { ProposalTalk } from './find.ts';
import { asStood, recordDecision, standing } from './standing.ts';
import { countLetter, LETTERS_MAX } from './timeout.ts';

/** For which listing a proposal is compared, until when, and whether the other side was just told of a better one. */
export interface Holding {
  readonly compared_for: string;
  readonly decides_at: number;
  readonly outbid: boolean;
}

type HeldColumns = Partial<Pick<Row<'proposals'>, 'compared_for' | 'decides_at' | 'outbid_at'>>;

/** The columns of a proposal that is held. */
export function heldColumns({ compared_for, decides_at, outbid }: Holding, now_ms: number): HeldColumns {
  return { compared_for, decides_at, ...(outbid && { outbid_at: now_ms }) };
}

export interface Wanted<C extends Code = never> {
  readonly side: DealSide;
  readonly amount_cents: number;
  readonly terms: string;
  readonly issues: readonly Issue[];
  readonly milestones: readonly Proposed[];
  /** None unless said. */
  readonly escrow_terms?: FixedTerms | null;
  /** The message to the other side; made from the figures by default. */
  readonly content?: string;
  /** Set where its proposer compares it with others, and so does not agree yet. */
  readonly held?: Holding;
  /** A further check under the lock of the conversation's row. */
  readonly guard?: Guard<C>;
}

type Refusal = 'not_found' | 'invalid_request' | 'blocked' | 'conversation_closed' | 'conflict';
type Guard<C extends Code> = (now: Row<'conversations'>) => Fault<C> | 'again' | null;

export interface Put<C extends Code = never> {
  readonly row: Row<'proposals'>;
  /** The message by which the other side reads it; null while it is withheld. */
  readonly message: Unplaced | null;
  readonly effects: readonly Effect<Refusal | C>[];
}

/** A proposal as a person reads it in the thread. */
export function proposalText({
  amount_cents,
  terms,
  issues,
  milestones,
  escrow_terms = null,
}: Pick<Wanted, 'amount_cents' | 'terms' | 'issues' | 'milestones' | 'escrow_terms'>): string {
  const parts = milestones.map(({ title, amount_cents: cents, due_at = null }, n) => {
    const due = due_at === null ? '' : `, due ${iso(due_at)}`;
    return `${n + 1}. ${title}: ${dollars(cents)}${due}`;
  });
  const { auto_release_after_days: days, expires_at } = escrow_terms ?? NO_TERMS;
  const fixed = [
    days === null ? '' : `Released by itself, days after delivery: ${days}`,
    expires_at === null ? '' : `Goes back unless delivered by ${iso(expires_at)}`,
  ];
  const beside = issuesText(issues);
  // Terms that the service wrote end with the issues; a proposer's own may say others.
  const said = beside !== '' && (terms === beside || terms.endsWith(`: ${beside}`)) ? [terms] : [terms, beside];
  return [`Proposal: ${dollars(amount_cents)}`, ...said, ...parts, ...fixed].filter((line) => line !== '').join('\n');
}

/** Whether the approval of the caller as a buyer lets its wallet pay at once: a program needs the right to spend, or that its person has
 * set what it may agree to alone, and that no policy about escrows asks first. */
export function mayPay({ principal }: Ctx, { me: { bounds }, other }: ProposalTalk): boolean {
  if (principal.kind === 'session') return true;
  if (!isLet(bounds.policies, 'escrow.create', other.id)) return false;
  return principal.scopes.has('payments:write') || bounds.set_by_person?.includes('auto_approve_below_cents') === true;
}

/** The sides of a proposal, and what each agreed to by its being put. */
function rowOf(ctx: Ctx, talk: ProposalTalk, wanted: Omit<Wanted, 'guard'>): Row<'proposals'> {
  const { me, other, conversation, number, withheld, agrees_alone } = talk;
  const { side, amount_cents, terms, issues, milestones, escrow_terms = null, held } = wanted;
  const by_person = ctx.principal.kind === 'session';
  const own_bound = by_person ? null : boundPassed(me.bounds, side, amount_cents);
  const other_bound = boundPassed(other.bounds, side === 'buyer' ? 'seller' : 'buyer', amount_cents);
  const agrees = by_person || (!held && agrees_alone && isAutomatic(me.bounds, side, amount_cents));
  const escalation = own_bound
    ? { to: me.id, bound: own_bound }
    : other_bound
      ? { to: other.id, bound: other_bound }
      : null;
  return {
    id: idAsOf(ctx.id(), conversation.id),
    conversation_id: conversation.id,
    number: own_bound ? withheldNumber(withheld, conversation.opener_id === me.id) : number + 1,
    by_id: me.id,
    buyer_id: side === 'buyer' ? me.id : other.id,
    seller_id: side === 'buyer' ? other.id : me.id,
    amount_cents,
    terms,
    issues,
    milestones,
    escrow_terms,
    status: own_bound ? 'withheld' : 'open',
    buyer_at: agrees && side === 'buyer' ? ctx.now_ms : null,
    seller_at: agrees && side === 'seller' ? ctx.now_ms : null,
    buyer_pays: agrees && side === 'buyer' && mayPay(ctx, talk) ? 1 : 0,
    escalated_to: escalation?.to ?? null,
    bound: escalation?.bound ?? null,
    replaced_by: null,
    compared_for: null,
    decides_at: null,
    outbid_at: null,
    ...(held && heldColumns(held, ctx.now_ms)),
    deal_id: null,
    expires_at: standsUntil(escrow_terms, ctx.now_ms),
    created_at: ctx.now_ms,
    version: 1,
  };
}

/** Ends the waiting for an answer to a proposal, of both sides. */
export function endWaiting({ id, buyer_id, seller_id }: Row<'proposals'>): Effect<never>[] {
  return [buyer_id, seller_id].map((agent_id) => ({ do: 'answer', agent_id, subject_id: id, answered: null }));
}

/** Has the side that compares a proposal look at the others again. */
export function decideAgain({ compared_for }: Row<'proposals'>, now_ms: number): Effect<never>[] {
  return compared_for === null ? [] : [decideAt(compared_for, now_ms, now_ms)];
}

/** Ends the live proposals of a closed conversation, which can no longer be answered, and the questions about them. */
export function endProposals(live: readonly Row<'proposals'>[], now_ms: number): Effect<never>[] {
  return live
    .filter(({ expires_at }) => expires_at > now_ms)
    .flatMap((row) => [
      patch('proposals', row, { expires_at: now_ms }),
      ...endWaiting(row),
      ...decideAgain(row, now_ms),
    ]);
}

/** Whether a proposal replaces another: its side's withheld one, and, if it is visible, the open one. A withheld proposal changes nothing
 * that the other side sees. */
function takesPlaceOf(by: Row<'proposals'>, { id, status, by_id }: Row<'proposals'>): boolean {
  if (id === by.id) return false;
  return status === 'withheld' ? by_id === by.by_id : by.status === 'open';
}

/** Ends those that one takes the place of. */
function replace(live: readonly Row<'proposals'>[], by: Row<'proposals'>): Effect<never>[] {
  return live
    .filter((row) => takesPlaceOf(by, row))
    .flatMap((row) => [
      patch('proposals', row, { status: proposalAfter(row.status, 'replace'), replaced_by: by.id }),
      ...endWaiting(row),
    ]);
}

/** The live ones with `row` among them. Visible proposals come first: a withheld one must not change whose answer they wait for. */
function liveWith(live: readonly Row<'proposals'>[], row: Row<'proposals'>): Row<'proposals'>[] {
  const others = live.filter((other) => other.id !== row.id && !takesPlaceOf(row, other));
  return row.status === 'withheld' ? [...others, row] : [row, ...others];
}

/** The event that asks a side to decide on a proposal. */
export function askSide(ctx: Ctx, talk: ProposalTalk, row: Row<'proposals'>, id: string): Effect<never>[] {
  const { me, other, letters } = talk;
  const [to, from] = id === me.id ? [me, other] : [other, me];
  const data = {
    conversation_id: row.conversation_id,
    proposal_id: row.id,
    amount_cents: row.amount_cents,
    ...(row.issues.length > 0 && { issues: [...row.issues] }),
    ...proceedsOfWhole(row.amount_cents, row.milestones, talk.planOf(row.seller_id)),
    counterparty_handle: from.handle,
  };
  const about = { subject_id: row.id, respond_by: row.expires_at };
  if (row.escalated_to === id) {
    const told = Math.max(versionOf(row.number) - 1, id === me.id ? letters.mine : letters.theirs);
    const late = told >= LETTERS_MAX && heldForTheDay(ctx.now_ms);
    return [
      countLetter(to.id, me, ctx.now_ms),
      tell(ctx, to, 'negotiation.escalated', { ...data, bound: row.bound, ...late }, about),
    ];
  }
  return [tell(ctx, to, 'negotiation.proposed', data, about)];
}

/** Shows a proposal to the other side: the message, and the event for each side that has not agreed. */
function show<C extends Code>(
  ctx: Ctx,
  talk: ProposalTalk,
  row: Row<'proposals'>,
  content: string | null,
  guard: Guard<C>,
): Put<C> | Fault<Refusal> {
  const changes = standing(liveWith(talk.live, row), 'proposal', ctx.now_ms);
  // The proposer's own text is shown as it is; that of the figures in the reader's language.
  const note = { code: 'proposal_made', amount_cents: row.amount_cents } as const;
  const said = { kind: 'proposal', changes, guard, ...(content === null && { note }) } as const;
  const posted = post<C>(ctx, talk.me, talk.post, content ?? proposalText(row), said);
  if (isFault(posted)) return posted;
  const agreed = [row.buyer_at === null ? null : row.buyer_id, row.seller_at === null ? null : row.seller_id];
  // The side that compares is asked when it is time.
  const compares = row.compared_for === null ? null : talk.me.id;
  const asked = [talk.other.id, talk.me.id].filter((id) => !agreed.includes(id) && id !== compares);
  return {
    row,
    message: posted.row,
    effects: [...posted.effects, ...replace(talk.live, row), ...asked.flatMap((id) => askSide(ctx, talk, row, id))],
  };
}

/** Keeps it until the proposer's own person decides; nothing that the other side reads changes. */
function withhold<C extends Code>(ctx: Ctx, talk: ProposalTalk, row: Row<'proposals'>, guard: Guard<C>): Put<C> {
  const { conversation } = talk;
  const opened = conversation.opener_id === talk.me.id;
  const left = liveWith(talk.live, row);
  return {
    row,
    message: null,
    effects: [
      apply<'conversations', Refusal | C>(
        'conversations',
        conversation.id,
        (now) => standing(left, now.phase, ctx.now_ms)(now),
        (now) => writeFault(now, opened, ctx.now_ms) ?? guard(now),
      ),
      ...replace(talk.live, row),
      ...askSide(ctx, talk, row, talk.me.id),
    ],
  };
}

/** Writes a proposal: a new row, or the row that waited for its side's person, under its id. */
function written(row: Row<'proposals'>, waited: Row<'proposals'> | null): Effect<'conflict'> {
  if (waited === null) {
    return insert('proposals', row, fault('conflict', 'Another proposal was made at the same time; read it first.'));
  }
  const { id: _same, version: _moved, ...set } = row;
  return patch('proposals', waited, set);
}

/** The effects of a proposal by the acting agent; `waited` is the one that its person lets go. */
export function propose<C extends Code = never>(
  ctx: Ctx,
  talk: ProposalTalk,
  wanted: Wanted<C>,
  waited: Row<'proposals'> | null = null,
): Put<C> | Fault<Refusal> {
  const { amount_cents, issues } = wanted;
  const milestones =
    wanted.milestones.length > 0 ? wanted.milestones : (countedParts(amount_cents, issues) ?? wanted.milestones);
  const wrong = figuresFault(amount_cents, milestones);
  if (wrong) return wrong;
  const fresh = rowOf(ctx, talk, { ...wanted, milestones });
  const row = waited ? { ...fresh, id: waited.id } : fresh;
  const { conversation } = talk;
  const stood = asStood(conversation);
  // A proposal put and answered meanwhile took the number of the one that waited.
  const moved = (now: Row<'conversations'>) => (waited && now.last_n !== conversation.last_n ? 'again' : null);
  const guard: Guard<C> = (now) => wanted.guard?.(now) ?? stood(now) ?? moved(now);
  const put =
    row.status === 'withheld' ? withhold(ctx, talk, row, guard) : show(ctx, talk, row, wanted.content ?? null, guard);
  if (isFault(put)) return put;
  const agreed = row.buyer_at !== null || row.seller_at !== null;
  return {
    ...put,
    effects: [...put.effects, written(row, waited), ...(agreed ? [recordDecision(ctx, talk.me, row, 'approve')] : [])],
  };
}
