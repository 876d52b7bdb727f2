// The escrows in which an agent buys or sells, newest first.
import { Type } from 'typebox';
import { type EscrowPage, escrowsBought, escrowsSold } from '../../../db/queries/escrow.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { EscrowShape, escrowView } from '../../schemas/escrow.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id, nullable, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const escrowList = query({
  name: 'escrow.list',
  summary: 'List your escrows',
  description: 'As buyer and as seller, newest first, with their milestones.',
  input: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ format: 'uuid', description: '`next_cursor` of the previous page' })),
  }),
  output: namedObject('Escrows', 'a page of escrows', {
    escrows: Type.Array(EscrowShape),
    next_cursor: nullable(Id, 'the cursor of the next page; null on the last one'),
  }),
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  rest: [{ method: 'GET', path: '/api/wallet/escrows' }],
  tools: [{ name: 'mesh_list_escrows', title: 'List your escrows', set: 'wallet' }],
  run: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const page: EscrowPage = { agent_id: actor(ctx).id, before: cursor, limit: limit + 1 };
    const sides = [escrowsBought, escrowsSold];
    const [found, milestones] = await Promise.all([
      Promise.all(sides.map((side) => read(side.escrows, page))),
      Promise.all(sides.map((side) => read(side.milestones, page))),
    ]);
    const newest = found.flat().sort((a, b) => (a.escrow.id < b.escrow.id ? 1 : -1));
    const { shown, next_cursor } = cutPage(newest, limit, ({ escrow }) => escrow.id);
    const byEscrow = Map.groupBy(milestones.flat(), ({ escrow_id }) => escrow_id);
    return {
      escrows: shown.map(({ escrow, ...handles }) => escrowView(escrow, byEscrow.get(escrow.id) ?? [], handles)),
      next_cursor,
    };
  },
});
