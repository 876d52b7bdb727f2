// One side's word on a match, by whatever door it came (questions.md 46 to 49): the first `interested` opens the thread, `not_a_fit`
// ends the pair for ever, `saved` keeps it from expiring. Both sides at once still open one thread: the row's version decides.
// What the answer says of the agent's taste is learnt in the same commit.
import { apply, type Effect, patch } from '../../db/effects.ts';
import { threadById } from '../../db/queries/conversation.ts';
import { agentToMatch, matchById } from '../../db/queries/match.ts';
import { liveProposals } from '../../db/queries/negotiation.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import { actor, type Ctx } from '../contract/context.ts';
import { isUnderWay } from '../domain/conversation/conversation.ts';
import { type Fault, fault, isFault } from '../domain/fault.ts';
import { decideMatch, takesPlace } from '../domain/match/state.ts';
import type { Unplaced } from '../schemas/conversation.ts';
import { factsOf, otherOf, type Side, visibleTo } from '../schemas/match.ts';
import { tell } from './event.ts';
import { refill } from './listing/derived.ts';
import { charge, isMet } from './match.ts';
import { type Blocking, openConversation } from './message/post.ts';
import { readBlocking } from './message/thread.ts';
import { endProposals } from './negotiation/propose.ts';
import { endOfConversation } from './task/end.ts';
import { type Lesson, learnEffects, lessonOf } from './taste.ts';

export interface MatchAnswer {
  readonly match_id: string;
  readonly action: string;
  readonly reason?: string | null;
  /** Kept with the answer in the inbox. */
  readonly note?: string | null;
  /** The first words, where the thread that this opens begins with any. */
  readonly content?: string;
}

/** A match with what an answer to it looks at. */
export interface MatchToAnswer {
  readonly row: Row<'matches'> | null;
  readonly other: NonNullable<Awaited<ReturnType<typeof readOther>>> | null;
  readonly thread: { readonly id: string; readonly status: Row<'conversations'>['status'] } | null;
  readonly live: readonly Row<'proposals'>[];
  readonly blocks: Blocking;
  readonly lesson: Lesson | null;
}

const readOther = (read: Read, id: string) => read.peek(agentToMatch, { id });

const NOBODY_BLOCKS: Blocking = { opener: false, other: false };
const NO_MATCH: MatchToAnswer = { row: null, other: null, thread: null, live: [], blocks: NOBODY_BLOCKS, lesson: null };

/** Ends the thread that the other side's interest had opened; both sides are told, as at every end of a thread. */
function endThread(
  ctx: Ctx,
  conversation_id: string,
  sides: readonly [Side, Side],
  reason: string | null,
): Effect<never>[] {
  const [me, other] = sides;
  const ended = { status: 'declined' as const, closed_reason: reason, updated_at: ctx.now_ms };
  return [
    // A thread that was closed in the same moment stays closed.
    apply('conversations', conversation_id, (now) => (isUnderWay(now.status) ? ended : {})),
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

/** Reads what the acting agent's answer is decided on. */
export async function readMatchToAnswer(
  read: Read,
  { match_id, ...answer }: Pick<MatchAnswer, 'match_id' | 'action' | 'reason'>,
  ctx: Ctx,
): Promise<MatchToAnswer> {
  const me = actor(ctx);
  const row = await read(matchById, { match_id });
  if (!row || !visibleTo(row, me.id)) return NO_MATCH;
  const other = await read.peek(agentToMatch, { id: otherOf(row, me.id) });
  const thread = row.conversation_id === null ? null : await read.peek(threadById, { id: row.conversation_id });
  const live = thread ? await read(liveProposals, { conversation_id: thread.id }) : [];
  const blocks = answer.action === 'interested' ? await readBlocking(read, me.id, otherOf(row, me.id)) : NOBODY_BLOCKS;
  return { row, other, thread, live, blocks, lesson: await lessonOf(read, ctx, row, answer) };
}

export interface MatchAnswered {
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

type Refusal = 'not_found' | 'invalid_action' | 'already_decided' | 'match_closed' | 'blocked';

export function answerMatch(
  { row, other, thread, live, blocks, lesson }: MatchToAnswer,
  { match_id, action, reason = null, note = null, content }: MatchAnswer,
  ctx: Ctx,
): MatchAnswered | Fault<Refusal> {
  const me = actor(ctx);
  if (!row || !other || !lesson) return fault('not_found');
  const changes = decideMatch(factsOf(row), me.id, action, ctx.now_ms);
  if (isFault(changes)) return changes;
  const { status, approved_by, saved_by, opens_thread, ends_pair } = changes;
  if (opens_thread && !isMet(other)) return fault('match_closed', 'The other side is not to be met any more.');
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
      // What a side acted on leaves its place to the next best.
      offer_best: 0,
      seek_best: 0,
      // Who is approached may see by whom, verified or not (Q46).
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
    effects.push(...endThread(ctx, thread.id, [me, other], reason), ...endProposals(live, ctx.now_ms));
  }
  const handles = approved_by.map((id) => (id === me.id ? me.handle : other.handle));
  const saved = saved_by.includes(me.id);
  const reply = { match_id, status, action, approved_by: handles, saved, conversation_id };
  return { reply, message: opened?.message ?? null, effects };
}
