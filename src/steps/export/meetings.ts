// The meetings of an agent's conversations, whoever set them, as its person takes them along: conversation by conversation, oldest
// first, a slice at a time.
import { threadJoinedFrom, threadOpenedFrom } from '../../../db/queries/leaving.ts';
import { meetingsBehind } from '../../../db/queries/meeting.ts';
import { exported } from '../../../db/schema/personal-columns.ts';
import type { Read } from '../../../db/store.ts';
import type { Taken } from './walk.ts';

/** Conversations that are looked into for one slice; few have any meetings. */
const THREADS_MAX = 50;

/** Meetings in the conversations that the agent opened, then in those that were opened with it. Each says whether the agent set it. */
export async function takeMeetings(read: Read, agent_id: string, after: string, limit: number): Promise<Taken<object>> {
  const rows: object[] = [];
  let [side = 'opener', from = '', behind = ''] = after === '' ? [] : after.split('.');
  for (let looked = 0; looked < THREADS_MAX && rows.length < limit; looked++) {
    const thread = await read.peek(side === 'opener' ? threadOpenedFrom : threadJoinedFrom, { agent_id, from });
    if (!thread) {
      if (side === 'other') return { rows, after: null };
      [side, from, behind] = ['other', '', ''];
      continue;
    }
    const wanted = limit - rows.length;
    const asked = { conversation_id: thread.id, after: thread.id === from ? behind : '', limit: wanted };
    const found = await read.peek(meetingsBehind, asked);
    rows.push(...found.map((row) => ({ ...exported('meetings', row), own: row.by_id === agent_id })));
    // Behind all meetings of a conversation begins the next one.
    [from, behind] = found.length < wanted ? [`${thread.id}~`, ''] : [thread.id, found.at(-1)?.id ?? ''];
  }
  return { rows, after: `${side}.${from}.${behind}` };
}
