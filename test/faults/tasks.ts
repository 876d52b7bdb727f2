// Faults in tasks: what completes them, who sees them, how many there may be, and what their streams tell.
import type { Fault } from './fault.ts';

const POST = 'src/steps/message/post.ts';
const MOVE = 'src/steps/task/move.ts';
const FIND = 'src/steps/task/find.ts';
const SENDING = ['test/operations/task.test.ts'];
const ENDING = ['test/operations/task-end.test.ts'];
const STREAMING = ['test/operations/task-stream.test.ts'];

export const TASKS: readonly Fault[] = [
  {
    name: 'a task that an answer leaves open',
    file: POST,
    find: 'if (answered > 0) effects.push(',
    replace: 'if (answered > 1) effects.push(',
    tests: SENDING,
  },
  {
    name: 'an answered task that its conversation goes on counting',
    file: POST,
    find: 'countTasks(now, !opened, -answered)',
    replace: 'countTasks(now, !opened, 0)',
    tests: SENDING,
  },
  {
    name: 'an answer that is looked for among one’s own tasks',
    file: 'src/steps/message/thread.ts',
    find: 'thread.opener_id === writer_id ? thread.other_tasks : thread.opener_tasks',
    replace: 'thread.opener_id === writer_id ? thread.opener_tasks : thread.other_tasks',
    tests: SENDING,
  },
  {
    name: 'an ended task that its sender goes on paying for',
    file: MOVE,
    find: '(ends ? [uncountSent(task.sender_id)] : [])',
    replace: '(ends && task.sender_id === "" ? [uncountSent(task.sender_id)] : [])',
    tests: SENDING,
  },
  {
    name: 'a canceled task that its conversation goes on counting',
    file: MOVE,
    find: 'effects: [...moved.effects, ...uncountTasks(task.conversation_id, [task])]',
    replace: 'effects: [...moved.effects, ...uncountTasks(task.conversation_id, [])]',
    tests: ENDING,
  },
  {
    name: 'one more open task than there is room for',
    file: 'src/domain/task/task.ts',
    find: 'open < OPEN_PER_CONVERSATION',
    replace: 'open <= OPEN_PER_CONVERSATION',
    tests: SENDING,
  },
  {
    name: 'a task that a stranger cancels',
    file: FIND,
    find: 'task.sender_id === sender_id && !isGone(task, now_ms) ? task : null',
    replace: '!isGone(task, now_ms) ? task : null',
    tests: SENDING,
  },
  {
    name: 'a task that a stranger reads',
    file: FIND,
    find: 'task.target_id === agent_id && !isGone(task, now_ms)',
    replace: '!isGone(task, now_ms)',
    tests: SENDING,
  },
  {
    name: 'another sender’s task of the same name',
    file: 'db/queries/task.ts',
    find: "and(eq(t.tasks.sender_id, arg('sender_id')), eq(t.tasks.client_id, arg('client_id')))",
    replace: "and(eq(t.tasks.client_id, arg('client_id')))",
    tests: SENDING,
  },
  {
    name: 'a task that is canceled after it has failed or was canceled',
    file: 'src/operations/task/cancel.ts',
    find: 'if (isEnded(task.state)) return',
    replace: "if (task.state === 'completed') return",
    tests: SENDING,
  },
  {
    name: 'a task that can be read for a moment too long',
    file: 'src/domain/task/task.ts',
    find: 'expires_at !== null && expires_at <= now_ms',
    replace: 'expires_at !== null && expires_at < now_ms',
    tests: ENDING,
  },
  {
    name: 'a task that stays open in a conversation that was closed',
    file: 'src/operations/conversation/close.ts',
    find: 'endOfConversation(ctx.now_ms, id, me.id),',
    replace: '',
    tests: ENDING,
  },
  {
    name: 'a task that waits for ever',
    file: 'src/steps/task/begin.ts',
    find: ', endLater(ctx, conversation_id)];',
    replace: '];',
    tests: ENDING,
  },
  {
    name: 'a stream that nothing wakes but the inbox',
    file: 'db/schema/told.ts',
    find: "  tasks: 'changes',\n",
    replace: '',
    tests: STREAMING,
  },
  {
    name: 'a stream that outlives its task',
    file: 'src/operations/task/follow.ts',
    find: 'if (n === final) sink.close();',
    replace: 'if (n > final) sink.close();',
    tests: STREAMING,
  },
];
