// Mends what follows from the rows alone: heads, and sqlite-vec's index.
import type { Database } from 'bun:sqlite';
import type { RowProblem } from '../row-check/check.ts';
import { HEAD_MENDED, headsUp } from '../row-check/mend.ts';

/** Listings inserted or removed at a time, so that turns run in between. */
const SLICE = 500;

const STRANGE = `SELECT id FROM listing_index_rowids i WHERE id > ?
  AND NOT EXISTS (SELECT 1 FROM listing_vectors v WHERE v.id = i.id) ORDER BY id LIMIT ${SLICE}`;
const TAKE_OUT = 'DELETE FROM listing_index WHERE listing_id = ?';
const MISSING = `SELECT id FROM listing_vectors v WHERE id > ?
  AND NOT EXISTS (SELECT 1 FROM listing_index_rowids i WHERE i.id = v.id) ORDER BY id LIMIT ${SLICE}`;
const PUT_IN = `INSERT INTO listing_index (listing_id, side, embedding)
  SELECT id, side, vec_int8(vector) FROM listing_vectors WHERE id = ?`;

/** Runs `write` for each id that `find` returns, a transaction per slice; returns their number. */
function* inSlices(db: Database, find: string, write: string): Generator<undefined, number> {
  let count = 0;
  for (let after = ''; ; ) {
    const ids = db.transaction(() => {
      const found = db.query<{ id: string }, [string]>(find).all(after);
      for (const { id } of found) db.query(write).run(id);
      return found;
    })();
    count += ids.length;
    const last = ids.at(-1);
    if (ids.length < SLICE || last === undefined) return count;
    after = last.id;
    yield;
  }
}

/** Each step is a transaction of its own, and continues from the stored state; returns what it did. */
export function* mendRows(db: Database, problems: readonly RowProblem[]): Generator<undefined, string[]> {
  const mended: string[] = [];
  db.transaction(() => {
    for (const { sql, id, about } of headsUp(problems, '?')) {
      if (db.query(sql).run(id).changes > 0) mended.push(`${about}: ${HEAD_MENDED}`);
    }
  })();
  if (!problems.some(({ subject }) => subject === 'index')) return mended;
  yield;
  const gone = yield* inSlices(db, STRANGE, TAKE_OUT);
  yield;
  const come = yield* inSlices(db, MISSING, PUT_IN);
  mended.push(`the index of vectors: ${gone} taken out, ${come} put in`);
  return mended;
}
