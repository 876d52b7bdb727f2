// Tasks in tests: sent, read and canceled as doors of the agent-to-agent protocol do, and answered as a target's own endpoint is.
import { expect } from 'bun:test';
import { taskById } from '../../db/queries/task.ts';
import { isFault } from '../../src/domain/fault.ts';
import type { TaskState } from '../../src/domain/task/task.ts';
import { threadToPost } from '../../src/steps/message/thread.ts';
import { answerTask, type Told } from '../../src/steps/task/answer.ts';
import { moveTask } from '../../src/steps/task/move.ts';
import type { TestAgent } from './agents.ts';
import type { TestAnswer, TestService } from './testbed.ts';
import { ctxOf } from './threads.ts';

type Body = TestAnswer['body'];

export const text = (said: string): { kind: 'text'; text: string }[] => [{ kind: 'text', text: said }];

/** How an answer ended: its status with its fault. */
export const said = ({ status, body }: TestAnswer): string => `${status} ${body?.error ?? ''}`.trim();

export interface TaskCalls {
  send(from: TestAgent, body: Record<string, unknown>, headers?: Record<string, string>): Promise<TestAnswer>;
  /** Sends to an agent, and answers the task. */
  sendTo(from: TestAgent, to: Pick<TestAgent, 'handle'>, more?: Record<string, unknown>): Promise<Body>;
  get(who: TestAgent, task_id: string, more?: string): Promise<TestAnswer>;
  list(who: TestAgent, query?: string): Promise<TestAnswer>;
  cancel(who: TestAgent, task_id: string): Promise<TestAnswer>;
  say(who: TestAgent, conversation_id: string, content: string): Promise<TestAnswer>;
  /** A step of a task as its target's endpoint tells it. */
  tell(target: TestAgent, task_id: string, told: Told): Promise<void>;
  /** A step without a word. */
  move(target: TestAgent, task_id: string, state: TaskState): Promise<void>;
}

export function taskCalls(t: TestService): TaskCalls {
  const send: TaskCalls['send'] = (from, body, headers = {}) =>
    t.call('POST', '/operations/task.send', { key: from.key, headers, body: { parts: text('Draw a logo.'), ...body } });
  const ctx = ({ id }: TestAgent) => ctxOf(t, id);
  return {
    send,
    sendTo: async (from, to, more = {}) => {
      const answer = await send(from, { target_handle: to.handle, ...more });
      expect(said(answer)).toBe('200');
      return answer.body;
    },
    get: (who, task_id, more = '') =>
      t.call('GET', `/operations/task.get?task_id=${encodeURIComponent(task_id)}${more}`, { key: who.key }),
    list: (who, query = '') => t.call('GET', `/operations/task.list?${query}`, { key: who.key }),
    cancel: (who, task_id) => t.call('POST', '/operations/task.cancel', { key: who.key, body: { task_id } }),
    say: (who, conversation_id, content) =>
      t.call('POST', `/api/messages/${conversation_id}`, { key: who.key, body: { content } }),
    tell: async (target, task_id, told) => {
      const outcome = await t.service.world.store.turn({
        attempt: async (read) => {
          const task = await read(taskById, { id: task_id });
          const thread = task && (await threadToPost(read, task.conversation_id, target.id));
          if (!thread) throw new Error('there is no such task');
          const answered = answerTask(ctx(target), target, thread, task, told);
          return isFault(answered) ? answered : { reply: null, effects: answered.effects };
        },
      });
      if (isFault(outcome)) throw new Error(outcome.fault);
    },
    move: async (target, task_id, state) => {
      await t.service.world.store.turn({
        attempt: async (read) => {
          const task = await read(taskById, { id: task_id });
          if (!task) throw new Error('there is no such task');
          return { reply: null, effects: moveTask(ctx(target), task, { state }).effects };
        },
      });
    },
  };
}
