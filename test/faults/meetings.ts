// Faults in meetings: how many there may be, who may set one, and what is left of one when an account goes.
import type { Fault } from './fault.ts';

const SCHEDULE = 'src/operations/meeting/schedule.ts';
const MEETING = ['test/operations/meeting.test.ts'];

/** Faults in meetings. */
export const MEETINGS: readonly Fault[] = [
  {
    name: 'a twenty-first meeting that is set at the same moment',
    file: SCHEDULE,
    find: "        count(meetingsKey(conversation_id), made + 1, 'again'),\n",
    replace: '',
    tests: MEETING,
    on: 'postgres',
  },
  {
    name: 'a meeting that took place before it began',
    file: 'src/domain/conversation/meeting.ts',
    find: 'now_ms >= starts_at',
    replace: 'starts_at > 0',
    tests: ['test/domain/conversation/meeting.test.ts'],
  },
  {
    name: 'a meeting that only one side hears of',
    file: 'src/steps/meeting.ts',
    find: '    tell(ctx, other, event, { ...told, counterparty_handle: opener.handle }),\n',
    replace: '',
    tests: MEETING,
  },
  {
    name: 'a meeting of others that anybody may complete',
    file: 'src/operations/meeting/complete.ts',
    find: ' || meeting?.conversation_id !== conversation_id',
    replace: ' || !meeting',
    tests: MEETING,
  },
  {
    name: 'an address of a meeting that outlives its account',
    file: 'src/steps/account/rename-told.ts',
    find: '!without.includes(field)',
    replace: "field !== '' && without !== null",
    tests: ['test/operations/account-delete.test.ts'],
  },
];
