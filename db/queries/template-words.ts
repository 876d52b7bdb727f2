// Reads of the words that weigh less in a card type's vectors, and of the vectors that were made with them.
import { asc, gt } from 'drizzle-orm';
import { arg, byId, many } from '../query.ts';

/** The words of a card type, by its name. */
export const templateWordsOf = byId('template_words');

/** Which words the stored vectors were made of, in the order of the listings' ids, after one. */
export const vectorTermsAfter = many<{ after: string; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.listing_vectors.id, card_type: t.listing_vectors.card_type, terms: t.listing_vectors.terms })
    .from(t.listing_vectors)
    .where(gt(t.listing_vectors.id, arg('after')))
    .orderBy(asc(t.listing_vectors.id))
    .limit(arg('limit')),
);
