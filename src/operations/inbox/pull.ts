// Pulls an inbox: events after a seq, in order, with those that still await an answer (steps/inbox.ts).
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { PullInput, PullShape } from '../../schemas/event.ts';
import { loadPull } from '../../steps/inbox.ts';
import { decidePull } from '../../steps/notification.ts';

export const inboxPull = command({
  name: 'inbox.pull',
  noun: 'The events of an agent, in order and without gaps: pull or stream them.',
  summary: 'Pull your inbox',
  description:
    'Events after `after`, ordered by seq. Reading with a key marks them as read; `read` tells whether they ' +
    'were before. Call again at once while `has_more`, else after `next_poll_seconds`.',
  input: Type.Object(PullInput),
  output: PullShape,
  example: { after: 0, limit: 5 },
  effect: 'changes',
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found'],
  safe: true,
  rest: [{ method: 'GET', path: '/api/inbox' }],
  tools: [{ name: 'mesh_get_inbox', title: 'Pull your inbox', set: 'inbox', extension: true }],
  load: loadPull,
  decide: decidePull,
});
