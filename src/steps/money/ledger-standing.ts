// The state of the ledger by its last check: when it was checked, with what result, until when it is sealed, and what was sealed
// again.
import { firstJournal, newestDay } from '../../../db/queries/ledger.ts';
import { firstApproval } from '../../../db/queries/negotiation.ts';
import { noteById } from '../../../db/queries/turn.ts';
import type { Read } from '../../../db/store.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { beginOf, dayAfter, dayOf } from '../../domain/text/day.ts';

export const CHECK_NOTE = 'ledger_check';

/** The note of what was replaced last. */
export const RESEAL_NOTE = 'ledger_resealed';

export interface CheckNote {
  readonly at_ms: number;
  readonly problems: number;
}

/** Members are null before the first check or seal. */
export interface LedgerStanding {
  readonly check: CheckNote | null;
  readonly sealed_until_ms: number | null;
}

export async function readStanding(read: Read): Promise<LedgerStanding> {
  const [note, day] = await Promise.all([read(noteById, { id: CHECK_NOTE }), read(newestDay, {})]);
  // `noteCheck` wrote it.
  const check = note ? (note.value as unknown as CheckNote) : null;
  return { check, sealed_until_ms: day ? beginOf(dayAfter(day.id)) : null };
}

/** The first day that is not sealed; null where nothing was ever booked, nor decided. */
export async function firstUnsealed(read: Read): Promise<string | null> {
  const newest = await read(newestDay, {});
  if (newest) return dayAfter(newest.id);
  const firsts = await Promise.all([read(firstJournal, {}), read(firstApproval, {})]);
  const begun = firsts.flatMap((first) => (first ? [first.created_at] : []));
  return begun.length === 0 ? null : dayOf(Math.min(...begun));
}

/** The signed note of what was replaced last; null where nothing ever was. */
export async function noteOfReseal(read: FlowCtx['read']): Promise<string | null> {
  const row = await read(noteById, { id: RESEAL_NOTE });
  const jws = row?.value['jws'];
  return typeof jws === 'string' ? jws : null;
}
