// The sellers for a request for quotes: live offers of paid work that share a label with it, scored as if the request were a listing,
// the best first. An offer above the request's budget, or that shares only common labels, ranks behind all that fit, because its
// seller may quote less. The rules that refuse a match also keep a seller from being woken.
import type { Read } from '../../db/store.ts';
import type { Draft } from '../contract/ports.ts';
import { type Seller, wantsBudget } from '../domain/demand/demand.ts';
import type { CardType } from '../domain/listing/listing.ts';
import { type PairFacts, scoreMatch } from '../domain/match/match.ts';
import type { MatchSide } from '../domain/match/side.ts';
import { nextRound } from '../steps/next-round.ts';
import {
  blockedAround,
  type Candidate,
  gatherCandidates,
  type Scoring,
  type Subject,
  subjectOf,
} from './candidates.ts';
import type { ListingCache } from './listing-cache.ts';
import type { WorkQueue } from './work-queue.ts';

/** The card types as which a request is compared, each with its kind of offers: selling, link building, hourly work. */
const SEEKS = ['buying', 'link_building', 'hiring'] as const satisfies readonly CardType[];
/** The most searches when rules refuse most offers that share a label. */
const LOOKS_MAX = 8;
/** Candidates scored before others may have the event loop; some two milliseconds. */
const SCORED_AT_ONCE = 256;
/** Raises each that fits above all that do not. */
const FITS = 1;

interface Ranked extends Seller {
  readonly rank: number;
}

/** How well an offer fits the request; null when a rule refuses the pair. */
function rankOf(seek: MatchSide, { other, relevance }: Candidate, facts: PairFacts): number | null {
  const result = scoreMatch(seek, other.side, facts);
  if ('score' in result) return FITS + result.score;
  if (result.refused === 'below_minimum') return relevance;
  if (result.refused !== 'price') return null;
  // Without its ceiling the request is kept apart by all other rules.
  const anyPrice = scoreMatch({ ...seek, prices: [] }, other.side, facts);
  if ('score' in anyPrice) return anyPrice.score;
  return anyPrice.refused === 'below_minimum' ? relevance : null;
}

const byRank = (a: Ranked, b: Ranked): number => b.rank - a.rank || (a.handle < b.handle ? -1 : 1);

/** The best offer of each seller, over all searches. */
class Best {
  readonly #limit: number;
  readonly #byAgent = new Map<string, Ranked>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(seller: Ranked): void {
    const known = this.#byAgent.get(seller.id);
    if (!known || known.rank < seller.rank) this.#byAgent.set(seller.id, seller);
  }

  get sellers(): Ranked[] {
    return [...this.#byAgent.values()].sort(byRank).slice(0, this.#limit);
  }

  /** Whether no less relevant offer can come among them. */
  isWhole(below: number): boolean {
    return (this.sellers[this.#limit - 1]?.rank ?? 0) >= FITS + below;
  }
}

interface Around {
  readonly blocked_ids: ReadonlySet<string>;
  readonly budget_cents: number;
}

async function lookAround(scoring: Scoring, subject: Subject, { blocked_ids, budget_cents }: Around, best: Best) {
  const floor = scoring.embedder.closeness_floor;
  let below: number | null = Number.POSITIVE_INFINITY;
  for (let looks = 0; below !== null && looks < LOOKS_MAX && !best.isWhole(below); looks += 1) {
    const look = await gatherCandidates(scoring, subject, new Set(), { below, sharing: true });
    for (const [n, candidate] of look.candidates.entries()) {
      if (n % SCORED_AT_ONCE === SCORED_AT_ONCE - 1) await nextRound();
      const { other, cosine, wording } = candidate;
      const { id, handle, wake } = other.agent;
      if (other.part !== 'both' || blocked_ids.has(id) || !wantsBudget(wake, budget_cents)) continue;
      const rank = rankOf(subject.own.side, candidate, { cosine, floor, wording, rarity: subject.rarity });
      if (rank !== null) best.add({ id, handle, rank });
    }
    below = look.below;
  }
}

/** The sellers that a request would wake, the best first, at most `limit`; none when its agent takes no part in matching. */
export function findSellers(
  read: Read,
  scoring: Scoring & { readonly listings: Pick<ListingCache, 'draft'> },
  queue: WorkQueue,
  draft: Draft,
  limit: number,
): Promise<Seller[]> {
  return queue.run(draft.account_id, async () => {
    // A quote above the ceiling of a request is refused.
    const conditions = { ...draft.conditions, price_firm: true };
    const best = new Best(limit);
    const blocked_ids = await blockedAround(read, draft.agent_id);
    for (const card_type of SEEKS) {
      const own = await scoring.listings.draft({ ...draft, conditions, card_type, direction: 'seek' });
      if (!own || own.part === 'none') return [];
      const subject = await subjectOf(scoring, read, own);
      await lookAround(scoring, subject, { blocked_ids, budget_cents: draft.budget_cents ?? 0 }, best);
    }
    return best.sellers.map(({ id, handle }) => ({ id, handle }));
  });
}
