// Matches: which of an agent's may be shown, counted to the plan once, when first shown by any operation (questions.md 153); the
// effects of an answer; and what is learnt from an agent's answers.
import { apply, count, type Effect, insert, patch } from '../../db/effects.ts';
import type { Counterparty } from '../../db/queries/match.ts';
import type { Row } from '../../db/schema/tables.ts';
import { actor, type Ctx } from '../contract/context.ts';
import { isSeenOn } from '../domain/agent/profile.ts';
import { isUnderWay } from '../domain/conversation/conversation.ts';
import { type Fault, fault, isFault } from '../domain/fault.ts';
import { counterKey, nextMonthStart, PLANS, planLimit } from '../domain/identity/plan.ts';
import type { Reason } from '../domain/match/reason.ts';
import { learn, type Signal } from '../domain/match/signal.ts';
import { decideMatch, takesPlace } from '../domain/match/state.ts';
import type { Unplaced } from '../schemas/conversation.ts';
import { factsOf, type MatchView, matchView, type Side, type TheirTerms } from '../schemas/match.ts';
import { reasonsView } from '../schemas/match-reason.ts';
import { tell } from './event.ts';
import { refill } from './listing/derived.ts';
import { type Blocking, openConversation } from './message/post.ts';
import { endProposals } from './negotiation/propose.ts';
import { asStood } from './negotiation/standing.ts';
import { endOfConversation } from './task/end.ts';

/** A match with its counterparty, null when that agent is gone. */
export interface Candidate {
  readonly row: Row<'matches'>;
  readonly other: Counterparty | null;
  readonly terms: TheirTerms;
  /** The judgement of the reader's own taste; undefined without one. */
  readonly tasted: Tasted | undefined;
}

export interface Loaded {
  /** In the order in which they are to be shown. */
  readonly candidates: readonly Candidate[];
  /** Matches counted this month when this was read. */
  readonly used: number;
}

export function allowanceKey(ctx: Ctx): string {
  return counterKey('matches', ctx.account_id, ctx.now_ms);
}

/** Whether a counterparty is still met in matching. */
export function isMet(other: Counterparty): boolean {
  const { visibility, provisional, deactivated_at } = other;
  return isSeenOn({ visibility, provisional: provisional === 1, deactivated: deactivated_at !== null }, 'matching');
}

/** Charges matches shown for the first time to the month's allowance of the caller's account. */
function charge(ctx: Ctx, matches: number): Effect<'plan_limit'>[] {
  if (matches === 0) return [];
  const limit = PLANS[ctx.principal.plan].limits.matches ?? Number.MAX_SAFE_INTEGER;
  const full = planLimit('matches', limit, limit, ctx.now_ms);
  return [count(allowanceKey(ctx), limit, full, nextMonthStart(ctx.now_ms), matches)];
}

interface Shown {
  readonly views: MatchView[];
  readonly effects: Effect<'plan_limit'>[];
  /** Set when nothing can be shown only because the month's allowance is used up. */
  readonly refusal: Fault<'plan_limit'> | null;
}

/** How many matches the caller's plan may still show for the first time this month; null for any number. */
export function leftAfter(used: number, { principal }: Ctx): number | null {
  const allowed = PLANS[principal.plan].limits.matches;
  return allowed === null ? null : Math.max(0, allowed - used);
}

export interface Chosen {
  /** Those not shown to the reader before. */
  readonly fresh: Row<'matches'>[];
  /** Whether one cannot be shown only because the month's allowance is used up. */
  withheld: boolean;
  /** Whether the next one is shown. */
  takes(row: Row<'matches'>, other: Counterparty | null): other is Counterparty;
}

/** Chooses what a list shows, one match after the other, while `left` of the month's allowance last. */
export function choosing(agent_id: string, left: number | null): Chosen {
  const fresh: Row<'matches'>[] = [];
  return {
    fresh,
    withheld: false,
    takes(row, other): other is Counterparty {
      if (other === null || (row.status === 'pending' && !isMet(other))) return false;
      if (row.shown_to.includes(agent_id)) return true;
      if (left !== null && fresh.length >= left) {
        this.withheld = true;
        return false;
      }
      fresh.push(row);
      return true;
    },
  };
}

