// Takes an agent's turn in a conversation: the negotiator decides on the facts, and its decision is performed under the same rules as a
// call of the agent. A model's decision replaces the built-in one only if it keeps all rules and the thread has not changed since. The
// reasons are stored with the message, for its owner only.
import { count, type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Fault, fault, invalid, isFault, tooMany } from '../../domain/fault.ts';
import { isBetterBid } from '../../domain/negotiation/bid.ts';
import { issuesText } from '../../domain/negotiation/issue.ts';
import { type ModelAnswer, turnOfModel } from '../../domain/negotiation/model-turn.ts';
import { asksNearer, takeTurn, waitsBeside } from '../../domain/negotiation/negotiator.ts';
import type { Bid } from '../../domain/negotiation/package.ts';
import { boundDistance, type DealSide } from '../../domain/negotiation/proposal.ts';
import { saidFault, tellsBound } from '../../domain/negotiation/told.ts';
import type { Turn, TurnFacts, TurnReasons, TurnRule } from '../../domain/negotiation/turn.ts';
import { dayOf } from '../../domain/text/day.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Unplaced } from '../../schemas/conversation.ts';
import { type ProposalView, proposalView } from '../../schemas/proposal.ts';
import { tell } from '../event.ts';
import { post } from '../message/post.ts';
import { endOfConversation } from '../task/end.ts';
import { ANSWER_REFUSALS, type Answered, approve } from './answer.ts';
import { wakePilot } from './autopilot.ts';
import { type Course, factsOf, saidIn, stateOf, turnFault } from './course.ts';
import { decideAt } from './decide-later.ts';
import { openProposal, type ProposalTalk } from './find.ts';
import { endProposals, type Holding, heldColumns, proposalText, propose } from './propose.ts';
import { asStood, standing } from './standing.ts';

/** Turns of one agent on a day (UTC), in all of its conversations. */
export const TURNS_A_DAY = 500;

/** The counter of an agent's turns on a day. */
export function turnsKey(agent_id: string, now_ms: number): string {
  return `turns:${agent_id}:${dayOf(now_ms)}`;
}

/** A model's answer for a turn, and the state of the thread that it was shown. */
export interface Advice extends Advised<ModelAnswer> {
  readonly shown: string;
}

/** The chosen turn with its facts, and the outcome of the model's answer; null when none was asked. */
export interface Chosen {
  readonly facts: TurnFacts;
  readonly turn: Turn;
  readonly by_model: boolean;
  readonly outcome: string | null;
}

/** The model's turn if it is valid, else the built-in negotiator's. */
function choose(facts: TurnFacts, course: Course, advice: Advice | null): Chosen {
  const ours = takeTurn(facts);
  const instead = (outcome: string | null): Chosen => ({ facts, turn: ours, by_model: false, outcome });
  if (!advice) return instead(null);
  if (!advice.value) return instead(advice.failure ?? 'no answer');
  if (advice.shown !== stateOf(course)) return instead('the_thread_went_on');
  const turn = turnOfModel(facts, advice.value, ours);
  return typeof turn === 'string' ? instead(turn) : { facts, turn, by_model: true, outcome: 'taken' };
}

/** The reasons of a turn for its owner. */
function reasonsOf({ facts, turn, by_model, outcome }: Chosen, advice: Advice | null): TurnReasons {
  const { side, bounds, phase, listing, said, before } = facts;
  const amount = turn.amount_cents;
  return {
    action: turn.action,
    rule: turn.rule,
    phase,
    inputs: {
      side,
      messages: said.length,
      turns_before: before.length,
      listing: listing?.headline ?? null,
      listed_cents: listing?.cents ?? null,
      asked_cents: facts.asked_cents,
      known: facts.known,
      max_pay_cents: bounds.max_pay_cents ?? null,
      min_charge_cents: bounds.min_charge_cents ?? null,
      auto_approve_below_cents: bounds.auto_approve_below_cents ?? null,
      agrees_alone: facts.agrees_alone,
      amount_cents: amount,
      ...(turn.issues.length > 0 && { issues: issuesText(turn.issues) }),
      instructed: facts.instruction !== null,
      ...(outcome !== null && { model_outcome: outcome }),
    },
    bound_distance_cents: amount === null || side === null ? null : boundDistance(bounds, side, amount),
    model: by_model ? (advice?.model ?? null) : null,
    model_call_id: advice?.call_id ?? null,
  };
}

interface Taken {
  readonly turn: Turn;
  readonly message: Unplaced | null;
  readonly proposal: ProposalView | null;
  readonly answered: Answered | null;
  readonly effects: readonly Effect<TurnRefusal>[];
}

export const TURN_REFUSALS = [...ANSWER_REFUSALS, 'not_your_turn', 'rate_limited', 'disclosure_refused'] as const;
type TurnRefusal = (typeof TURN_REFUSALS)[number];

