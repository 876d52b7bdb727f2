// Mends what follows from the rows alone: heads, and sqlite-vec's index.
import type { Database } from 'bun:sqlite';
import type { RowProblem } from '../row-check/check.ts';
import { HEAD_MENDED, headsUp } from '../row-check/mend.ts';

/** In one transaction; answers what it did. */
export function mendRows(db: Database, problems: readonly RowProblem[]): string[] {
  const mended: string[] = [];
  db.transaction(() => {
    for (const { sql, id, about } of headsUp(problems, '?')) {
      if (db.query(sql).run(id).changes > 0) mended.push(`${about}: ${HEAD_MENDED}`);
    }
    if (!problems.some(({ subject }) => subject === 'index')) return;
    const gone = db.query('DELETE FROM listing_index WHERE listing_id NOT IN (SELECT id FROM listing_vectors)').run();
    const come = db
      .query(
        `INSERT INTO listing_index (listing_id, side, embedding)
         SELECT id, side, vec_int8(vector) FROM listing_vectors WHERE id NOT IN (SELECT id FROM listing_index_rowids)`,
      )
      .run();
    mended.push(`the index of vectors: ${gone.changes} taken out, ${come.changes} put in`);
  })();
  return mended;
}
