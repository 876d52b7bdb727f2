// What accounts owe after chargebacks, for administrators: whoever owes pays nobody until later money has repaid it.
import { Type } from 'typebox';
import { receivablesBefore } from '../../../db/queries/processor.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { Receivable, receivableView } from '../../schemas/receivable.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const receivableList = query({
  name: 'receivable.list',
  noun: 'What accounts owe after chargebacks.',
  summary: 'List what is owed',
  description: 'Newest first, what was repaid too. While an account owes anything it pays nobody.',
  input: Type.Object({ ...PAGE }),
  output: Type.Array(Receivable),
  example: {},
  effect: 'reads',
  access: 'admin',
  paged: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/admin/receivables' }],
  run: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }) => {
    const rows = await read(receivablesBefore, { before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ receivable }) => receivable.id);
    return { items: shown.map(({ receivable, handle }) => receivableView(receivable, handle)), next_cursor };
  },
});
