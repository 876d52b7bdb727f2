// The checkpoint thread: opens the file it is told, copies the log without blocking the writer, and answers the last
// frame that is now in the file.
import { Database } from 'bun:sqlite';

declare const self: Worker;

let db: Database | null = null;

self.onmessage = (message: MessageEvent<string>): void => {
  if (!db) {
    db = new Database(message.data);
    db.run('PRAGMA busy_timeout = 100');
    db.run('PRAGMA wal_autocheckpoint = 0');
  }
  const done = db.query('PRAGMA wal_checkpoint(PASSIVE)').get() as { checkpointed: number } | null;
  self.postMessage(done?.checkpointed ?? 0);
};
