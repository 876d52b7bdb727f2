// How the ledger stands as far as somebody has looked: when it was last checked, with what result, and until when it is sealed.
import { apply, insert } from '../../../db/effects.ts';
import { newestDay } from '../../../db/queries/ledger.ts';
import { noteById } from '../../../db/queries/turn.ts';
import type { Read, Store } from '../../../db/store.ts';
import { beginOf, dayAfter } from '../../domain/money/ledger-day.ts';

const NOTE = 'ledger_check';

interface CheckNote {
  readonly at_ms: number;
  readonly problems: number;
}

/** What is known; null where nothing was checked or sealed yet. */
export interface LedgerStanding {
  readonly check: CheckNote | null;
  readonly sealed_until_ms: number | null;
}

/** Writes down how a check ended. */
export async function noteCheck(store: Pick<Store, 'turn'>, { at_ms, problems }: CheckNote): Promise<void> {
  const value = { at_ms, problems };
  const effects = [
    insert('service_notes', { id: NOTE, value }, 'ignore'),
    apply('service_notes', NOTE, () => ({ value })),
  ];
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
}

export async function readStanding(read: Read): Promise<LedgerStanding> {
  const [note, day] = await Promise.all([read(noteById, { id: NOTE }), read(newestDay, {})]);
  // `noteCheck` wrote it.
  const check = note ? (note.value as unknown as CheckNote) : null;
  return { check, sealed_until_ms: day ? beginOf(dayAfter(day.id)) : null };
}
