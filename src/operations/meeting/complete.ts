// Records that a meeting took place: once, by either side, and not before its start.
import { Type } from 'typebox';
import { apply, patch } from '../../../db/effects.ts';
import { wholeThread } from '../../../db/queries/conversation.ts';
import { meetingById } from '../../../db/queries/meeting.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { blockedFault } from '../../domain/conversation/conversation.ts';
import { completeFault } from '../../domain/conversation/meeting.ts';
import { codeWord, fault } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { isParty, MeetingShape, meetingView } from '../../schemas/conversation.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { tellOfMeeting } from '../../steps/meeting.ts';

export const meetingComplete = command({
  name: 'meeting.complete',
  summary: 'Mark a meeting as completed',
  description: describe`For either side, once: a repeat is ${codeWord('meeting_completed')}; before the meeting starts it is ${codeWord('conflict')}. Both sides get \`meeting.completed\`. Also possible in an ended conversation; ${codeWord('blocked')} if the other side blocked you.`,
  input: Type.Object({ conversation_id: PathId, meeting_id: PathId }),
  output: MeetingShape,
  example: { conversation_id: SAMPLE.conversation_id, meeting_id: SAMPLE.meeting_id },
  effect: 'changes',
  access: 'key',
  scope: 'conversations:write',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'blocked', 'meeting_completed', 'conflict'],
  rest: [{ method: 'POST', path: '/api/conversations/{conversation_id}/meetings/{meeting_id}/complete' }],
  tools: [
    { name: 'mesh_complete_meeting', title: 'Mark a meeting as completed', set: 'conversations', extension: true },
  ],
  load: async (read, { conversation_id, meeting_id }) => {
    const [thread, meeting] = await Promise.all([
      read.peek(wholeThread, { id: conversation_id, limit: 1 }),
      // Read instead of peeked, so that the second of two simultaneous calls conflicts.
      read(meetingById, { id: meeting_id }),
    ]);
    return { thread, meeting };
  },
  decide: ({ thread, meeting }, { conversation_id }, ctx) => {
    const me = actor(ctx);
    if (!isParty(thread, me.id) || meeting?.conversation_id !== conversation_id) return fault('not_found');
    const opened = thread.conversation.opener_id === me.id;
    const refusal = blockedFault(thread.conversation, opened) ?? completeFault(meeting, ctx.now_ms);
    if (refusal) return refusal;
    const set = { completed_by: me.id, completed_at: ctx.now_ms };
    const row = { ...meeting, ...set };
    return {
      reply: meetingView(row, thread),
      effects: [
        apply(
          'conversations',
          conversation_id,
          () => ({ updated_at: ctx.now_ms }),
          (now) => blockedFault(now, opened),
        ),
        patch('meetings', meeting, set),
        ...tellOfMeeting(ctx, thread, 'meeting.completed', row),
      ],
    };
  },
});
