// Listings ready for scoring, kept in memory: matching one listing touches hundreds of others, and folding their
// words anew each time would cost more than the scoring. What a commit changes is dropped; every entry can be read
// again.
import { listingToMatch } from '../../../db/queries/match.ts';
import type { WakeColumn } from '../../../db/schema/agent.ts';
import type { Read } from '../../../db/store.ts';
import { geoNorm } from '../../domain/geo.ts';
import { embeddingText } from '../../domain/listing.ts';
import { type MatchSide, matchSide } from '../../domain/match-side.ts';
import { isSilent, medianSeconds, responsiveness } from '../../domain/presence.ts';
import type { PricePeriod } from '../../domain/price.ts';
import { effectiveVisibility, matchingPart } from '../../domain/visibility.ts';
import type { World } from '../world.ts';

/** Entries kept; each holds its listing's text, some 3 KB with the rest. */
const ENTRIES_MAX = 20_000;
/** Trust and listings are followed by commits; how fast an agent answers may be an hour old. */
const FRESH_MS = 3_600_000;

/** A listing as matching sees it, with what telling its owner takes. */
export interface Prepared {
  readonly id: string;
  readonly version: number;
  readonly headline: string;
  readonly updated_at: number;
  readonly agent: { readonly id: string; readonly handle: string; readonly wake: WakeColumn };
  readonly part: 'both' | 'own' | 'none';
  readonly side: MatchSide;
  readonly built_at: number;
  /** The text that its vector is made of. */
  text(): string;
}

export class Sides {
  readonly #world: World;
  readonly #entries = new Map<string, Prepared>();
  readonly #byAgent = new Map<string, Set<string>>();
  /** Moves with every dropped entry: what was read before may be older than the drop. */
  #generation = 0;

  constructor(world: World) {
    this.#world = world;
    world.store.onCommit(({ changed }) => {
      for (const key of changed) this.#changed(key);
    });
  }

  /** The listing if it is in memory. */
  known(id: string): Prepared | null {
    const entry = this.#entries.get(id);
    return entry && this.#world.clock.now() - entry.built_at < FRESH_MS ? entry : null;
  }

  /** The listing out of memory, else read by `read`; null when there is none. */
  async get(read: Read, id: string): Promise<Prepared | null> {
    const known = this.known(id);
    if (known) return known;
    const generation = this.#generation;
    const made = await prepare(this.#world, read, id);
    if (made && generation === this.#generation) this.#keep(made);
    return made;
  }

  #keep(entry: Prepared): void {
    if (this.#entries.size >= ENTRIES_MAX) {
      // The oldest go a tenth at a time; which ones hardly matters, since all of them can be read again.
      for (const id of [...this.#entries.keys()].slice(0, ENTRIES_MAX / 10)) this.#drop(id);
    }
    this.#entries.set(entry.id, entry);
    const own = this.#byAgent.get(entry.agent.id) ?? new Set();
    this.#byAgent.set(entry.agent.id, own.add(entry.id));
  }

  #changed(key: string): void {
    const at = key.indexOf(':');
    const table = key.slice(0, at);
    if (table !== 'listings' && table !== 'agents') return;
    this.#generation += 1;
    const id = key.slice(at + 1);
    if (table === 'listings') this.#drop(id);
    else for (const listing_id of [...(this.#byAgent.get(id) ?? [])]) this.#drop(listing_id);
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    const own = this.#byAgent.get(entry.agent.id);
    own?.delete(id);
    if (own?.size === 0) this.#byAgent.delete(entry.agent.id);
  }
}

async function prepare(world: World, read: Read, id: string): Promise<Prepared | null> {
  const row = await read.peek(listingToMatch, { id });
  if (!row) return null;
  const now_ms = world.clock.now();
  const { last_seen_at, samples } = await world.directory.presence(row.agent_id);
  const silent = isSilent(last_seen_at, row.agent_created_at, now_ms);
  const seen = {
    visibility: row.visibility,
    provisional: row.provisional === 1,
    deactivated: row.deactivated_at !== null,
  };
  const side = matchSide({
    ...row,
    // The column holds only periods of the catalogue.
    price_period: row.price_period as PricePeriod,
    geo: geoNorm(row.geo),
    visibility: effectiveVisibility(seen),
    responsiveness: responsiveness(medianSeconds(samples), silent),
  });
  return {
    id,
    version: row.version,
    headline: row.headline,
    updated_at: row.updated_at,
    agent: { id: row.agent_id, handle: row.handle, wake: row.wake },
    part: matchingPart(row.status, row.origin === 'intake', seen),
    side,
    built_at: now_ms,
    text: () => embeddingText(row),
  };
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
