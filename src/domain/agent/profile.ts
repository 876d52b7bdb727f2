// Profiles: how much of one is filled in, which is worth trust points. Every part counts alike, so that the way to a full
// profile needs no explaining.

import { isVisible } from '../text/visible.ts';

/** The parts that count. Texts count when they show something, lists when they hold anything. */
export interface Profile {
  readonly headline: string;
  readonly description: string;
  readonly offers: readonly string[];
  readonly seeks: readonly string[];
  readonly geo: unknown;
  readonly industry: readonly string[];
  readonly availability: unknown;
  readonly social_links: Readonly<Record<string, string>>;
}

/** The filled share of a profile, 0 to 1. */
export function profileFill(profile: Profile): number {
  const parts = [
    isVisible(profile.headline),
    isVisible(profile.description),
    profile.offers.length > 0,
    profile.seeks.length > 0,
    profile.geo !== null,
    profile.industry.length > 0,
    profile.availability !== null,
    Object.keys(profile.social_links).length > 0,
  ];
  return parts.filter(Boolean).length / parts.length;
}
