// The state after a restore from a backup: the epoch, a number that each restore raises, so that clients notice that seqs begin
// again below their own; and the work that was due before it, which waits until an operator resumes it.
import { apply } from '../db/effects.ts';
import { noteById } from '../db/queries/turn.ts';
import type { Store } from '../db/store.ts';

/** Written by the restore. Without it the epoch is 1, and nothing waits. */
export const RESTORE_NOTE = 'restored';

/** How soon this node notices that another one has resumed the work. */
const LOOK_SHARED_MS = 10_000;

/** All times are epoch milliseconds. */
export interface Restored {
  readonly epoch: number;
  /** The time of the restore, and that of its backup; null without one. An accepted loss has no backup. */
  readonly restored_at: number | null;
  readonly backup_at: number | null;
  /** Whether what was due before the restore waits. */
  readonly held: boolean;
}

/** The time before which due work is held; null for none. */
export type Held = Pick<RestoreWatch, 'held_before'>;
export const NOTHING_HELD: Held = { held_before: null };

const NEVER: Restored = { epoch: 1, restored_at: null, backup_at: null, held: false };

export class RestoreWatch {
  readonly #store: Pick<Store, 'read' | 'turn' | 'shared'>;
  readonly #resumed: () => void;
  #state = NEVER;
  #timer: ReturnType<typeof setInterval> | null = null;

  /** `resumed` is called when an operator resumes the held work, on this node or another. */
  constructor(store: Pick<Store, 'read' | 'turn' | 'shared'>, resumed: () => void) {
    this.#store = store;
    this.#resumed = resumed;
  }

  get state(): Restored {
    return this.#state;
  }

  get epoch(): number {
    return this.#state.epoch;
  }

  get restored_at(): number | null {
    return this.#state.restored_at;
  }

  /** Work that was due before this time is held; null for none. */
  get held_before(): number | null {
    return this.#state.held ? this.#state.restored_at : null;
  }

  /** Reads the note; asked before anything is served. */
  async look(): Promise<void> {
    const row = await this.#store.read(noteById, { id: RESTORE_NOTE });
    const was_held = this.#state.held;
    this.#state = row ? { ...NEVER, ...row.value } : NEVER;
    if (was_held && !this.#state.held) this.#resumed();
  }

  start(): void {
    if (!this.#store.shared) return;
    this.#timer ??= setInterval(() => void this.look().catch(() => {}), LOOK_SHARED_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Resumes the held work, on this node at once, on the others within ten seconds. */
  async resume(): Promise<void> {
    if (!this.#state.held) return;
    const effects = [apply('service_notes', RESTORE_NOTE, ({ value }) => ({ value: { ...value, held: false } }))];
    await this.#store.turn({ attempt: async () => ({ reply: null, effects }) });
    await this.look();
  }
}