/** The rules by which a price is put down as a proposal. */
const PUTS: ReadonlySet<TurnRule> = new Set(['holds_offer', 'model_proposes']);

const NOTHING = { message: null, proposal: null, answered: null } as const;

/** Refuses what was decided before a word that came in meanwhile; asked under the lock of the conversation's row. */
function asShown({ talk }: Course): (now: Row<'conversations'>) => Fault<'not_your_turn'> | null {
  const { last_n } = talk.conversation;
  return (now) => (now.last_n === last_n ? null : fault('not_your_turn', 'A new message arrived; read it first.'));
}

/** Says something, and moves the talk a step; a word that came in meanwhile takes the turn back. */
function say(ctx: Ctx, course: Course, turn: Turn): Omit<Taken, 'turn'> | Fault<TurnRefusal> {
  const { me, other, conversation, post: posting, live } = course.talk;
  const leaked = saidFault(turn.text, saidIn(course));
  if (leaked) return leaked;
  const closes = turn.action === 'close';
  const [shown, stood] = [asShown(course), asStood(conversation)];
  const posted = post<'not_your_turn'>(ctx, me, posting, turn.text, {
    guard: (now) => shown(now) ?? stood(now),
    changes: (now) => ({
      ...standing(live, closes ? now.phase : turn.to, ctx.now_ms)(now),
      ...(closes && { status: 'declined' as const, closed_reason: turn.rule }),
    }),
  });
  if (isFault(posted)) return posted;
  const { id: conversation_id } = conversation;
  const ended = [
    tell(ctx, me, 'conversation.completed', { conversation_id, counterparty_handle: other.handle }),
    tell(ctx, other, 'conversation.completed', { conversation_id, counterparty_handle: me.handle }),
    endOfConversation(ctx.now_ms, conversation_id, me.id),
    ...endProposals(live, ctx.now_ms),
  ];
  return { ...NOTHING, message: posted.row, effects: [...posted.effects, ...(closes ? ended : [])] };
}

/** How a turn leaves its proposal among those that the agent compares; null where it agrees at once, or compares nothing. */
function holding(
  { talk: { mine }, compare }: Course,
  { rule, amount_cents, issues }: Turn,
  facts: TurnFacts,
): Holding | null {
  if (!compare || !mine) return null;
  if (rule === 'asks_better') return { compared_for: mine.id, decides_at: compare.decides_at, outbid: true };
  if (amount_cents === null || !PUTS.has(rule)) return null;
  const bid = { amount_cents, issues };
  if (!waitsBeside(facts, bid)) return null;
  return { compared_for: mine.id, decides_at: compare.decides_at, outbid: asksNearer(facts, bid) };
}

/** After a proposal was held: the decision, and a turn in each talk in which the agent now has a better offer elsewhere. */
function whatFollows(
  ctx: Ctx,
  { talk, held, scale }: Course,
  { compared_for, decides_at }: Holding,
  bid: Bid,
): Effect<never>[] {
  const side = talk.my_side ?? 'buyer';
  const { id: conversation_id } = talk.conversation;
  const beaten = held.filter(
    (each) => each.conversation_id !== conversation_id && !isBetterBid({ scale }, { side }, each, bid),
  );
  // Once it is time, what is left to do is looked at each hour: another proposal must not put that off.
  const decides = decides_at > ctx.now_ms ? [decideAt(compared_for, decides_at, ctx.now_ms)] : [];
  return [...decides, ...beaten.flatMap((each) => wakePilot(talk.me, each.conversation_id, ctx.now_ms))];
}

type Performed = Omit<Taken, 'turn'> | Fault<TurnRefusal>;

/** Puts the bid of a turn down as a proposal. */
function putDown(
  ctx: Ctx,
  course: Course,
  talk: ProposalTalk,
  { text, issues, milestones }: Turn,
  {
    side,
    amount_cents,
    held,
  }: { readonly side: DealSide; readonly amount_cents: number; readonly held: Holding | null },
): Performed {
  const about = talk.mine?.headline ?? talk.conversation.subject;
  const terms = issues.length === 0 ? about : `${about}: ${issuesText(issues)}`;
  // Milestones are shown with the text, so that both sides see the figures that they agree to.
  const figures = milestones.length > 0 ? proposalText({ amount_cents, terms, issues, milestones }) : '';
  const content = [text, figures].filter((part) => part !== '').join('\n\n');
  const put = propose(ctx, talk, {
    ...{ side, amount_cents, terms, issues, milestones, content },
    guard: asShown(course),
    ...(held && { held }),
  });
  if (isFault(put)) return put;
  const later = held ? whatFollows(ctx, course, held, { amount_cents, issues }) : [];
  const proposal = proposalView(put.row, talk.me, talk, ctx.now_ms);
  return { ...NOTHING, message: put.message, proposal, effects: [...put.effects, ...later] };
}

