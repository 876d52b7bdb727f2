// Reads the outbox for `GET /internal/outbox?to=` (rules.md 1): the newest mails and SMS to one address. An index of the
// recipients is kept in memory, so that each file is opened once.

import { mkdir, open, opendir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { timeOf } from '../domain/id-time.ts';
import { DAY_MS, HOUR_MS } from '../domain/time.ts';
import { messageTime } from './message-time.ts';
import { failedForNow, type SendResult } from './send-result.ts';
import { syncFolder } from './sync-folder.ts';

/** One message as the route shows it; `created_at` is ISO 8601 UTC with milliseconds. `subject` is on mails only. */
interface OutboxMessage {
  readonly id: string;
  readonly kind: 'mail' | 'sms';
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
  readonly created_at: string;
}

export interface OutboxReader {
  /** The newest entries to an address (any case) or a phone number, newest first. */
  list(to: string): Promise<OutboxMessage[]>;
  /** The newest mails to any of these addresses, at most `limit`, newest first. */
  newest(to: readonly string[], limit: number): Promise<OutboxMessage[]>;
}

/** One page of answers, as elsewhere. */
const SHOWN = 50;
/** The most files that the reader indexes: it is a tool for people and tests, not an archive. */
const LOOKED_AT = 10_000;

/** A message's file name: a time-ordered id and what it is. */
const FILE_NAME = /^[0-9a-f-]{36}\.(eml|sms\.json)$/;

/** The index of a folder: each file is opened once to read its recipient. */
class Index {
  readonly #seen = new Set<string>();
  readonly #byRecipient = new Map<string, string[]>();

  /** Indexes the new files among `names`. */
  async learn(dir: string, names: readonly string[]): Promise<void> {
    // Drop entries of deleted files now and then.
    if (this.#seen.size > names.length + LOOKED_AT) {
      this.#seen.clear();
      this.#byRecipient.clear();
    }
    const fresh = names.filter((name) => !this.#seen.has(name) && FILE_NAME.test(name));
    // Ids are time-ordered, so the order of names is the order of time.
    const newest = new Set(fresh.length > LOOKED_AT ? fresh.sort().slice(-LOOKED_AT) : fresh);
    for (const name of fresh) {
      const entry = newest.has(name) ? await readEntry(dir, name) : null;
      // Another call may have indexed it meanwhile.
      if (this.#seen.has(name)) continue;
      this.#seen.add(name);
      if (entry) this.#add(recipientKey(entry.to), name);
    }
  }

  /** The files that went to a recipient, newest first. */
  of(recipient: string): string[] {
    return [...(this.#byRecipient.get(recipient) ?? [])].sort().reverse();
  }

  #add(recipient: string, name: string): void {
    const files = this.#byRecipient.get(recipient);
    if (files) files.push(name);
    else this.#byRecipient.set(recipient, [name]);
  }
}

/** A reader of `<dataDir>/outbox`; a missing directory is an empty outbox. */
export function createOutboxReader(dataDir: string): OutboxReader {
  const dir = join(dataDir, 'outbox');
  const index = new Index();
  const readSome = async (names: readonly string[], limit: number): Promise<OutboxMessage[]> => {
    const found: OutboxMessage[] = [];
    for (const name of names) {
      if (found.length === limit) break;
      const entry = await readEntry(dir, name);
      if (entry) found.push(entry);
    }
    return found;
  };
  return {
    async list(to) {
      await index.learn(dir, await readdir(dir).catch(() => []));
      return readSome(index.of(recipientKey(to)), SHOWN);
    },
    async newest(to, limit) {
      if (to.length === 0) return [];
      await index.learn(dir, await readdir(dir).catch(() => []));
      const names = to.flatMap((each) => index.of(recipientKey(each)));
      return readSome(
        names
          .filter((name) => name.endsWith('.eml'))
          .sort()
          .reverse(),
        limit,
      );
    },
  };
}

const KEPT_MS = 30 * DAY_MS;
const SWEPT_AT_ONCE = 1_000;

/** Deletes files of `<dataDir>/outbox` that are older than thirty days by the time in their names, at most a thousand a call; once an hour
 * when there are no more. Returns the number. */
export function outboxSweeper(dataDir: string): (now_ms: number) => Promise<number> {
  const dir = join(dataDir, 'outbox');
  let next_ms = 0;
  return async (now_ms) => {
    if (now_ms < next_ms) return 0;
    const files = await opendir(dir).catch(() => null);
    let gone = 0;
    // Leaving the loop closes the folder.
    for await (const { name } of files ?? []) {
      if (!FILE_NAME.test(name) || timeOf(name) + KEPT_MS > now_ms) continue;
      await rm(join(dir, name), { force: true });
      gone += 1;
      if (gone === SWEPT_AT_ONCE) return gone;
    }
    next_ms = now_ms + HOUR_MS;
    return gone;
  };
}

/** In a query string the `+` of a phone number arrives as a space, so numbers are compared by their digits. */
function recipientKey(to: string): string {
  const text = to.trim().toLowerCase();
  return /^[+\d][\d ]+$/.test(text) ? text.replace(/\D/g, '') : text;
}

/** One file as an entry; null when it is gone or invalid. */
async function readEntry(dir: string, name: string): Promise<OutboxMessage | null> {
  const id = name.slice(0, 36);
  try {
    const created_at = new Date(messageTime(id)).toISOString();
    const bytes = await readFile(join(dir, name));
    if (name.endsWith('.eml')) {
      const { default: PostalMime } = await import('postal-mime');
      const { to, subject = '', text = '' } = await PostalMime.parse(bytes);
      return { id, kind: 'mail', to: to?.[0]?.address ?? '', subject, text: `${text.trimEnd()}\n`, created_at };
    }
    const { to, text } = Object(JSON.parse(bytes.toString('utf8')));
    return { id, kind: 'sms', to: String(to), text: String(text), created_at };
  } catch {
    return null;
  }
}

// Writes one message into the outbox directory: private (0600), atomically, on disk before the answer. The same message
// written twice is one file, so a retry after a crash leaves no duplicate.

/** Writes `<dir>/<name>`, making the directory (0700) when it is missing. `name` is made of a checked id. */
export async function writeOutboxFile(dir: string, name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const draft = join(dir, `.${name}.new`);
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(dir, name));
    await syncFolder(dir);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** The failure of such a write, in words that name no address or path. */
export function outboxFailed(error: unknown): SendResult {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : code;
  return failedForNow(['the outbox cannot be written', why].filter(Boolean).join(': '));
}