/** Shows up to `limit` of the candidates that the plan still allows, and counts the new ones. */
export function show(ctx: Ctx, { candidates, used }: Loaded, limit: number): Shown {
  const me = actor(ctx);
  const allowed = PLANS[ctx.principal.plan].limits.matches;
  const chosen = choosing(me.id, leftAfter(used, ctx));
  const views: MatchView[] = [];
  for (const { row, other, terms, tasted } of candidates) {
    if (views.length === limit) break;
    if (!chosen.takes(row, other)) continue;
    const view = matchView(row, me, { other, terms }, ctx.now_ms);
    views.push(tasted ? { ...view, ...reasonsView([...row.reasons, ...tasted.reasons]) } : view);
  }
  const { fresh } = chosen;
  const refused = chosen.withheld && views.length === 0 && allowed !== null;
  return {
    views,
    effects: [
      ...charge(ctx, fresh.length),
      ...fresh.map((row) => patch('matches', row, { shown_to: [...row.shown_to, me.id] }, ['shown_to'])),
    ],
    refusal: refused ? planLimit('matches', allowed, used, ctx.now_ms) : null,
  };
}

export interface MatchAnswer {
  readonly match_id: string;
  readonly action: string;
  readonly reason?: string | null;
  /** Kept with the answer in the inbox. */
  readonly note?: string | null;
  /** The first words, where the thread that this opens begins with any. */
  readonly content?: string;
}

/** A match with the facts for answering it. */
export interface MatchToAnswer {
  readonly row: Row<'matches'> | null;
  readonly other: Counterparty | null;
  readonly thread: Pick<Row<'conversations'>, 'id' | 'status' | 'proposal_id' | 'escalated_to'> | null;
  readonly live: readonly Row<'proposals'>[];
  readonly blocks: Blocking;
  readonly lesson: Lesson | null;
}

/** Ends the thread that the other side's interest had opened; both sides are told, as at every end of a thread. A proposal put
 * meanwhile makes the turn decide again, so that none stays open in an ended conversation. */
function endThread(
  ctx: Ctx,
  thread: NonNullable<MatchToAnswer['thread']>,
  sides: readonly [Side, Side],
  reason: string | null,
): Effect<never>[] {
  const [me, other] = sides;
  const { id: conversation_id } = thread;
  const ended = { status: 'declined' as const, closed_reason: reason, updated_at: ctx.now_ms };
  return [
    // A thread that was closed in the same moment stays closed.
    apply(
      'conversations',
      conversation_id,
      (now) => (isUnderWay(now.status) ? ended : {}),
      (now) => (isUnderWay(now.status) ? asStood(thread)(now) : null),
    ),
    tell(ctx, me, 'conversation.completed', { conversation_id, counterparty_handle: other.handle }),
    tell(ctx, other, 'conversation.completed', { conversation_id, counterparty_handle: me.handle }),
    endOfConversation(ctx.now_ms, conversation_id, me.id),
  ];
}

/** Fills the place that the match held at the answering side's listing. The other side's is filled by its next run. */
function freedBy(row: Row<'matches'>, agent_id: string, now_ms: number): Effect<never>[] {
  if (!takesPlace(factsOf(row), now_ms)) return [];
  const offers = row.offer_agent_id === agent_id;
  const held = (offers ? row.offer_best : row.seek_best) === 1;
  return held ? [refill(offers ? row.offer_id : row.seek_id, now_ms)] : [];
}

interface MatchAnswered {
  readonly reply: {
    readonly match_id: string;
    readonly status: ReturnType<typeof factsOf>['status'];
    readonly action: string;
    readonly approved_by: string[];
    readonly saved: boolean;
    readonly conversation_id: string | null;
  };
  /** The first message of the thread that this opened. */
  readonly message: Unplaced | null;
  readonly effects: readonly Effect<'plan_limit' | 'blocked'>[];
}

