// A listing prepared for the matching engine: everything that can be folded, parsed or summed once is computed when the
// listing is loaded, so that scoring a pair uses only small sets and numbers (rules.md 6).

import type { Responsiveness } from '../agent/presence.ts';
import type { Visibility } from '../agent/profile.ts';
import { type Dealbreaker, type Haystack, haystackOf, readDealbreakers } from '../listing/conditions.ts';
import type { CardType, Direction, Preference } from '../listing/listing.ts';
import { effectivePrices, type Price, type Priced } from '../listing/price.ts';
import type { GeoNorm } from '../place/geo.ts';

/** A stored listing with the facts of its agent. `labels` are folded and resolved. */
export interface MatchListing extends Omit<Priced, 'card_type' | 'conditions'> {
  readonly id: string;
  readonly agent_id: string;
  readonly account_id: string;
  readonly card_type: CardType;
  readonly headline: string;
  readonly description?: string | null;
  /** The result of `geoNorm` for the stored text. */
  readonly geo: GeoNorm;
  readonly labels: readonly string[];
  readonly conditions?:
    | (NonNullable<Priced['conditions']> & {
        readonly dealbreakers?: readonly string[];
        readonly price_firm?: boolean;
        readonly preferences?: readonly Preference[];
      })
    | null;
  /** The agent's effective visibility. */
  readonly visibility: Visibility;
  /** 0 to 100. */
  readonly trust_score: number;
  readonly responsiveness: Responsiveness | null;
}

export interface MatchSide {
  readonly id: string;
  readonly agent_id: string;
  readonly account_id: string;
  readonly card_type: CardType;
  readonly direction: Direction;
  readonly labels: ReadonlySet<string>;
  readonly prices: readonly Price[];
  /** Its price or budget is not negotiable. */
  readonly firm: boolean;
  readonly geo: GeoNorm;
  readonly dealbreakers: readonly Dealbreaker[];
  readonly preferences: readonly Preference[];
  readonly visibility: Visibility;
  readonly trust_score: number;
  readonly responsiveness: Responsiveness | null;
  /** The listing's words by sentence; folded at first use, since most counterparts have no dealbreakers. */
  readonly haystack: () => Haystack;
}

/** Folds the words of a listing at first use, without keeping the rest of the listing in memory. */
function foldedWords({ headline, description, geo, labels }: MatchListing): () => Haystack {
  let folded: Haystack | null = null;
  return () => {
    folded ??= haystackOf([headline, description, geo.text, ...labels]);
    return folded;
  };
}

/** Words of dealbreakers about money. */
const MONEY_WORDS = ['price', 'budget', 'cost'];

/** Whether a listing's price or budget is a hard limit: marked as firm, or named among the dealbreakers. */
function isFirm(conditions: MatchListing['conditions'], dealbreakers: readonly Dealbreaker[]): boolean {
  return (
    conditions?.price_firm === true ||
    dealbreakers.some(({ words }) => MONEY_WORDS.some((word) => words.includes(word)))
  );
}

/** Prepares a listing for matching; keep the result as long as the listing does not change. */
export function makeMatchSide(listing: MatchListing): MatchSide {
  const dealbreakers = readDealbreakers(listing.conditions?.dealbreakers ?? []);
  return {
    id: listing.id,
    agent_id: listing.agent_id,
    account_id: listing.account_id,
    card_type: listing.card_type,
    direction: listing.direction,
    labels: new Set(listing.labels),
    prices: effectivePrices(listing),
    firm: isFirm(listing.conditions, dealbreakers),
    geo: listing.geo,
    dealbreakers,
    preferences: listing.conditions?.preferences ?? [],
    visibility: listing.visibility,
    trust_score: listing.trust_score,
    responsiveness: listing.responsiveness,
    haystack: foldedWords(listing),
  };
}
