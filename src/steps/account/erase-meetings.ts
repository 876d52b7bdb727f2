// What a deleted agent set for meetings: that the two met, or were to, is the other side's record too and stays. Where they were to meet
// is taken away, since such an address often leads to a person; also out of what the other side was told.
import { apply, type Effect } from '../../../db/effects.ts';
import { threadJoinedFrom, threadOpenedFrom } from '../../../db/queries/leaving.ts';
import { meetingsBehind } from '../../../db/queries/meeting.ts';
import { blanked } from '../../../db/schema/personal-columns.ts';
import type { Read } from '../../../db/store.ts';
import { goneHandle } from '../../domain/identity/handle.ts';
import type { AgentStage, Stages } from './erase.ts';
import { renameTold } from './rename-told.ts';

/** Each meeting with an address is looked for in the other side's inbox. */
const MEETINGS = 50;
/** Conversations a turn; few have any meetings. */
const THREADS = 20;

/** An agent in one of its conversations, with the inbox of the other side. */
interface Side {
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly inbox_id: string;
}

/** A slice of a conversation's meetings behind an id, and the last of it where others may follow. */
async function unaddressed(read: Read, { agent_id, conversation_id, inbox_id }: Side, behind: string) {
  const rows = await read.peek(meetingsBehind, { conversation_id, after: behind, limit: MEETINGS });
  const effects: Effect<never>[] = [];
  for (const { id } of rows.filter(({ by_id, url }) => by_id === agent_id && url !== null)) {
    const near = { inbox_id, near_id: id, to: goneHandle(agent_id), without: ['url'] };
    const told = await renameTold(read, near, ({ meeting_id }) => meeting_id === id);
    effects.push(
      apply('meetings', id, (row) => blanked('meetings', row, agent_id)),
      ...told,
    );
  }
  return { effects, last: rows.length === MEETINGS ? (rows.at(-1)?.id ?? null) : null };
}

/** Those in the conversations that it opened, or that were opened with it. */
function meetings(side: 'opener' | 'other'): AgentStage {
  const query = side === 'opener' ? threadOpenedFrom : threadJoinedFrom;
  return async (read, { id: agent_id }, after) => {
    let [from = '', behind = ''] = after.split('|');
    const effects: Effect<never>[] = [];
    for (let looked = 0; looked < THREADS && effects.length < MEETINGS; looked++) {
      const thread = await read.peek(query, { agent_id, from });
      if (!thread) return () => ({ effects, after: null });
      const inbox_id = side === 'opener' ? thread.other_id : thread.opener_id;
      const at = { agent_id, conversation_id: thread.id, inbox_id };
      const slice = await unaddressed(read, at, thread.id === from ? behind : '');
      effects.push(...slice.effects);
      // Past all meetings of this conversation begins the next one: no id stands between one and its own with a letter more.
      [from, behind] = slice.last === null ? [`${thread.id}~`, ''] : [thread.id, slice.last];
    }
    return () => ({ effects, after: `${from}|${behind}` });
  };
}

export const MEETINGS_SET = { meetings: [meetings('opener'), meetings('other')] } satisfies Stages;
