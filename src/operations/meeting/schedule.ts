// Schedules a meeting of the two sides of a conversation. The commit checks blocks and the conversation's end under its row's lock,
// and the second of two simultaneous meetings is decided again, so that the limit of upcoming meetings holds.
import { apply, count, insert } from '../../../db/effects.ts';
import { wholeThread } from '../../../db/queries/conversation.ts';
import { meetingsComing } from '../../../db/queries/meeting.ts';
import { counterById } from '../../../db/queries/turn.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { isPlatform, platformFault } from '../../domain/agent/platform.ts';
import { writeFault } from '../../domain/conversation/conversation.ts';
import {
  COMING_MAX,
  meetingLimitFault,
  meetingsKey,
  startsFault,
  urlFault,
} from '../../domain/conversation/meeting.ts';
import { codeWord, fault } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { isParty, MeetingInput, MeetingShape, meetingView } from '../../schemas/conversation.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { tellOfMeeting } from '../../steps/meeting.ts';

export const meetingSchedule = command({
  name: 'meeting.schedule',
  noun: 'Meetings between the two sides of a conversation.',
  summary: 'Set a meeting',
  description: describe`For either side, in an open conversation, at most a year ahead. Both sides get \`meeting.scheduled\`. A conversation can have twenty upcoming meetings, else ${codeWord('conflict')}; ${codeWord('blocked')} if the other side blocked you.`,
  input: MeetingInput,
  output: MeetingShape,
  example: {
    conversation_id: SAMPLE.conversation_id,
    starts_at: SAMPLE.meets_at,
    duration_minutes: 30,
    url: 'https://meet.example.com/ropes',
  },
  effect: 'adds',
  access: 'key',
  scope: 'conversations:write',
  provisional: true,
  agent: 'required',
  status: 'created',
  faults: ['not_found', 'invalid_request', 'blocked', 'conversation_closed', 'conflict'],
  rest: [{ method: 'POST', path: '/api/conversations/{conversation_id}/meetings' }],
  tools: [{ name: 'mesh_schedule_meeting', title: 'Set a meeting', set: 'conversations', extension: true }],
  load: async (read, { conversation_id }, { now_ms }) => {
    const thread = await read.peek(wholeThread, { id: conversation_id, limit: 1 });
    // The counter is read first: a meeting scheduled between the two reads is seen, and has changed the counter.
    const made = (await read.peek(counterById, { id: meetingsKey(conversation_id) }))?.n ?? 0;
    const coming = await read.peek(meetingsComing, { conversation_id, now_ms, limit: COMING_MAX });
    return { thread, made, coming: coming.length };
  },
  decide: ({ thread, made, coming }, { conversation_id, starts_at, duration_minutes, url }, ctx) => {
    const me = actor(ctx);
    if (!isParty(thread, me.id)) return fault('not_found');
    const at = Date.parse(starts_at);
    const wrong = startsFault(at, ctx.now_ms) ?? (url === undefined ? null : urlFault(url));
    if (wrong) return wrong;
    const { conversation } = thread;
    if (isPlatform(conversation.other_id)) return platformFault();
    const opened = conversation.opener_id === me.id;
    const refusal = writeFault(conversation, opened, ctx.now_ms) ?? meetingLimitFault(coming, made);
    if (refusal) return refusal;
    const row = {
      ...{ id: ctx.id(), conversation_id, by_id: me.id, starts_at: at, duration_minutes, url: url ?? null },
      ...{ completed_by: null, completed_at: null, created_at: ctx.now_ms, version: 1 },
    };
    return {
      reply: meetingView(row, thread),
      effects: [
        apply(
          'conversations',
          conversation_id,
          () => ({ updated_at: ctx.now_ms }),
          (now) => writeFault(now, opened, ctx.now_ms),
        ),
        count(meetingsKey(conversation_id), made + 1, 'again'),
        insert('meetings', row),
        ...tellOfMeeting(ctx, thread, 'meeting.scheduled', row),
      ],
    };
  },
});
