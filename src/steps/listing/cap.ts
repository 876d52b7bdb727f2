// The caps on listings. Every undeleted listing that was made outside the intake counts to the plan's (interface.md,
// Limits), drafts and paused ones too. Those of the intake do not; their limit is the size of one intake.
import { type CountEffect, count } from '../../../db/effects.ts';
import type { Ctx } from '../../contract/context.ts';
import { fault } from '../../domain/fault.ts';
import { counterKey, PLANS, planLimit } from '../../domain/identity/plan.ts';
import { INTAKE_ITEMS_MAX } from '../../schemas/intake.ts';

/** Counted for plans without a limit too: the figure is shown, and a downgrade finds it. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Counts one listing more; refuses with `plan_limit` above the plan's limit. */
export function countUp(ctx: Ctx): CountEffect<'plan_limit'> {
  const limit = PLANS[ctx.principal.plan].limits.listings ?? UNLIMITED;
  return count(
    counterKey('listings', ctx.account_id, ctx.now_ms),
    limit,
    planLimit('listings', limit, limit, ctx.now_ms),
  );
}

/** Counts one listing less; never refuses. */
export function countDown(ctx: Ctx, account_id: string): CountEffect<'plan_limit'> {
  const refusal = planLimit('listings', UNLIMITED, 0, ctx.now_ms);
  return count(counterKey('listings', account_id, ctx.now_ms), UNLIMITED, refusal, null, -1);
}

/** Both sides of one intake. */
export const INTAKE_LISTINGS_MAX = 2 * INTAKE_ITEMS_MAX;

/** The counter of an agent's listings of its intake. */
export function intakeKey(agent_id: string): string {
  return `intake:${agent_id}`;
}

/** Adds `by` to an agent's number of intake listings; refuses with `plan_limit` above the size of one intake. */
export function countIntake(agent_id: string, by: number): CountEffect<'plan_limit'> {
  const refusal = fault(
    'plan_limit',
    `An agent can have at most ${INTAKE_LISTINGS_MAX} listings from its intake; delete one first.`,
    {
      resets_at: null,
    },
  );
  return count(intakeKey(agent_id), INTAKE_LISTINGS_MAX, refusal, null, by);
}
