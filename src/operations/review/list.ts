// Lists pending reviews: listings that the niche classifier was unsure about, and reports about agents.
import { Type } from 'typebox';
import { reviewsInStatus } from '../../../db/queries/review.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { Review, readAbout, reviewView } from '../../schemas/review.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const reviewList = query({
  name: 'review.list',
  summary: 'List reviews',
  description: 'Newest first; open ones by default, see `status`.',
  input: Type.Object({ status: Type.Optional(Type.Enum(['open', 'approved', 'rejected'])), ...PAGE }),
  output: Type.Array(Review),
  access: 'admin',
  paged: true,
  rest: [{ method: 'GET', path: '/api/admin/reviews' }],
  run: async (read, { status = 'open', limit = PAGE_DEFAULT, cursor = HIGHEST_ID }) => {
    const rows = await read(reviewsInStatus, { status, before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
    const items = await Promise.all(shown.map(async (row) => reviewView(row, await readAbout(read, row))));
    return { items, next_cursor };
  },
});
