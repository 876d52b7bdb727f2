// Ends an account's plan at once: nothing that was paid is given back, and nothing more is charged.
import { type Effect, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { renewPlanAt } from './term.ts';

/** The plan's row ends in this turn; the processor is told right after it, and again until it has heard. The account's own plan is
 * the caller's to set. */
export function endPlanNow(term: Row<'plan_terms'> | null, now_ms: number): Effect<never>[] {
  if (!term || term.status === 'ended') return [];
  return [patch('plan_terms', term, { status: 'ended', past_due_at: null }), renewPlanAt(term.id, now_ms, now_ms)];
}
