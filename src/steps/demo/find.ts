// The service's note of the demo world, as its steps have written it.
import { noteById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { DemoWorld } from '../../domain/demo.ts';

export const DEMO_NOTE = 'demo';

/** The world with its row. */
export interface DemoRow {
  readonly row: Row<'service_notes'>;
  readonly world: DemoWorld;
}

/** Null while there is none. */
export async function readDemo(read: Read): Promise<DemoRow | null> {
  const row = await read(noteById, { id: DEMO_NOTE });
  // Written by steps/demo/world.ts alone.
  return row && { row, world: row.value as unknown as DemoWorld };
}
