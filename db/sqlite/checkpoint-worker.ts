// The checkpoint thread: opens the file it is told, checkpoints without blocking the writer, says so.
import { Database } from 'bun:sqlite';

declare const self: Worker;

self.onmessage = (message: MessageEvent<string>): void => {
  const db = new Database(message.data);
  try {
    db.run('PRAGMA busy_timeout = 100');
    // Passive copies what it can without blocking; the writer starts the log over when all of it is copied.
    db.run('PRAGMA wal_checkpoint(PASSIVE)');
  } finally {
    db.close();
    self.postMessage('done');
  }
};
