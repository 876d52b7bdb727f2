// What was put to each other and decided in an agent's conversations, as its person takes it along: meetings, proposals, its word on
// them, the turns that were taken for it with their reasons, and what a model was asked for it.
import { threadJoinedFrom, threadOpenedFrom } from '../../../db/queries/leaving.ts';
import { meetingsBehind } from '../../../db/queries/meeting.ts';
import { approvalsOf, modelCallsBehind, turnsOf } from '../../../db/queries/negotiation.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { exported } from '../../../db/schema/personal-columns.ts';
import type { TableName } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { newestProposals } from '../negotiation/newest.ts';
import { takeActions } from './knowledge.ts';
import { proposalsOf } from './sides.ts';
import type { Taken } from './walk.ts';

/** Conversations that are looked into for one slice; few have any meetings. */
const THREADS_MAX = 50;

/** Meetings in the conversations that the agent opened, then in those that were opened with it. Each says whether the agent set it. */
async function takeMeetings(read: Read, agent_id: string, after: string, limit: number): Promise<Taken<object>> {
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

const SLICE = 100;
/** Turns of an agent in one conversation; it takes twelve. */
const TURNS_MAX = 100;

type Section = readonly [
  name: string,
  take: (read: Read, agent: { readonly id: string }, after: string) => Promise<Taken<object>>,
];

function slice<T extends { readonly id: string }>(table: TableName, rows: readonly T[]): Taken<object> {
  const after = rows.length === SLICE ? (rows.at(-1)?.id ?? null) : null;
  return { rows: rows.map((row) => exported(table, row)), after };
}

async function takeTurns(read: Read, { id: agent_id }: { readonly id: string }, after: string): Promise<Taken<object>> {
  const rows: object[] = [];
  let [side = 'opener', from = ''] = after === '' ? [] : after.split('.');
  for (let looked = 0; looked < THREADS_MAX && rows.length < SLICE; looked += 1) {
    const thread = await read.peek(side === 'opener' ? threadOpenedFrom : threadJoinedFrom, { agent_id, from });
    if (!thread) {
      if (side === 'other') return { rows, after: null };
      [side, from] = ['other', ''];
      continue;
    }
    rows.push(...(await read.peek(turnsOf, { conversation_id: thread.id, agent_id, limit: TURNS_MAX })));
    // No id stands between one and its own with a letter more.
    from = `${thread.id}~`;
  }
  return { rows, after: `${side}.${from}` };
}

export const TALKS: readonly Section[] = [
  ['meetings', (read, { id }, after) => takeMeetings(read, id, after, SLICE)],
  [
    'proposals',
    async (read, { id }, after) => {
      const found = await newestProposals(read.peek, { agent_id: id, behind: after || null, limit: SLICE });
      const rows = found.map(({ proposal }) => proposal);
      const { after: next } = slice('proposals', rows);
      return { rows: proposalsOf(rows, id), after: next };
    },
  ],
  [
    'approvals',
    async (read, { id }, after) =>
      slice('approvals', await read.peek(approvalsOf, { agent_id: id, after, limit: SLICE })),
  ],
  ['actions', (read, { id }, after) => takeActions(read, id, after || HIGHEST_ID)],
  ['turns', takeTurns],
  [
    'model_calls',
    async (read, { id }, after) =>
      slice('model_calls', await read.peek(modelCallsBehind, { agent_id: id, after, limit: SLICE })),
  ],
];
