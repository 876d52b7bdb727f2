// Who can be paid for what they sell: an agent that somebody answers for (questions.md 119).
import type { Row } from '../../../db/schema/tables.ts';

/** Whether an agent can sell: it is claimed, verified, there, and no voice of the service. */
export function canBePaid({ provisional, verified_at, deactivated_at, kind }: Row<'agents'>): boolean {
  return provisional === 0 && verified_at !== null && deactivated_at === null && kind !== 'platform';
}
