// The checkpoint thread: opens the given file, checkpoints the log without blocking the writer, syncs the file, and returns the last
// frame that is now in it, or an error.
import { Database } from 'bun:sqlite';
import { fdatasyncSync, openSync } from 'node:fs';
import { type Copied, isUnsynced } from './checkpoint.ts';

declare const self: Worker;

let db: Database | null = null;
/** Never closed: to close a descriptor of a file ends the locks that the process has on it. */
let file = 0;

function copy(path: string): Copied {
  const began_ms = performance.now();
  try {
    if (!db) {
      const opened = new Database(path);
      opened.run('PRAGMA busy_timeout = 100');
      opened.run('PRAGMA wal_autocheckpoint = 0');
      file = openSync(path, 'r');
      db = opened;
    }
    const done = db.query('PRAGMA wal_checkpoint(PASSIVE)').get() as { checkpointed: number } | null;
    // SQLite does so only when the whole log is copied: then the writer, which copies the rest, would wait for all of it.
    fdatasyncSync(file);
    return { frames: done?.checkpointed ?? 0, ms: performance.now() - began_ms };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error), unsynced: isUnsynced(error) };
  }
}

self.onmessage = (message: MessageEvent<string>): void => self.postMessage(copy(message.data));
