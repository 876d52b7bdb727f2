// Reads of the label table for autocomplete, in one pass over it: thousands of labels are scanned in under a
// millisecond, and what is kept is only a page.
import { asc, desc, like } from 'drizzle-orm';
import { arg, many } from '../query.ts';

/** Labels that hold a text, for which the three LIKE patterns stand: those that begin with it first, then those of which
 * a later word does, the most used first in each class. */
export const labelsLike = many<{ prefix: string; word: string; anywhere: string; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.labels.id, uses: t.labels.uses })
    .from(t.labels)
    .where(like(t.labels.id, arg('anywhere')))
    .orderBy(
      desc(like(t.labels.id, arg('prefix'))),
      desc(like(t.labels.id, arg('word'))),
      desc(t.labels.uses),
      asc(t.labels.id),
    )
    .limit(arg('limit')),
);
