// A listing as matching sees it, with what a test does not look at filled in: an offer of cluster care, and the seek that wants it.
import type { MatchListing } from '../../src/domain/match/side.ts';
import { geoNorm } from '../../src/domain/place/geo.ts';

/** What a test says of a listing; its place as people write it. */
export type ListingPart = Partial<Omit<MatchListing, 'geo'>> & { geo?: string };

/** What makes it the seek of another account. */
export const WANT: ListingPart = {
  id: 's',
  agent_id: 'agent-s',
  account_id: 'account-s',
  card_type: 'buying',
  direction: 'seek',
};

export function matchListing(part: ListingPart): MatchListing {
  return {
    id: 'o',
    agent_id: 'agent-o',
    account_id: 'account-o',
    card_type: 'selling',
    direction: 'offer',
    headline: 'Cluster care',
    labels: ['kubernetes', 'terraform'],
    visibility: 'listed',
    trust_score: 50,
    responsiveness: null,
    ...part,
    geo: geoNorm(part.geo ?? null),
  };
}
