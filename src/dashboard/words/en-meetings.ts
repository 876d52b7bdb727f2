// English texts about the meetings of a conversation.
export const meetings = {
  title: 'Meetings',
  none: 'No meeting is set.',
  when: 'When',
  length: 'Minutes',
  where: 'Where',
  state: 'State',
  statuses: { scheduled: 'To come', completed: 'Took place' },
  begun: 'Has begun',
  done: 'It took place',
  set: 'Set a meeting',
  setWhy: 'Both sides are told. The time is that of this device.',
  url: 'Where to meet (a web address)',
  setGo: 'Set the meeting',
} as const;
