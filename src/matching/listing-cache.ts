// A cache of listings ready for scoring: matching one listing touches hundreds of others, and reading and preparing them each
// time would cost more than the scoring. Commits drop changed entries.

import type { Clock } from '../../actors/clock.ts';
import type { Directory } from '../../actors/directory.ts';
import { type CommitCache, commitCache } from '../../db/commit-cache.ts';
import { accountById } from '../../db/queries/identity.ts';
import { agentToMatch, listingToMatch } from '../../db/queries/match.ts';
import type { WakeColumn } from '../../db/schema/agent.ts';
import type { Read, Store } from '../../db/store.ts';
import type { Draft } from '../contract/ports.ts';
import { isSilent, medianSeconds, type Responsiveness, responsiveness } from '../domain/agent/presence.ts';
import { effectiveVisibility, matchingPart, type Visible } from '../domain/agent/profile.ts';
import { PLANS } from '../domain/identity/plan.ts';
import { embeddingText } from '../domain/listing/listing.ts';
import type { PricePeriod } from '../domain/listing/price.ts';
import { type MatchSide, makeMatchSide } from '../domain/match/side.ts';
import { type GeoNorm, geoNorm } from '../domain/place/geo.ts';
import { HOUR_MS } from '../domain/time.ts';

/** Listings kept: 2.3 KB each where texts have 300 characters. With a fifth of it, matching one among 100,000 mostly read. */
const LISTINGS_MAX = 100_000;
const AGENTS_MAX = 20_000;
const PLACES_MAX = 5_000;
/** Commits update trust and listings; an agent's response time may be an hour old. */
const FRESH_MS = HOUR_MS;

/** A listing's agent as matching sees it. */
interface Owner {
  readonly id: string;
  readonly handle: string;
  readonly account_id: string;
  /** Whether its account's plan gives it priority in a tie. */
  readonly priority: boolean;
  readonly wake: WakeColumn;
  readonly seen: Visible;
  readonly trust_score: number;
  readonly responsiveness: Responsiveness | null;
}

/** A listing as matching sees it, with what an event to its owner needs. */
export interface Prepared {
  readonly id: string;
  readonly version: number;
  readonly slug: string;
  readonly headline: string;
  readonly updated_at: number;
  readonly agent: Owner;
  readonly part: 'both' | 'own' | 'none';
  readonly side: MatchSide;
  /** The text that its vector is made of. */
  text(): string;
}

type ListingRow = NonNullable<ReturnType<typeof listingToMatch.shape>>;

/** The version of a listing that is only drafted; stored ones begin at 1. */
const DRAFTED = 0;

interface Stored {
  readonly read: Read;
  readonly directory: Directory;
  readonly now: () => number;
}

async function ownerOf({ read, directory, now }: Stored, id: string): Promise<Owner | null> {
  const row = await read(agentToMatch, { id });
  if (!row) return null;
  const { handle, account_id, wake, visibility, trust_score } = row;
  const account = await read(accountById, { id: account_id });
  const { last_seen_at, samples } = await directory.presence(id);
  const silent = isSilent(last_seen_at, row.created_at, now());
  return {
    id,
    handle,
    account_id,
    priority: PLANS[account?.plan ?? 'free'].priority_matching,
    wake,
    seen: { visibility, provisional: row.provisional === 1, deactivated: row.deactivated_at !== null },
    trust_score,
    responsiveness: responsiveness(medianSeconds(samples), silent),
  };
}

/** The text of a listing's vector; keeps only the needed columns of its row in memory. */
function textOf({ headline, description, labels }: ListingRow): () => string {
  return () => embeddingText({ headline, description, labels });
}

export class ListingCache {
  readonly #listings: CommitCache<Prepared | null>;
  readonly #owners: CommitCache<Owner | null>;
  /** Parsed places, which never change; most listings share theirs with many. */
  readonly #places: CommitCache<GeoNorm, GeoNorm>;

  constructor(store: Store, clock: Clock, directory: Directory) {
    const { read } = store;
    const now = (): number => clock.now();
    // Other nodes announce their changes, and a match is written only if both listings still have the compared versions; so
    // entries live as long here as on a single node.
    const kept = { store, now, believed_ms: FRESH_MS };
    this.#listings = commitCache({
      ...kept,
      tables: ['listings', 'agents'],
      max: LISTINGS_MAX,
      rows: (listing, id) =>
        listing && [
          { table: 'listings', id },
          { table: 'agents', id: listing.agent.id },
        ],
      load: async (id) => {
        const row = await read(listingToMatch, { id });
        const owner = row && (await this.#owners.get(row.agent_id));
        return owner && this.#prepared(id, row, owner);
      },
    });
    this.#owners = commitCache({
      ...kept,
      tables: ['agents', 'accounts'],
      max: AGENTS_MAX,
      rows: (owner, id) =>
        owner && [
          { table: 'agents', id },
          { table: 'accounts', id: owner.account_id },
        ],
      load: (id) => ownerOf({ read, directory, now }, id),
    });
    const unbound = { store, now, tables: [], believed_ms: Number.POSITIVE_INFINITY };
    this.#places = commitCache<GeoNorm, GeoNorm>({
      ...unbound,
      max: PLACES_MAX,
      load: (text) => geoNorm(text || null),
    });
  }

  /** The listing if it is in memory. */
  known(id: string): Prepared | null {
    const listing = this.#listings.known(id);
    if (!listing) return null;
    // Its agent's entry may have been evicted, or have expired, since the listing was prepared.
    if (this.#owners.known(listing.agent.id) === listing.agent) return listing;
    this.forget(id);
    return null;
  }

  /** The listing from memory, else from the store; null when there is none. */
  async get(id: string): Promise<Prepared | null> {
    return this.known(id) ?? this.#listings.get(id);
  }

  /** Drops a listing that was read before another node changed it. */
  forget(id: string): void {
    this.#listings.forget({ table: 'listings', id });
  }

  /** A draft as a listing, without caching it; null when its agent is gone. */
  async draft(draft: Draft): Promise<Prepared | null> {
    const owner = await this.#owners.get(draft.agent_id);
    const row: ListingRow = { ...draft, slug: '', status: 'live', origin: 'direct', updated_at: 0, version: DRAFTED };
    return owner && this.#prepared(draft.id, row, owner, geoNorm(draft.geo));
  }

  #prepared(id: string, row: ListingRow, owner: Owner, geo = this.#places.get(row.geo ?? '')): Prepared {
    const side = makeMatchSide({
      ...row,
      // The column holds only periods of the catalogue.
      price_period: row.price_period as PricePeriod,
      geo,
      visibility: effectiveVisibility(owner.seen),
      trust_score: owner.trust_score,
      responsiveness: owner.responsiveness,
    });
    return {
      id,
      version: row.version,
      slug: row.slug,
      headline: row.headline,
      updated_at: row.updated_at,
      agent: owner,
      part: matchingPart(row.status, row.origin === 'intake', owner.seen),
      side,
      text: textOf(row),
    };
  }
}
