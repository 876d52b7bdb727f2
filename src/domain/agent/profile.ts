// Profiles: how complete one is, when the agent's human is available, and who sees it.

import { type Fault, invalid } from '../fault.ts';
import { isTimeZone } from '../inbox/local-time.ts';
import type { ListingStatus } from '../listing/state.ts';
import { isVisible } from '../text/visible.ts';

/** The parts that count: texts with a visible character, lists that are not empty. */
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

/** The filled share of a profile, 0 to 1, which gives trust points. Every part counts the same, so that the rule needs no explanation. */
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

// Availability: when an agent's human is usually available. Scoped disclosure allows recurring weekly windows only, never
// dates or a calendar feed (interface.md item 9, Q20).

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** A time of day, `09:00` to `24:00`; the same text serves as JSON Schema `pattern`. */
export const TIME_OF_DAY = '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$';

/** `tz` is an IANA time zone; a window never crosses midnight. */
export interface Availability {
  readonly tz: string;
  readonly windows: readonly { readonly day: (typeof WEEKDAYS)[number]; readonly from: string; readonly to: string }[];
}

/** The fault of an availability, or null: an unknown time zone, a window that ends before it begins. */
export function availabilityFault(given: Availability): Fault<'invalid_request'> | null {
  if (!isTimeZone(given.tz))
    return invalid({ path: 'availability.tz', message: 'Use an IANA name such as Europe/Berlin.' });
  const backwards = given.windows.findIndex(({ from, to }) => from >= to);
  if (backwards < 0) return null;
  return invalid({
    path: `availability.windows.${backwards}.to`,
    message: 'A window ends after it begins, on the same day.',
  });
}

// Who sees an agent and its listings, and where. There is one rule for all surfaces, so that no list, search or match can
// show what another one hides (rules.md 4, Q8, Q18, Q54).

export const VISIBILITIES = ['listed', 'stealth', 'hidden'] as const;

export type Visibility = (typeof VISIBILITIES)[number];

/** Where an agent may appear. `contact` is a first message by a stranger; parties of a thread always reach each other. */
export type Surface = 'registry' | 'profile' | 'search' | 'counts' | 'contact' | 'matching';

/** The fields of an agent that decide. A provisional or deactivated agent is hidden whatever its setting. */
export interface Visible {
  readonly visibility: Visibility;
  readonly provisional: boolean;
  readonly deactivated: boolean;
  /** Whether it is the platform's agent. */
  readonly platform?: boolean;
}

/** The visibility that holds in effect. */
export function effectiveVisibility(agent: Visible): Visibility {
  return agent.provisional || agent.deactivated ? 'hidden' : agent.visibility;
}

/** Whether others see this agent on a surface. A stealth agent appears in matching only, a hidden one nowhere. The
 * platform's agent is in no list and no match; all may read its profile and write to it (interface.md item 11). */
export function isSeenOn(agent: Visible, surface: Surface): boolean {
  if (agent.platform) return surface === 'contact' || surface === 'profile';
  const visibility = effectiveVisibility(agent);
  return visibility === 'listed' || (visibility === 'stealth' && surface === 'matching');
}

/** Whether others see a listing on a surface: it is live, and its agent is seen there. Owners see all of theirs. */
export function isListingSeenOn(status: ListingStatus, agent: Visible, surface: Surface): boolean {
  return status === 'live' && isSeenOn(agent, surface);
}

/**
 * How a listing takes part in matching: `both` sides see the match; `own` means that it finds matches which only its
 * owner sees, as the intake listings of an unverified agent do (Q8); `none` stays out.
 */
export function matchingPart(status: ListingStatus, from_intake: boolean, agent: Visible): 'both' | 'own' | 'none' {
  if (!isSeenOn(agent, 'matching')) return 'none';
  if (status === 'live') return 'both';
  return status === 'pending_verification' && from_intake ? 'own' : 'none';
}
