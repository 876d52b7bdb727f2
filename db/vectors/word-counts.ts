// In how many listings of each card type a word stands, by the signatures that are in the index.
import { hashesOf } from '../../src/domain/text/signature.ts';

interface Kind {
  listings: number;
  readonly carrying: Map<number, number>;
}

/** What is counted of a listing. */
export interface Counted {
  readonly card_type: string | null;
  readonly terms: Uint8Array | null;
}

export class WordCounts {
  readonly #kinds = new Map<string, Kind>();

  /** A listing came (1) or went (-1). Without words it does not count. */
  count({ card_type, terms }: Counted, change: 1 | -1): void {
    if (card_type === null || terms === null) return;
    const kind = this.#kinds.get(card_type) ?? { listings: 0, carrying: new Map() };
    this.#kinds.set(card_type, kind);
    kind.listings += change;
    for (const hash of hashesOf(terms)) {
      const carrying = (kind.carrying.get(hash) ?? 0) + change;
      if (carrying > 0) kind.carrying.set(hash, carrying);
      else kind.carrying.delete(hash);
    }
  }

  /** Listings of a card type. */
  listingsOf(card_type: string): number {
    return this.#kinds.get(card_type)?.listings ?? 0;
  }

  /** The words that stand in at least such a share of a card type's listings, with their shares, by hash. */
  commonWords(card_type: string, least: number): Map<number, number> {
    const common = new Map<number, number>();
    const kind = this.#kinds.get(card_type);
    for (const [hash, carrying] of kind?.carrying ?? []) {
      const share = carrying / (kind?.listings ?? 1);
      if (share >= least) common.set(hash, share);
    }
    return common;
  }
}
