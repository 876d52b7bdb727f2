// Lists actions beyond an agent's bounds, newest first: those that wait for the person, or all.
import { Type } from 'typebox';
import { actionsOf } from '../../../db/queries/action.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { actionStatus } from '../../domain/negotiation/action.ts';
import { ActionShape, actionView } from '../../schemas/action.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { payeesOf } from '../../steps/negotiation/find.ts';
import { siftedPage } from '../../steps/page.ts';

export const actionList = query({
  name: 'action.list',
  needed_by: 'a person, and the program that waits for the decision',
  noun: 'Actions: requests of programs outside the bounds of their agents, which a person has to approve.',
  summary: 'List actions',
  description:
    'Of the acting agent, newest first. `waiting=true`: only those not decided yet. One call scans some ' +
    'thousand: a page may be short or empty and still have a next cursor.',
  input: Type.Object({ ...PAGE, waiting: Type.Optional(Type.Boolean()) }),
  output: Type.Array(ActionShape),
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  paged: true,
  rest: [{ method: 'GET', path: '/api/actions' }],
  tools: [
    { name: 'mesh_list_actions', title: 'List actions that wait for your person', set: 'agents', extension: true },
  ],
  run: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID, waiting = false }, ctx) => {
    const { id: agent_id } = actor(ctx);
    const { items, next_cursor } = await siftedPage({
      from: cursor,
      limit,
      read: (before, n) => read(actionsOf, { agent_id, before, limit: n }),
      cursorOf: ({ id }) => id,
      textOf: ({ input, result }) => JSON.stringify([input, result]),
      fits: (row) => !waiting || actionStatus(row, ctx.now_ms) === 'pending',
    });
    const payeeOf = await payeesOf(read, items);
    const own_plan = ctx.principal.plan;
    const views = items.map((row) => actionView(row, { payee: payeeOf(row), own_plan }, ctx.now_ms));
    return { items: views, next_cursor };
  },
});
