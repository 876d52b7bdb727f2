// Those of the operations that the screens call which are about meetings.
import type { meetingComplete } from '../operations/meeting/complete.ts';
import type { meetingList } from '../operations/meeting/list.ts';
import type { meetingSchedule } from '../operations/meeting/schedule.ts';

export interface MeetingOperations {
  readonly 'meeting.complete': typeof meetingComplete;
  readonly 'meeting.list': typeof meetingList;
  readonly 'meeting.schedule': typeof meetingSchedule;
}
