// The plan's cap on listings (interface.md, Limits): every undeleted listing that was made outside the intake counts,
// drafts and paused ones too.
import { count, type Effect } from '../../../db/effects.ts';
import { counterKey, PLANS, planLimit } from '../../domain/plan.ts';
import type { Ctx } from '../operation.ts';

/** Counted for plans without a limit too: the figure is shown, and a downgrade finds it. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Counts one listing more; refuses with `plan_limit` when the plan allows no more. */
export function countUp(ctx: Ctx): Effect<'plan_limit'> {
  const limit = PLANS[ctx.principal.plan].limits.listings ?? UNLIMITED;
  return count(
    counterKey('listings', ctx.account_id, ctx.now_ms),
    limit,
    planLimit('listings', limit, limit, ctx.now_ms),
  );
}

/** Counts one listing less; never refuses. */
export function countDown(ctx: Ctx, account_id: string): Effect<'plan_limit'> {
  const refusal = planLimit('listings', UNLIMITED, 0, ctx.now_ms);
  return count(counterKey('listings', account_id, ctx.now_ms), UNLIMITED, refusal, null, -1);
}
