// The turn of an agent on autopilot, some seconds after a message to it. A turn that cannot be taken is answered as success: a
// refused reminder would be retried for ever. A model and an outside embedder are asked in the background, so that other reminders do
// not wait; a reminder of its own stands until the turn is taken.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { reminderById } from '../../../db/queries/reminder.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { isPlatform } from '../../domain/agent/platform.ts';
import { writeFault } from '../../domain/conversation/conversation.ts';
import { isFault } from '../../domain/fault.ts';
import { embedsHere } from '../../steps/listing/vectors.ts';
import { keepPilot, TAKE_TURN } from '../../steps/negotiation/autopilot.ts';
import { toPropose } from '../../steps/negotiation/find.ts';
import { type Known, lookUpKnown } from '../../steps/negotiation/known.ts';
import { type Advice, chooseTurn, mayPropose, TURN_REFUSALS, takeTurnIn } from '../../steps/negotiation/turn.ts';
import { reminderId, unremindRead } from '../../steps/reminder.ts';
import { adviseTurn, readAdvised } from './take-turn/advise.ts';

/** Removes the turn's reminder after the turn. It is read before the conversation: a later message sets the reminder again, and then it stays. */
async function readRest(read: Read, agent_id: string, conversation_id: string): Promise<Effect<never>[]> {
  const stands = await read.peek(reminderById, { id: reminderId(TAKE_TURN, `${conversation_id}:${agent_id}`) });
  return stands ? [unremindRead(stands)] : [];
}

/** Longer than the model's own deadline. */
const WORK_MS = 45_000;

interface Which {
  readonly conversation_id: string;
  readonly agent_id: string;
}

/** The agent, while it is on autopilot. */
async function pilotOf(read: Read, id: string): Promise<Row<'agents'> | null> {
  const agent = await read(agentById, { id });
  const flies = agent?.autopilot === 1 && agent.deactivated_at === null && agent.verified_at !== null;
  return flies ? agent : null;
}

interface Prepared {
  readonly known: Known | null;
  readonly advice: Advice | null;
}

/** The effects of its turn, which may be none. */
async function turnOf(read: Read, ctx: Ctx, { conversation_id, agent_id }: Which, { known, advice }: Prepared) {
  const agent = await pilotOf(read, agent_id);
  const course = agent && (await readAdvised(read, { ...ctx, agent }, { conversation_id, known }, advice));
  if (!course || isPlatform(course.talk.other.id)) return [];
  const { conversation } = course.talk;
  if (writeFault(conversation, conversation.opener_id === agent_id, ctx.now_ms)) return [];
  const chosen = chooseTurn(ctx, course, null, advice);
  if (isFault(chosen)) return [];
  const proposing = mayPropose(chosen) ? await toPropose(read, course.talk, ctx.now_ms) : null;
  const taken = takeTurnIn(ctx, course, chosen, { advice, proposing });
  return isFault(taken) ? [] : taken.effects;
}

type Ports = Pick<FlowPorts, 'negotiator' | 'clock' | 'embedder' | 'tasks'>;

/** Looks up the agent's knowledge, and asks the model where there is one. */
async function prepare(ctx: FlowCtx, ports: Ports, { agent_id, conversation_id }: Which): Promise<Prepared> {
  const { negotiator, clock } = ports;
  const agent = await pilotOf(ctx.read, agent_id);
  if (!agent) return { known: null, advice: null };
  const acting = { ...ctx, agent };
  const known = await lookUpKnown(acting, ports, conversation_id);
  const where = { conversation_id, known };
  const asked = negotiator && (await adviseTurn(acting, { negotiator, clock }, where, null));
  return { known, advice: isFault(asked) ? null : asked };
}

/** Takes the turn with the answers from outside. If the commit refuses it, the standing reminder takes the turn again. */
async function takeAdvised(ctx: FlowCtx, ports: Ports, which: Which): Promise<void> {
  const prepared = await prepare(ctx, ports, which);
  const now = { ...ctx, now_ms: ports.clock.now() };
  await ctx.turn({
    attempt: async (read) => {
      const rest = await readRest(read, which.agent_id, which.conversation_id);
      return { reply: null, effects: [...(await turnOf(read, now, which, prepared)), ...rest] };
    },
  });
}

export const conversationTakeTurn = flow({
  ...TAKE_TURN,
  summary: 'Take the turn of an agent on autopilot',
  output: Type.Object({ begun: Type.Boolean() }),
  effect: 'adds',
  access: 'internal',
  faults: [...TURN_REFUSALS],
  run: async (which, ctx, ports) => {
    const { agent_id, conversation_id } = which;
    if (!ports.negotiator && embedsHere(ports)) {
      const prepared = await prepare(ctx, ports, which);
      const attempt = async (read: Read) => ({
        reply: { begun: true },
        effects: await turnOf(read, ctx, which, prepared),
      });
      return ctx.turn({ final: true, attempt });
    }
    const kept = keepPilot(agent_id, conversation_id, ctx.now_ms);
    await ctx.turn({ attempt: async () => ({ reply: null, effects: [kept] }) });
    const work = (): Promise<void> => takeAdvised(ctx, ports, which);
    const key = `take_turn:${conversation_id}:${agent_id}`;
    ports.turns.run(key, { hosts: [agent_id], deadline_ms: WORK_MS, looks: true, work });
    return { reply: { begun: true } };
  },
});
