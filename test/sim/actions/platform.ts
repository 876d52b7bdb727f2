// What the operator does, and what everybody may ask about plans.
import { type Action, keyOf, NO_CREDENTIAL } from '../planned.ts';

const PLATFORM = { platform: true };

export const PLATFORM_ACTIONS: Readonly<Record<string, Action>> = {
  'billing.plans': () => ({ as: NO_CREDENTIAL }),
  'billing.limits': (sim, person) => {
    const as = keyOf(sim, person);
    return as && { as };
  },
  'internal.admin_create': (sim, { email }) => ({
    as: PLATFORM,
    body: { email: sim.choose.chance(0.5) ? email : `staff${sim.choose.below(9)}@example.org` },
  }),
  'internal.admin_set_plan': (sim, { email }) => ({
    as: PLATFORM,
    body: { email, plan: sim.choose.chance(0.8) ? 'pro' : 'free' },
  }),
  'internal.clock': (sim) => ({ as: PLATFORM, body: { advance_seconds: sim.choose.below(3_600) } }),
  'internal.outbox': (_sim, { email }) => ({ as: PLATFORM, query: { to: email } }),
};
