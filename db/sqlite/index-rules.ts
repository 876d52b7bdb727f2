// Rules between sqlite-vec's index and its source rows. They read the index's own table of ids, so that a connection without the
// extension can check them.
import type { RowRule } from '../row-check/rules.ts';

const EXTRA: RowRule = {
  subject: 'index',
  sql: () => `
    SELECT count(*) AS n, min(i.id) AS id FROM listing_index_rowids i
    WHERE NOT EXISTS (SELECT 1 FROM listing_vectors v WHERE v.id = i.id) HAVING count(*) > 0`,
  about: (row) => `listing_index ${String(row['id'])}`,
  problem: (row) => `${Number(row['n'])} listings are in the index and have no vector`,
};

const LACKING: RowRule = {
  subject: 'index',
  sql: () => `
    SELECT count(*) AS n, min(v.id) AS id FROM listing_vectors v
    WHERE NOT EXISTS (SELECT 1 FROM listing_index_rowids i WHERE i.id = v.id) HAVING count(*) > 0`,
  about: (row) => `listing_vectors ${String(row['id'])}`,
  problem: (row) => `${Number(row['n'])} vectors are not in the index`,
};

export const INDEX_RULES: readonly RowRule[] = [EXTRA, LACKING];
