// How close two listings are in their very words, beside their vectors: 256 dimensions blur a product's name or a
// certificate. Which words are rare is learnt from the listings that matching has looked at, the nearest of everybody.
import { lexicalCloseness, type Signature, signatureOf, TermRarity } from '../../outbound/embedder/signature.ts';
import type { World } from '../world.ts';
import type { Prepared } from './sides.ts';

/** Signatures kept, some 0.7 KB each; as many as listings are kept ready. */
const KEPT_MAX = 20_000;

interface Kept {
  readonly version: number;
  readonly signature: Signature;
}

class Wording {
  readonly #kept = new Map<string, Kept>();
  readonly #rarity = new TermRarity();

  constructor(world: World) {
    world.store.onCommit(({ changed }) => {
      for (const { table, id } of changed) if (table === 'listings') this.#drop(id);
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
    const known = this.#kept.get(id);
    if (known?.version === version) return known.signature;
    this.#drop(id);
    if (this.#kept.size >= KEPT_MAX) this.#makeRoom();
    const signature = signatureOf(listing.text());
    this.#kept.set(id, { version, signature });
    this.#rarity.add(signature);
    return signature;
  }

  /** The oldest tenth goes: which ones hardly matters, since all can be read again. */
  #makeRoom(): void {
    let surplus = KEPT_MAX / 10;
    for (const id of this.#kept.keys()) {
      if (surplus === 0) break;
      this.#drop(id);
      surplus -= 1;
    }
  }

  #drop(id: string): void {
    const known = this.#kept.get(id);
    if (!known) return;
    this.#kept.delete(id);
    this.#rarity.remove(known.signature);
  }
}

const OPENED = new WeakMap<World, Wording>();

/** The one of a running service. */
export function wordingOf(world: World): Wording {
  const opened = OPENED.get(world);
  if (opened) return opened;
  const made = new Wording(world);
  OPENED.set(world, made);
  return made;
}
