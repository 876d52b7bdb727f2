// Listings ready for scoring, kept in memory: matching one listing touches hundreds of others, and reading and folding
// them anew each time would cost more than the scoring. What a commit changes is dropped; all can be read again.
import { agentToMatch, listingToMatch } from '../../../db/queries/match.ts';
import type { WakeColumn } from '../../../db/schema/agent.ts';
import type { Told } from '../../../db/schema/told.ts';
import type { Read } from '../../../db/store.ts';
import { type GeoNorm, geoNorm } from '../../domain/geo.ts';
import { embeddingText } from '../../domain/listing.ts';
import { type MatchSide, matchSide } from '../../domain/match-side.ts';
import { isSilent, medianSeconds, type Responsiveness, responsiveness } from '../../domain/presence.ts';
import type { PricePeriod } from '../../domain/price.ts';
import { effectiveVisibility, matchingPart, type Seen } from '../../domain/visibility.ts';
import type { World } from '../world.ts';

/** Listings kept; each holds its own text, some 3 KB with the rest. */
const LISTINGS_MAX = 20_000;
const AGENTS_MAX = 20_000;
const PLACES_MAX = 5_000;
/** Trust and listings are followed by commits; how fast an agent answers may be an hour old. */
const FRESH_MS = 3_600_000;

/** A listing's agent as matching sees it. */
interface Owner {
  readonly id: string;
  readonly handle: string;
  readonly wake: WakeColumn;
  readonly seen: Seen;
  readonly trust_score: number;
  readonly responsiveness: Responsiveness | null;
  readonly built_at: number;
}

/** A listing as matching sees it, with what telling its owner takes. */
export interface Prepared {
  readonly id: string;
  readonly version: number;
  readonly headline: string;
  readonly updated_at: number;
  readonly agent: Owner;
  readonly part: 'both' | 'own' | 'none';
  readonly side: MatchSide;
  /** The text that its vector is made of. */
  text(): string;
}

/** Makes room in a full map: the oldest tenth goes, since which ones hardly matters. */
function trim(map: Map<string, unknown>, max: number): void {
  if (map.size < max) return;
  let surplus = max / 10;
  for (const key of map.keys()) {
    if (surplus === 0) break;
    map.delete(key);
    surplus -= 1;
  }
}

class Sides {
  readonly #world: World;
  readonly #listings = new Map<string, Prepared>();
  readonly #agents = new Map<string, Owner>();
  /** What the texts of places mean; most listings share theirs with many. */
  readonly #places = new Map<string, GeoNorm>();
  /** Moves with every change: what was read before one may be older than it. */
  #generation = 0;

  constructor(world: World) {
    this.#world = world;
    world.store.onCommit(({ changed }) => {
      for (const row of changed) this.#changed(row);
    });
  }

  /** The listing if it is in memory. */
  known(id: string): Prepared | null {
    const entry = this.#listings.get(id);
    // Its agent may have changed, or made room, since the listing was prepared.
    return entry && this.#knownOwner(entry.agent.id) === entry.agent ? entry : null;
  }

  /** The listing out of memory, else read by `read`; null when there is none. */
  async get(read: Read, id: string): Promise<Prepared | null> {
    const known = this.known(id);
    if (known) return known;
    const generation = this.#generation;
    const row = await read.peek(listingToMatch, { id });
    const owner = row && (await this.#owner(read, row.agent_id));
    if (!owner) return null;
    const side = matchSide({
      ...row,
      // The column holds only periods of the catalogue.
      price_period: row.price_period as PricePeriod,
      geo: this.#place(row.geo),
      visibility: effectiveVisibility(owner.seen),
      trust_score: owner.trust_score,
      responsiveness: owner.responsiveness,
    });
    const made: Prepared = {
      id,
      version: row.version,
      headline: row.headline,
      updated_at: row.updated_at,
      agent: owner,
      part: matchingPart(row.status, row.origin === 'intake', owner.seen),
      side,
      text: () => embeddingText(row),
    };
    if (generation === this.#generation) {
      trim(this.#listings, LISTINGS_MAX);
      this.#listings.set(id, made);
    }
    return made;
  }

  #knownOwner(id: string): Owner | null {
    const owner = this.#agents.get(id);
    return owner && this.#world.clock.now() - owner.built_at < FRESH_MS ? owner : null;
  }

  async #owner(read: Read, id: string): Promise<Owner | null> {
    const known = this.#knownOwner(id);
    if (known) return known;
    const generation = this.#generation;
    const row = await read.peek(agentToMatch, { id });
    if (!row) return null;
    const { handle, wake, visibility, trust_score } = row;
    const { last_seen_at, samples } = await this.#world.directory.presence(id);
    const silent = isSilent(last_seen_at, row.created_at, this.#world.clock.now());
    const made: Owner = {
      id,
      handle,
      wake,
      seen: { visibility, provisional: row.provisional === 1, deactivated: row.deactivated_at !== null },
      trust_score,
      responsiveness: responsiveness(medianSeconds(samples), silent),
      built_at: this.#world.clock.now(),
    };
    if (generation === this.#generation) {
      trim(this.#agents, AGENTS_MAX);
      this.#agents.set(id, made);
    }
    return made;
  }

  #place(text: string | null): GeoNorm {
    const known = this.#places.get(text ?? '');
    if (known) return known;
    const made = geoNorm(text);
    trim(this.#places, PLACES_MAX);
    this.#places.set(text ?? '', made);
    return made;
  }

  #changed({ table, id }: Told): void {
    if (table !== 'listings' && table !== 'agents') return;
    this.#generation += 1;
    if (table === 'listings') this.#listings.delete(id);
    else this.#agents.delete(id);
  }
}

const OPENED = new WeakMap<World, Sides>();

/** The one cache of a running service. */
export function sidesOf(world: World): Sides {
  const opened = OPENED.get(world);
  if (opened) return opened;
  const made = new Sides(world);
  OPENED.set(world, made);
  return made;
}
