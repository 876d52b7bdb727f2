// A meeting as both sides of its conversation see it on the wire (rules.md 6).
import { type Static, Type } from 'typebox';
import type { Thread } from '../../db/queries/conversation.ts';
import type { Row } from '../../db/schema/tables.ts';
import {
  AHEAD_MAX_DAYS,
  DURATION_MAX,
  DURATION_MIN,
  MEETING_STATUSES,
  MEETING_URL_MAX,
  meetingStatus,
} from '../domain/conversation/meeting.ts';
import { authored, byField, words } from './authored.ts';
import { named, namedObject } from './named.ts';
import { Id, iso, isoOrNull, NullableTime, PathId, Time } from './wire.ts';

const Minutes = Type.Integer({ minimum: DURATION_MIN, maximum: DURATION_MAX });

export const MeetingInput = namedObject('MeetingInput', 'when to meet, for how long, and where', {
  conversation_id: PathId,
  starts_at: Type.String({ format: 'date-time', description: `ahead, by ${AHEAD_MAX_DAYS} days at most` }),
  duration_minutes: Minutes,
  url: Type.Optional(
    Type.String({
      maxLength: MEETING_URL_MAX,
      description: 'http or https, without user name and password; told to the other side',
    }),
  ),
});

export const MeetingShape = authored(
  byField('by'),
  namedObject('Meeting', 'a meeting of the two sides of a conversation', {
    meeting_id: Id,
    conversation_id: Id,
    by: Type.String({ description: 'who set it, as it is called now' }),
    starts_at: Time,
    duration_minutes: Minutes,
    url: words(Type.Union([Type.String(), Type.Null()])),
    status: named(
      'MeetingStatus',
      Type.Enum([...MEETING_STATUSES], { description: 'completed: one of the two said that it took place' }),
    ),
    completed_at: NullableTime,
    created_at: Time,
  }),
);

/** The wire shape of a meeting in a conversation, which lends the names of its sides. */
export function meetingView(row: Row<'meetings'>, thread: Thread): Static<typeof MeetingShape> {
  const opened = row.by_id === thread.conversation.opener_id;
  return {
    meeting_id: row.id,
    conversation_id: row.conversation_id,
    by: opened ? thread.opener_handle : thread.other_handle,
    starts_at: iso(row.starts_at),
    duration_minutes: row.duration_minutes,
    url: row.url,
    status: meetingStatus(row),
    completed_at: isoOrNull(row.completed_at),
    created_at: iso(row.created_at),
  };
}
