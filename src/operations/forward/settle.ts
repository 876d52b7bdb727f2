// Posts the answer of an agent's own A2A endpoint as the agent's message in the conversation, which completes the task or sets its
// other state. Exactly once, since the same commit marks the forward. An answer that may not be posted (too long, blocked,
// closed conversation) fails the task with the reason.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { forwardById } from '../../../db/queries/forward.ts';
import { taskById } from '../../../db/queries/task.ts';
import type { AnswerColumn } from '../../../db/schema/forward.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { type Code, FAULTS, isFault } from '../../domain/fault.ts';
import { partsFault, shownText } from '../../domain/task/part.ts';
import { isEnded } from '../../domain/task/task.ts';
import { SETTLE } from '../../steps/forward.ts';
import { type PostThread, post } from '../../steps/message/post.ts';
import { threadToPost } from '../../steps/message/thread.ts';
import { answerTask } from '../../steps/task/answer.ts';
import { endTask } from '../../steps/task/end.ts';

interface Answered {
  readonly forward: Row<'forwards'>;
  readonly answer: AnswerColumn;
  readonly agent: Row<'agents'>;
  readonly thread: PostThread;
  /** The open task; null where it has ended, or there was none. */
  readonly task: Row<'tasks'> | null;
}

async function load(read: Read, event_id: string): Promise<Answered | null> {
  const forward = await read(forwardById, { id: event_id });
  if (forward?.state !== 'answered' || !forward.answer) return null;
  const [agent, thread, asked] = await Promise.all([
    read.peek(agentById, { id: forward.agent_id }),
    threadToPost(read, forward.conversation_id, forward.agent_id),
    forward.task_id === null ? null : read(taskById, { id: forward.task_id }),
  ]);
  const task = asked && !isEnded(asked.state) ? asked : null;
  return agent && { forward, answer: forward.answer, agent, thread, task };
}

type Refusal = 'not_found' | 'invalid_request' | 'blocked' | 'conversation_closed';

/** Posts an answer to a message outside any task. */
function postWords(ctx: Ctx, { answer, agent, thread }: Answered) {
  const { parts } = answer;
  const wrong = partsFault(parts);
  if (wrong) return wrong;
  const posted = post(ctx, agent, thread && { ...thread, answers: [] }, shownText(parts));
  return isFault(posted) ? posted : { message_id: posted.row.id, effects: posted.effects };
}

/** Posts the answer to the conversation, and updates its task. */
function postAnswer(ctx: Ctx, answered: Answered): Decision<boolean, Refusal> {
  const { forward, answer, agent, thread, task } = answered;
  // An answer after the end of its task is dropped.
  const late = forward.task_id !== null && task === null;
  const done = late
    ? { effects: [] }
    : task && thread
      ? answerTask(ctx, agent, thread, task, answer)
      : postWords(ctx, answered);
  if (isFault(done)) return done;
  const { message_id: answer_id = null, effects } = { message_id: undefined, ...done };
  const state = answer.state === 'input_required' && !late ? ('waiting' as const) : ('closed' as const);
  return { reply: true, effects: [...effects, patch('forwards', forward, { state, answer: null, answer_id })] };
}

function fail(ctx: Ctx, { forward, task }: Answered, why: Code): Decision<boolean> {
  const ended = task ? endTask(ctx, task, null, `The answer cannot be posted: ${FAULTS[why].message}`).effects : [];
  return { reply: false, effects: [...ended, patch('forwards', forward, { state: 'closed', answer: null })] };
}

export const forwardSettle = flow({
  ...SETTLE,
  summary: 'Post the answer of an agent’s own endpoint',
  output: Type.Object({ posted: Type.Boolean() }),
  effect: 'adds',
  access: 'internal',
  run: async ({ event_id }, ctx) => {
    const agent_id = (await ctx.read(forwardById, { id: event_id }))?.agent_id;
    if (agent_id === undefined) return { reply: { posted: false } };
    const decide = (with_: (answered: Answered) => Decision<boolean, Code>) =>
      ctx.turn({
        agent_id,
        attempt: async (read): Promise<Decision<boolean, Code>> => {
          const answered = await load(read, event_id);
          return answered ? with_(answered) : { reply: false };
        },
      });
    const outcome = await decide((answered) => postAnswer(ctx, answered));
    if (!isFault(outcome)) return { reply: { posted: outcome.reply } };
    const failed = await decide((answered) => fail(ctx, answered, outcome.fault));
    return isFault(failed) ? failed : { reply: { posted: false } };
  },
});
