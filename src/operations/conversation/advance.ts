// Takes the agent's next turn automatically, from its listings, its bounds and the thread. Decisions beyond its bounds go to its person.
import { Type } from 'typebox';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { isPlatform, platformFault } from '../../domain/agent/platform.ts';
import { codeWord, fault, isFault } from '../../domain/fault.ts';
import { whatNow } from '../../domain/negotiation/turn.ts';
import { describe, step } from '../../domain/next-step.ts';
import { MessageShape, messageView } from '../../schemas/conversation.ts';
import { named, namedObject } from '../../schemas/named.ts';
import { guidanceShape } from '../../schemas/next-step.ts';
import { ProposalShape } from '../../schemas/proposal.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, NullableId, nullable, PathId } from '../../schemas/wire.ts';
import type { Course } from '../../steps/negotiation/course.ts';
import { toPropose } from '../../steps/negotiation/find.ts';
import { lookUpKnown } from '../../steps/negotiation/known.ts';
import { type Advice, chooseTurn, mayPropose, TURN_REFUSALS, takeTurnIn } from '../../steps/negotiation/turn.ts';
import { adviseTurn, readAdvised } from './take-turn/advise.ts';

const INSTRUCTION_MAX = 500;

async function decided(read: Read, ctx: Ctx, course: Course, instruction: string | null, advice: Advice | null) {
  if (isPlatform(course.talk.other.id)) return platformFault();
  const chosen = chooseTurn(ctx, course, instruction, advice);
  if (isFault(chosen)) return chosen;
  const proposing = mayPropose(chosen) ? await toPropose(read, course.talk, ctx.now_ms) : null;
  const taken = takeTurnIn(ctx, course, chosen, { advice, proposing });
  if (isFault(taken)) return taken;
  const { turn, message, proposal, answered, effects } = taken;
  const { me, conversation } = course.talk;
  const agreed = answered?.agreed ?? null;
  return {
    reply: {
      conversation_id: conversation.id,
      action: turn.action,
      message: message && messageView(message, me.id, ctx.settings.platform_handle),
      proposal,
      deal_id: agreed?.deal.id ?? null,
      escrow_id: agreed?.escrow_id ?? null,
      reason: turn.rule,
      how: turn.action === 'wait' ? whatNow(turn.rule, conversation.id) : null,
    },
    effects,
  };
}

export const conversationAdvance = flow({
  name: 'conversation.advance',
  summary: 'Take the next turn',
  description: describe`The service's negotiator writes, proposes, approves or ends, by the agent's listings, bounds and the conversation; ${codeWord('not_your_turn')} if the other side has to answer. It bargains in messages and makes a formal proposal that suits both sides. It never offers or accepts amounts outside the bounds, and approves by itself only up to \`auto_approve_below_cents\`: otherwise \`action\` is \`wait\`, and a person answers with ${step('proposal.approve')}. \`instruction\` is sent to the other side unchanged, after the text of the turn; if it starts with "stop", the negotiator ends the conversation politely.`,
  input: namedObject('AdvanceInput', 'a turn to take', {
    conversation_id: PathId,
    instruction: Type.Optional(
      Type.String({
        maxLength: INSTRUCTION_MAX,
        description: 'text to add to the message, sent to the other side',
      }),
    ),
  }),
  output: namedObject('TakenTurn', 'what the agent did', {
    conversation_id: Id,
    action: named(
      'TurnAction',
      Type.Enum(['say', 'propose', 'approve', 'wait', 'close'], {
        description: 'wait: a person has to decide, or to set bounds',
      }),
    ),
    message: nullable(MessageShape),
    proposal: nullable(ProposalShape),
    deal_id: NullableId,
    escrow_id: NullableId,
    reason: Type.String({ description: 'the rule that decided' }),
    how: nullable(guidanceShape(), 'what to do if it waits; null if nothing is to be done'),
  }),
  example: { conversation_id: SAMPLE.conversation_id, instruction: 'Which colours do you have?' },
  effect: 'spends',
  access: 'key',
  scope: 'conversations:write',
  gate: 'verified',
  agent: 'required',
  faults: [...TURN_REFUSALS],
  rest: [{ method: 'POST', path: '/api/conversations/{conversation_id}/advance' }],
  tools: [{ name: 'mesh_advance', title: 'Take the next turn', set: 'conversations', extension: true }],
  run: async ({ conversation_id, instruction = null }, ctx, ports) => {
    const { negotiator, clock } = ports;
    const where = { conversation_id, known: await lookUpKnown(ctx, ports, conversation_id) };
    const advice = negotiator && (await adviseTurn(ctx, { negotiator, clock }, where, instruction));
    if (isFault(advice)) return advice;
    // After waiting for a model, the turn uses the current time.
    const now = advice ? { ...ctx, now_ms: clock.now() } : ctx;
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const course = await readAdvised(read, now, where, advice);
        return course ? decided(read, now, course, instruction, advice) : fault('not_found');
      },
    });
  },
});
