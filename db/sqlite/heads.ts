// The heads of the inboxes (last seq given), cached by the store because any agent's turn may append to any inbox. A
// head is written once per group commit; a turn that is rolled back gives its seqs back.
import type { Database, Statement } from 'bun:sqlite';

/** Enough for every agent that is active at once; the oldest is forgotten and read again when needed. */
const HEADS_MAX = 200_000;

export class InboxHeads {
  readonly #heads = new Map<string, number>();
  readonly #dirty = new Set<string>();
  #undo: { readonly agent_id: string; readonly seq: number }[] = [];
  readonly #select: Statement;
  readonly #upsert: Statement;

  constructor(db: Database) {
    this.#select = db.prepare('SELECT last_seq FROM inboxes WHERE id = ?');
    this.#upsert = db.prepare(
      'INSERT INTO inboxes (id, last_seq) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET last_seq = excluded.last_seq',
    );
  }

  /** The next seq of an inbox: 1, 2, 3 … without a gap. */
  next(agent_id: string): number {
    let head = this.#heads.get(agent_id);
    if (head === undefined) {
      head = (this.#select.get(agent_id) as { last_seq: number } | null)?.last_seq ?? 0;
    }
    this.#undo.push({ agent_id, seq: head });
    this.#heads.set(agent_id, head + 1);
    this.#dirty.add(agent_id);
    return head + 1;
  }

  /** A turn stands: its seqs are given. */
  keep(): void {
    this.#undo = [];
  }

  /** A turn was rolled back: its seqs are free again. */
  rollback(): void {
    for (const { agent_id, seq } of this.#undo.reverse()) this.#heads.set(agent_id, seq);
    this.#undo = [];
  }

  /** Writes the heads that this group moved; runs inside its transaction. */
  flush(): void {
    for (const agent_id of this.#dirty) this.#upsert.run(agent_id, this.#heads.get(agent_id) ?? 0);
    this.#dirty.clear();
    if (this.#heads.size > HEADS_MAX) this.#heads.clear();
  }

  /** A failed group: nothing cached may be believed. */
  drop(): void {
    this.#heads.clear();
    this.#dirty.clear();
    this.#undo = [];
  }
}
