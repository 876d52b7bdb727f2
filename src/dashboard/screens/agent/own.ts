// Props of the sections of an agent's settings: the agent as its owner sees it.
import type { Output } from '../../server.ts';

/** Fragment of the bounds. */
export const BOUNDS_PLACE = 'bounds';
/** Fragments of the policies and of autopilot. */
export const POLICIES_PLACE = 'policies';
export const AUTOPILOT_PLACE = 'autopilot';

export type OwnAgent = Output<'agent.list'>[number];