type AnswerRefusal = 'not_found' | 'invalid_action' | 'already_decided' | 'match_closed' | 'blocked';

export function answerMatch(
  { row, other, thread, live, blocks, lesson }: MatchToAnswer,
  { match_id, action, reason = null, note = null, content }: MatchAnswer,
  ctx: Ctx,
): MatchAnswered | Fault<AnswerRefusal> {
  const me = actor(ctx);
  if (!row || !other || !lesson) return fault('not_found');
  const changes = decideMatch(factsOf(row), me.id, action, ctx.now_ms);
  if (isFault(changes)) return changes;
  const { status, approved_by, saved_by, opens_thread, ends_pair } = changes;
  if (opens_thread && !isMet(other)) return fault('match_closed', 'The other side is no longer available.');
  if (action === 'interested' && blocks.other) return fault('blocked');
  const opened = opens_thread
    ? openConversation(ctx, {
        opener: me,
        other,
        match_id,
        blocks,
        content,
        // The thread is about what the opener wants of the other side.
        subject: row.offer_agent_id === me.id ? row.seek_headline : row.offer_headline,
      })
    : null;
  const conversation_id = opened?.conversation_id ?? row.conversation_id;
  // Acting on a match is seeing it.
  const fresh = opens_thread && !row.shown_to.includes(me.id);
  const answered = { action, note, reason, at: ctx.now_ms };
  const effects: Effect<'plan_limit' | 'blocked'>[] = [
    patch('matches', row, {
      status,
      approved_by,
      saved_by,
      conversation_id,
      feedback: { agent_id: me.id, action, reason },
      updated_at: ctx.now_ms,
      // A pair that a side acted on frees its places for the next best.
      offer_best: 0,
      seek_best: 0,
      // The approached side may see the other, verified or not (Q46).
      ...(opens_thread && { offer_visible: 1, seek_visible: 1 }),
      ...(fresh && { shown_to: [...row.shown_to, me.id] }),
    }),
    { do: 'answer', agent_id: me.id, subject_id: match_id, answered },
    ...learnEffects(ctx, lesson),
    ...freedBy(row, me.id, ctx.now_ms),
  ];
  if (opened) {
    const data = { match_id, counterparty_handle: me.handle, conversation_id: opened.conversation_id };
    effects.push(...charge(ctx, fresh ? 1 : 0), tell(ctx, other, 'match.approved', data), ...opened.effects);
  }
  if (ends_pair) effects.push({ do: 'answer', agent_id: other.id, subject_id: match_id, answered: null });
  if (ends_pair && thread && isUnderWay(thread.status)) {
    effects.push(...endThread(ctx, thread, [me, other], reason), ...endProposals(live, ctx.now_ms));
  }
  const handles = approved_by.map((id) => (id === me.id ? me.handle : other.handle));
  const saved = saved_by.includes(me.id);
  const reply = { match_id, status, action, approved_by: handles, saved, conversation_id };
  return { reply, message: opened?.message ?? null, effects };
}

/** An answer to learn from: its match, its verdict (null for none), and the agent's current taste. */
export interface Lesson {
  readonly about: string;
  readonly signal: Signal | null;
  readonly held: Row<'tastes'> | null;
}

/** Writes a lesson into the acting agent's taste. A repeated one, and one that says nothing new, writes nothing. */
export function learnEffects(ctx: Ctx, { about, signal, held }: Lesson): Effect<never>[] {
  const id = actor(ctx).id;
  const known = held?.signals ?? [];
  if (learn(known, about, signal) === known) return [];
  const learnt = apply('tastes', id, (row) => ({ signals: learn(row.signals, about, signal), updated_at: ctx.now_ms }));
  return held ? [learnt] : [insert('tastes', { id, signals: [], updated_at: ctx.now_ms }, 'ignore'), learnt];
}

/** The judgement of the agent's own taste on a match. */
export interface Tasted {
  /** Added to the score when matches are ranked for the agent. */
  readonly shift: number;
  readonly reasons: readonly Reason[];
}
