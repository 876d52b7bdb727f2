// Asks a language model about an agent's turn, where the turn uses one.

import { agentById } from '../../../../db/queries/agent.ts';
import { counterById } from '../../../../db/queries/turn.ts';
import type { Read } from '../../../../db/store.ts';
import { actor, type Ctx, type FlowCtx } from '../../../contract/context.ts';
import type { FlowPorts } from '../../../contract/ports.ts';
import { isPlatform } from '../../../domain/agent/platform.ts';
import { writeFault } from '../../../domain/conversation/conversation.ts';
import { type Fault, isFault } from '../../../domain/fault.ts';
import { asksModel, readModelAnswer, turnQuestion } from '../../../domain/negotiation/model-turn.ts';
import { takeTurn } from '../../../domain/negotiation/negotiator.ts';
import { saidFault, tellsBound } from '../../../domain/negotiation/told.ts';
import type { ModelPort } from '../../../outbound/negotiator/negotiator.ts';
import { type Course, factsOf, readCourse, saidIn, stateOf, turnFault } from '../../../steps/negotiation/course.ts';
import type { Known } from '../../../steps/negotiation/known.ts';
import { type Advice, TURNS_A_DAY, turnsKey } from '../../../steps/negotiation/turn.ts';
import { askModel } from './model.ts';

type Ports = Pick<FlowPorts, 'clock'> & { readonly negotiator: ModelPort };

/** The conversation of a turn, and the knowledge looked up for it. */
interface Whereabouts {
  readonly conversation_id: string;
  readonly known: Known | null;
}

/** Whether the agent cannot act whatever a model answers: the conversation is closed, it is not its turn, or its daily limit is used. */
async function isBarred({ read, now_ms }: FlowCtx, course: Course): Promise<boolean> {
  const { me, other, conversation } = course.talk;
  const by_opener = conversation.opener_id === me.id;
  if (isPlatform(other.id) || turnFault(course, now_ms) || writeFault(conversation, by_opener, now_ms)) return true;
  const turns = await read.peek(counterById, { id: turnsKey(me.id, now_ms) });
  return (turns?.n ?? 0) >= TURNS_A_DAY;
}

/** The model's advice for the acting agent's next turn; null where no model is used. */
export async function adviseTurn(
  ctx: FlowCtx,
  ports: Ports,
  { conversation_id, known }: Whereabouts,
  instruction: string | null,
): Promise<Advice | null | Fault> {
  const course = await readCourse(ctx.read, conversation_id, actor(ctx), ctx, known);
  if (!course || (await isBarred(ctx, course))) return null;
  const facts = factsOf(ctx, course, instruction);
  const ours = takeTurn(facts);
  // An instruction with private data or a bound is refused by the turn itself, and not sent to the model, even where the turn ignores it.
  const words = [ours.text, instruction ?? ''].join('\n');
  if (!asksModel(ours) || saidFault(words, saidIn(course)) || tellsBound(instruction ?? '', facts.bounds)) return null;
  const question = turnQuestion(facts, ours, course.talk.me.handle);
  const advised = await askModel(ctx, ports, { purpose: 'turn', question, read: readModelAnswer });
  return isFault(advised) ? advised : { ...advised, shown: stateOf(course) };
}

/** Reads for the turn itself; after a model's answer with the agent's current row. */
export async function readAdvised(
  read: Read,
  ctx: Ctx,
  { conversation_id, known }: Whereabouts,
  advice: Advice | null,
): Promise<Course | null> {
  const me = actor(ctx);
  const now = advice ? await read(agentById, { id: me.id }) : me;
  return now && now.deactivated_at === null ? readCourse(read, conversation_id, now, ctx, known) : null;
}
