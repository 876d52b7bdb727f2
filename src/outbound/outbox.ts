// Reads the outbox back for `GET /internal/outbox?to=` (decisions.md 1): the newest mails and SMS to one address. The
// files are the truth; what is remembered of them is only to whom each went, so that a long outbox is read once.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { messageTime } from './message-time.ts';

/** One message as the route shows it; `created_at` is ISO 8601 UTC with milliseconds. `subject` is on mails only. */
export interface OutboxEntry {
  readonly id: string;
  readonly kind: 'mail' | 'sms';
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
  readonly created_at: string;
}

export interface OutboxReader {
  /** The newest entries to an address (any case) or a phone number, newest first. */
  list(to: string): Promise<OutboxEntry[]>;
}

/** One page of answers, as elsewhere. */
const SHOWN = 50;
/** How far back the reader looks: it is a tool for people and tests, not an archive. */
const LOOKED_AT = 10_000;

/** A reader of `<dataDir>/outbox`; a missing directory is an empty outbox. */
export function createOutboxReader(dataDir: string): OutboxReader {
  const dir = join(dataDir, 'outbox');
  let recipients = new Map<string, string>();
  return {
    async list(to) {
      const names = await newestNames(dir);
      const wanted = recipientKey(to);
      const seen = new Map<string, string>();
      const found: OutboxEntry[] = [];
      for (const name of names) {
        const known = recipients.get(name);
        const wantedHere = known === wanted && found.length < SHOWN;
        const entry = known === undefined || wantedHere ? await readEntry(dir, name) : null;
        const recipient = entry === null ? known : recipientKey(entry.to);
        if (recipient !== undefined) seen.set(name, recipient);
        if (entry !== null && recipient === wanted && found.length < SHOWN) found.push(entry);
      }
      recipients = seen;
      return found;
    },
  };
}

/** Ids are time-ordered, so the order of names is the order of time. */
async function newestNames(dir: string): Promise<string[]> {
  try {
    const names = (await readdir(dir)).filter((name) => /^[0-9a-f-]{36}\.(eml|sms\.json)$/.test(name));
    return names.sort().reverse().slice(0, LOOKED_AT);
  } catch {
    return [];
  }
}

/** In a query string the `+` of a phone number arrives as a space, so numbers are told apart by their digits. */
function recipientKey(to: string): string {
  const text = to.trim().toLowerCase();
  return /^[+\d][\d ]+$/.test(text) ? text.replace(/\D/g, '') : text;
}

/** One file as an entry; null when it is gone or is not what its name says. */
async function readEntry(dir: string, name: string): Promise<OutboxEntry | null> {
  const id = name.slice(0, 36);
  try {
    const created_at = new Date(messageTime(id)).toISOString();
    const bytes = await readFile(join(dir, name));
    if (name.endsWith('.eml')) {
      const { to, subject = '', text = '' } = await PostalMime.parse(bytes);
      return { id, kind: 'mail', to: to?.[0]?.address ?? '', subject, text, created_at };
    }
    const { to, text } = Object(JSON.parse(bytes.toString('utf8')));
    return { id, kind: 'sms', to: String(to), text: String(text), created_at };
  } catch {
    return null;
  }
}
