// Reads of the label table for autocomplete. Users fill that table and nothing empties it, so each of these reads has a limit on
// the rows that it scans.
import { and, asc, desc, gte, like, lt } from 'drizzle-orm';
import { arg, many } from '../query.ts';

interface Like extends Record<string, unknown> {
  readonly prefix: string;
  readonly word: string;
  readonly anywhere: string;
  readonly looked_at: number;
  readonly limit: number;
}

/** Among the `looked_at` most used labels, those that contain a text, by three LIKE patterns: first those that begin with it, then
 * those with a later word that does, the most used first in each class. */
export const labelsLike = many<Like>()(null, (db, t) => {
  const used = db
    .select({ id: t.labels.id, uses: t.labels.uses })
    .from(t.labels)
    .orderBy(desc(t.labels.uses), desc(t.labels.id))
    .limit(arg('looked_at'))
    .as('used');
  return db
    .select({ id: used.id, uses: used.uses })
    .from(used)
    .where(like(used.id, arg('anywhere')))
    .orderBy(desc(like(used.id, arg('prefix'))), desc(like(used.id, arg('word'))), desc(used.uses), asc(used.id))
    .limit(arg('limit'));
});

interface From extends Record<string, unknown> {
  readonly from: string;
  readonly until: string;
  readonly looked_at: number;
  readonly limit: number;
}

/** Labels that begin with the text `from`, and so sort before `until`, the most used first; of more than `looked_at` only the
 * first by name are seen. They are found by their key, however seldom they are used. */
export const labelsFrom = many<From>()(null, (db, t) => {
  const begun = db
    .select({ id: t.labels.id, uses: t.labels.uses })
    .from(t.labels)
    .where(and(gte(t.labels.id, arg('from')), lt(t.labels.id, arg('until'))))
    .orderBy(asc(t.labels.id))
    .limit(arg('looked_at'))
    .as('begun');
  return db
    .select({ id: begun.id, uses: begun.uses })
    .from(begun)
    .orderBy(desc(begun.uses), asc(begun.id))
    .limit(arg('limit'));
});
