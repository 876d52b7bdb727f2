// Lists open disputes for administrators, including those that were answered and not settled.
import { Type } from 'typebox';
import { evidenceOf, liveDisputes } from '../../../db/queries/dispute.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { DisputeShape, disputeView } from '../../schemas/dispute.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { namesIn } from '../../steps/dispute/find.ts';
import { readEscrow } from '../../steps/escrow/find.ts';
import { cutPage } from '../../steps/page.ts';

export const disputeList = query({
  name: 'dispute.list',
  needed_by: 'an administrator who rules on disputes',
  summary: 'List open disputes',
  description: 'Newest first, with all evidence and proposals.',
  input: Type.Object({ ...PAGE }),
  output: Type.Array(DisputeShape),
  access: 'admin',
  paged: true,
  rest: [{ method: 'GET', path: '/api/admin/disputes' }],
  run: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const rows = await read(liveDisputes, { before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
    const items = await Promise.all(
      shown.map(async (row) => {
        const state = await readEscrow(read, row.escrow_id);
        const evidence = await read(evidenceOf, { dispute_id: row.id });
        return state ? [disputeView(row, evidence, namesIn(state, null), ctx.now_ms)] : [];
      }),
    );
    return { items: items.flat(), next_cursor };
  },
});
