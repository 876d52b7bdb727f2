// The terms that a buyer may give an escrow, and their reminders: a delivered milestone is released after some days without an
// answer, one that is not delivered by a date is refunded (Q62). A dispute stops both: a term that becomes due meanwhile is
// checked again a day later, and so takes effect within a day of the dispute's end.

import { Type } from 'typebox';
import type { Effect, RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { DAY_MS } from '../../domain/time.ts';
import { autoReleaseAt } from '../../schemas/escrow.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, unremind } from '../reminder.ts';

/** The call that gives back what was not delivered in time. */
export const EXPIRE = { name: 'escrow.expire', input: Type.Object({ escrow_id: Id }) } as const;

/** The call that releases a milestone to which the buyer said nothing; a milestone's id is no UUID. */
export const AUTO_RELEASE = {
  name: 'escrow.auto_release',
  input: Type.Object({ escrow_id: Id, milestone_index: Type.Integer({ minimum: 0 }) }),
} as const;

type Escrow = Pick<Row<'escrows'>, 'id' | 'expires_at' | 'auto_release_after_days'>;
type Milestone = Pick<Row<'milestones'>, 'id' | 'milestone_index' | 'status' | 'deliverable'>;

/** Schedules the refund of what is not delivered by then; nothing when the escrow does not expire. */
export function expireLater({ id: escrow_id, expires_at }: Escrow, now_ms: number): RemindEffect[] {
  if (expires_at === null) return [];
  return [remind(EXPIRE, { escrow_id }, { at: Math.max(expires_at, now_ms), key: escrow_id, now_ms })];
}

/** Asks for the release of a milestone as its terms have it; nothing where they do not. The same again moves it. */
export function autoReleaseLater(escrow: Escrow, milestone: Milestone, now_ms: number): RemindEffect[] {
  const at = autoReleaseAt(escrow, milestone);
  if (at === null) return [];
  return [releaseAt(escrow, milestone, Math.max(at, now_ms), now_ms)];
}

function releaseAt({ id }: Pick<Escrow, 'id'>, milestone: Milestone, at: number, now_ms: number): RemindEffect {
  const { id: key, milestone_index } = milestone;
  return remind(AUTO_RELEASE, { escrow_id: id, milestone_index }, { at, key, now_ms });
}

/** The same terms a day later, for a run that found a dispute. */
export const lookAgain = {
  expire: ({ id: escrow_id }: Escrow, now_ms: number): RemindEffect =>
    remind(EXPIRE, { escrow_id }, { at: now_ms + DAY_MS, key: escrow_id, now_ms }),
  release: (escrow: Escrow, milestone: Milestone, now_ms: number): RemindEffect =>
    releaseAt(escrow, milestone, now_ms + DAY_MS, now_ms),
};

/** Takes back what the terms have armed for milestones that have ended, and, with `escrow_too`, for the escrow itself. */
export function disarm(escrow: Escrow, ended: readonly Milestone[], escrow_too: boolean): Effect<never>[] {
  const releases = ended.filter((milestone) => autoReleaseAt(escrow, milestone) !== null);
  return [
    ...releases.map(({ id }) => unremind(AUTO_RELEASE, id)),
    ...(escrow_too && escrow.expires_at !== null ? [unremind(EXPIRE, escrow.id)] : []),
  ];
}
