// The note that a restore from a backup leaves in the database, as a service that runs then reads it.

import { RESTORE_NOTE } from '../../actors/restore-watch.ts';
import { apply, insert } from '../../db/effects.ts';
import type { TestService } from './testbed.ts';

/** What was written until now counts as restored, from a backup of now; what was due before now waits if `held`. */
export async function markRestored(t: TestService, epoch: number, held = false): Promise<void> {
  const now_ms = t.clock.now();
  const value = { epoch, restored_at: now_ms, backup_at: now_ms, held };
  const effects = [
    insert('service_notes', { id: RESTORE_NOTE, value }, 'ignore'),
    apply('service_notes', RESTORE_NOTE, () => ({ value })),
  ];
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
  await t.service.world.restored.look();
}
