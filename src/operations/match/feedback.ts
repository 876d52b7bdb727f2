// One side's word on a match (questions.md 46 to 49): the first `interested` opens the thread, `not_a_fit` ends the
// pair for ever, `saved` keeps it from expiring. Both sides at once still open one thread: the row's version decides. What
// the answer says of the agent's taste is learnt in the same commit.
import { Type } from 'typebox';
import { apply, type Effect, patch } from '../../../db/effects.ts';
import { threadById } from '../../../db/queries/conversation.ts';
import { agentToMatch, matchById } from '../../../db/queries/match.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { acceptsMessages } from '../../domain/conversation/conversation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { DECLINE_REASONS, decideMatch, MATCH_ACTIONS, takesPlace } from '../../domain/match/state.ts';
import { factsOf, MatchStatus, otherOf, type Side, visibleTo } from '../../schemas/match.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id } from '../../schemas/wire.ts';
import { openConversation, readBlocking } from '../../steps/conversation.ts';
import { tell } from '../../steps/event.ts';
import { refill } from '../../steps/listing/derived.ts';
import { charge, isMet } from '../../steps/match.ts';
import { endOfConversation } from '../../steps/task/end.ts';
import { learnEffects, lessonOf } from '../../steps/taste.ts';
import { actor, type Ctx } from '../context.ts';
import { command } from '../operation.ts';

const Reply = namedObject('MatchDecision', 'a match after what was said of it', {
  match_id: Id,
  status: MatchStatus,
  action: Type.String(),
  approved_by: Type.Array(Type.String(), { description: 'handles that said interested; both when it is mutual' }),
  saved: Type.Boolean(),
  conversation_id: Type.Union([Id, Type.Null()], { description: 'the thread, once a side is interested' }),
});

const NOBODY_BLOCKS = { opener: false, other: false };
const NO_MATCH = { row: null, other: null, thread: null, blocks: NOBODY_BLOCKS, lesson: null };

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
    apply('conversations', conversation_id, (now) => (acceptsMessages(now.status) ? ended : {})),
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

export const matchFeedback = command({
  name: 'match.feedback',
  summary: 'Answer a match',
  description:
    `Answer with one of ${MATCH_ACTIONS.join(', ')}. The first interested of a side approves the match and opens the ` +
    'conversation; not_a_fit ends the pair of listings for ever, and the conversation if the other side had opened ' +
    `one. A reason is one of ${DECLINE_REASONS.join(', ')}, or your own words.`,
  input: namedObject('MatchFeedbackInput', 'what to do with a match', {
    match_id: Id,
    action: Type.String({ maxLength: 40, description: MATCH_ACTIONS.join(', ') }),
    reason: Type.Optional(Type.String({ maxLength: 500, description: 'a reason chip, or free text' })),
    note: Type.Optional(Type.String({ maxLength: 2000, description: 'kept with the answer in your inbox' })),
  }),
  output: Reply,
  example: { match_id: SAMPLE.match_id, action: 'saved' },
  effect: 'destroys',
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  faults: ['not_found', 'invalid_action', 'already_decided', 'match_closed', 'plan_limit', 'blocked'],
  rest: [{ method: 'POST', path: '/api/matching/feedback' }],
  tools: [
    {
      name: 'mesh_approve_match',
      title: 'Approve a match',
      set: 'matches',
      description: 'Says that you are interested; the first of a side to say so opens the conversation.',
      fixed: { action: 'interested' },
      effect: 'changes',
    },
    {
      name: 'mesh_decline_match',
      title: 'Decline a match',
      set: 'matches',
      description: 'Ends a match; its two listings are never matched again.',
      fixed: { action: 'not_a_fit' },
    },
    {
      name: 'mesh_save_match',
      title: 'Keep a match for later',
      set: 'matches',
      description: 'Marks a match to come back to. It decides nothing.',
      fixed: { action: 'saved' },
      effect: 'changes',
      extension: true,
    },
  ],
  load: async (read, { match_id, ...answer }, ctx) => {
    const me = actor(ctx);
    const row = await read(matchById, { match_id });
    if (!row || !visibleTo(row, me.id)) return NO_MATCH;
    const other = await read.peek(agentToMatch, { id: otherOf(row, me.id) });
    const thread = row.conversation_id === null ? null : await read.peek(threadById, { id: row.conversation_id });
    const blocks =
      answer.action === 'interested' ? await readBlocking(read, me.id, otherOf(row, me.id)) : NOBODY_BLOCKS;
    return { row, other, thread, blocks, lesson: await lessonOf(read, ctx, row, answer) };
  },
  decide: ({ row, other, thread, blocks, lesson }, { match_id, action, reason = null, note = null }, ctx) => {
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
      const data = { match_id, counterparty_handle: me.handle, conversation_id };
      effects.push(...charge(ctx, fresh ? 1 : 0), tell(ctx, other, 'match.approved', data), ...opened.effects);
    }
    if (ends_pair) effects.push({ do: 'answer', agent_id: other.id, subject_id: match_id, answered: null });
    if (ends_pair && thread && acceptsMessages(thread.status)) {
      effects.push(...endThread(ctx, thread.id, [me, other], reason));
    }
    const handles = approved_by.map((id) => (id === me.id ? me.handle : other.handle));
    const saved = saved_by.includes(me.id);
    return { reply: { match_id, status, action, approved_by: handles, saved, conversation_id }, effects };
  },
});