/** Does it; `proposing` is there where the turn may propose or answer. */
function perform(
  ctx: Ctx,
  course: Course,
  turn: Turn,
  { facts, proposing }: Pick<Chosen, 'facts'> & { readonly proposing: ProposalTalk | null },
): Performed {
  const { talk, purse, word, once } = course;
  const { action, amount_cents } = turn;
  const { side } = facts;
  const held = holding(course, turn, facts);
  if (action === 'wait') return { ...NOTHING, effects: [] };
  if (action === 'propose' && proposing && side !== null && amount_cents !== null) {
    return putDown(ctx, course, proposing, turn, { side, amount_cents, held });
  }
  const stands = openProposal(talk);
  if (action === 'approve' && proposing && stands) {
    const answered = approve(ctx, proposing, stands, { purse, word, once });
    if (isFault(answered)) return answered;
    const proposal = proposalView(answered.row, talk.me, proposing, ctx.now_ms);
    return { message: answered.message, proposal, answered, effects: answered.effects };
  }
  const said = say(ctx, course, turn);
  if (isFault(said) || !held || !stands) return said;
  const marked = patch('proposals', stands, heldColumns(held, ctx.now_ms));
  const later = turn.rule === 'holds_offer' ? whatFollows(ctx, course, held, stands) : [];
  // Its person is asked when it is time to decide.
  const { id: agent_id } = talk.me;
  const asks_later: Effect<never> = { do: 'answer', agent_id, subject_id: stands.id, answered: null };
  return { ...said, effects: [...said.effects, marked, asks_later, ...later] };
}

/** The service's decision never counts as a person's, even when a person called for the turn: they have not seen it. */
function asProgram(ctx: Ctx): Ctx {
  return { ...ctx, principal: { ...ctx.principal, kind: 'key' } };
}

/** Does what was chosen; where the store's own rules refuse a model's turn, the built-in one. */
function performed(ctx: Ctx, course: Course, chosen: Chosen, proposing: ProposalTalk | null) {
  const { facts } = chosen;
  const done = perform(asProgram(ctx), course, chosen.turn, { facts, proposing });
  if (!chosen.by_model || !isFault(done)) return { chosen, done };
  const instead: Chosen = { facts, turn: takeTurn(facts), by_model: false, outcome: done.fault };
  return { chosen: instead, done: perform(asProgram(ctx), course, instead.turn, { facts, proposing }) };
}

/** The acting agent's next turn; 409 when it is the other side's turn. */
export function chooseTurn(
  ctx: Ctx,
  course: Course,
  instruction: string | null,
  advice: Advice | null,
): Chosen | Fault<TurnRefusal> {
  const refusal = turnFault(course, ctx.now_ms);
  if (refusal) return refusal;
  const facts = factsOf(ctx, course, instruction);
  if (instruction !== null && tellsBound(instruction, facts.bounds)) {
    return invalid({ path: 'instruction', message: 'It is written to the other side: do not include your limits.' });
  }
  return choose(facts, course, advice);
}

/** Whether taking it reads what proposing and answering take. */
export function mayPropose({ turn: { action }, by_model }: Chosen): boolean {
  return by_model || action === 'propose' || action === 'approve';
}

/** Takes the chosen turn, with its reasons; `proposing` is read where it may propose. */
export function takeTurnIn(
  ctx: Ctx,
  course: Course,
  choice: Chosen,
  { advice, proposing }: { readonly advice: Advice | null; readonly proposing: ProposalTalk | null },
): Taken | Fault<TurnRefusal> {
  const { chosen, done } = performed(ctx, course, choice, proposing);
  if (isFault(done)) return done;
  const agent_id = course.talk.me.id;
  const kept = done.message && {
    id: done.message.id,
    conversation_id: done.message.conversation_id,
    agent_id,
    reasons: reasonsOf(chosen, advice),
    created_at: ctx.now_ms,
  };
  const quota = { limit: TURNS_A_DAY, window_ms: DAY_MS, wait_ms: DAY_MS - (ctx.now_ms % DAY_MS) };
  const full = tooMany(quota, `An agent can take at most ${TURNS_A_DAY} automatic turns a day.`);
  return {
    turn: chosen.turn,
    ...done,
    effects: [
      ...(kept ? [count(turnsKey(agent_id, ctx.now_ms), TURNS_A_DAY, full, ctx.now_ms + 2 * DAY_MS)] : []),
      ...done.effects,
      ...(kept ? [insert('turns', kept)] : []),
    ],
  };
}

/** A model's answer; `value` is null when the built-in rules must answer, and `failure` says why. */
export interface Advised<T> {
  readonly model: string;
  readonly value: T | null;
  readonly failure: string | null;
  /** The id of the recorded call; null when no model was asked. */
  readonly call_id: string | null;
}
