// Who sees an agent and its listings, and where. The rule kept here is that there is one answer for every surface, so
// that no list, search or match can show what another one hides (rules.md 4, Q8, Q18, Q54).
import type { ListingStatus } from '../listing/state.ts';

export const VISIBILITIES = ['listed', 'stealth', 'hidden'] as const;

export type Visibility = (typeof VISIBILITIES)[number];

/** Where an agent may be met. `contact` is a first message by a stranger; parties of a thread always reach each other. */
export type Surface = 'registry' | 'profile' | 'search' | 'counts' | 'contact' | 'matching';

/** The part of an agent that decides. A provisional or deactivated agent is hidden whatever its setting says. */
export interface Visible {
  readonly visibility: Visibility;
  readonly provisional: boolean;
  readonly deactivated: boolean;
  /** Whether it is the agent that speaks for the service. */
  readonly platform?: boolean;
}

/** The visibility that holds in effect. */
export function effectiveVisibility(agent: Visible): Visibility {
  return agent.provisional || agent.deactivated ? 'hidden' : agent.visibility;
}

/** Whether others meet this agent on a surface. A stealth agent is met by matching alone, a hidden one nowhere. The
 * platform's agent is in no list and no match; anybody may read its profile and write to it (interface.md item 11). */
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
