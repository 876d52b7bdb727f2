// The meetings of a conversation, for its two sides.
import { Type } from 'typebox';
import { wholeThread } from '../../../db/queries/conversation.ts';
import { meetingsOf } from '../../../db/queries/meeting.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { isParty, MeetingShape, meetingView } from '../../schemas/conversation.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PAGE, PAGE_DEFAULT, PathId } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const meetingList = query({
  name: 'meeting.list',
  summary: 'List the meetings of a conversation',
  description: 'For its two sides, newest first: upcoming and past ones.',
  input: Type.Object({ conversation_id: PathId, ...PAGE }),
  output: Type.Array(MeetingShape),
  example: { conversation_id: SAMPLE.conversation_id },
  access: 'key',
  scope: 'conversations:read',
  provisional: true,
  agent: 'required',
  paged: true,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/conversations/{conversation_id}/meetings' }],
  tools: [
    { name: 'mesh_list_meetings', title: 'List the meetings of a conversation', set: 'conversations', extension: true },
  ],
  run: async (read, { conversation_id, limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const thread = await read(wholeThread, { id: conversation_id, limit: 1 });
    if (!isParty(thread, actor(ctx).id)) return fault('not_found');
    const rows = await read(meetingsOf, { conversation_id, before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
    return { items: shown.map((row) => meetingView(row, thread)), next_cursor };
  },
});
