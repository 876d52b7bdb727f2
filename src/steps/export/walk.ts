// Walks what an agent has, a slice at a time, for those who take it along: oldest first, so that a file that was begun stays right
// while the agent goes on.
import { wholeMessagesBehind } from '../../../db/queries/export.ts';
import { threadJoinedFrom, threadOpenedFrom } from '../../../db/queries/leaving.ts';
import type { Read } from '../../../db/store.ts';
import type { TakenMessage } from '../../schemas/export.ts';

/** A slice; `after` is where the next one begins, null where nothing follows. */
export interface Taken<T> {
  readonly rows: readonly T[];
  readonly after: string | null;
}

/** Threads that are looked into for one slice. */
const THREADS_MAX = 50;

/** Messages of all threads of an agent: those that it opened, then those that were opened with it. */
export async function takeMessages(
  read: Read,
  agent_id: string,
  after: string,
  limit: number,
): Promise<Taken<TakenMessage>> {
  const rows: TakenMessage[] = [];
  let [side = 'opener', from = '', position = '0'] = after === '' ? [] : after.split('.');
  for (let looked = 0; looked < THREADS_MAX && rows.length < limit; looked++) {
    const thread = await read(side === 'opener' ? threadOpenedFrom : threadJoinedFrom, { agent_id, from });
    if (!thread) {
      if (side === 'other') return { rows, after: null };
      [side, from, position] = ['other', '', '0'];
      continue;
    }
    const n = thread.id === from ? Number(position) : 0;
    const wanted = limit - rows.length;
    const found = await read(wholeMessagesBehind, { conversation_id: thread.id, n, limit: wanted });
    rows.push(...found.map((row) => ({ ...row, own: row.sender_id === agent_id })));
    const whole = found.length < wanted;
    // Behind all positions of a thread begins the next one.
    [from, position] = whole ? [`${thread.id}~`, '0'] : [thread.id, String(found.at(-1)?.n ?? n)];
  }
  return { rows, after: `${side}.${from}.${position}` };
}
