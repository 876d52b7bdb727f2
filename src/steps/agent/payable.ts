// Only an agent that a person answers for can be paid (questions.md 119).
import type { Row } from '../../../db/schema/tables.ts';

/** Whether an agent can sell: it is claimed, verified, active, and not the service's own agent. */
export function canBePaid({ provisional, verified_at, deactivated_at, kind }: Row<'agents'>): boolean {
  return provisional === 0 && verified_at !== null && deactivated_at === null && kind !== 'platform';
}
