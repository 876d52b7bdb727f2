// What the parts of an agent's settings are given: the agent as its owner sees it.
import type { Output } from '../../server.ts';

/** Where on the page its bounds are set. */
export const BOUNDS_PLACE = 'bounds';
/** Where its policies stand, and its autopilot. */
export const POLICIES_PLACE = 'policies';
export const AUTOPILOT_PLACE = 'autopilot';

export type OwnAgent = Output<'agent.list'>[number];
