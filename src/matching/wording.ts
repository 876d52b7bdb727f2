// How close two listings are in their very words, beside their vectors: 256 dimensions blur a product's name or a
// certificate. Which words are rare is learnt from the listings that matching has looked at, the nearest of everybody.
import type { Clock } from '../../actors/clock.ts';
import { type CommitCache, commitCache } from '../../db/commit-cache.ts';
import type { Store } from '../../db/store.ts';
import type { Signature } from '../domain/text/signature.ts';
import { lexicalCloseness, signatureOf, TermRarity } from '../outbound/embedder/signature.ts';
import { DRAFTED, type Prepared } from './sides.ts';

/** Signatures kept, some 0.7 KB each; as many as listings are kept ready. */
const KEPT_MAX = 20_000;

interface Kept {
  readonly version: number;
  readonly signature: Signature;
}

export class Wording {
  readonly #kept: CommitCache<Kept, Kept, Prepared>;
  readonly #rarity = new TermRarity();

  constructor(store: Store, clock: Clock) {
    this.#kept = commitCache<Kept, Kept, Prepared>({
      store,
      now: () => clock.now(),
      tables: ['listings'],
      max: KEPT_MAX,
      // Every look compares versions.
      believed_ms: Number.POSITIVE_INFINITY,
      rows: (_kept, id) => [{ table: 'listings', id }],
      load: (_id, listing) => {
        const signature = signatureOf(listing.text());
        this.#rarity.add(signature);
        return { version: listing.version, signature };
      },
      dropped: ({ signature }) => this.#rarity.remove(signature),
    });
  }

  /** Closeness of one listing to others, 0 to 1 each, in their order. All are learnt before any is compared. */
  closeness(own: Prepared, others: readonly Prepared[]): number[] {
    const mine = this.#signature(own);
    const theirs = others.map((other) => this.#signature(other));
    return theirs.map((signature) => lexicalCloseness(mine, signature, this.#rarity));
  }

  #signature(listing: Prepared): Signature {
    const { id, version } = listing;
    // What nobody published is not learnt from.
    if (version === DRAFTED) return signatureOf(listing.text());
    const known = this.#kept.get(id, listing);
    if (known.version === version) return known.signature;
    this.#kept.forget({ table: 'listings', id });
    return this.#kept.get(id, listing).signature;
  }
}
