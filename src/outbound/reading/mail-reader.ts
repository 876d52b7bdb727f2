// Reads incoming mail. A mail has up to ten recipients here, each delivered separately: its parsed and authenticated form is cached
// until the last of them, so that it is parsed once.
import type { MailAuthentication, MailPath } from './authentication.ts';
import type { ParsedMail } from './mail.ts';
import type { ReadingThread, Unread } from './reading-thread.ts';

interface Kept {
  mail: Promise<ParsedMail | null | Unread> | null;
  /** By the path on which the mail came. */
  readonly authentications: Map<string, Promise<MailAuthentication | Unread>>;
}

export class MailReader {
  readonly #thread: ReadingThread;
  readonly #mta: string;
  readonly #kept = new Map<string, Kept>();

  /** `mta` is our own name. */
  constructor(thread: ReadingThread, mta: string) {
    this.#thread = thread;
    this.#mta = mta;
  }

  /** How many times a mail was parsed or authenticated. */
  get readings(): number {
    return this.#thread.jobs;
  }

  /** Caches the parsed mail until the returned function is called. */
  keep(raw: string): () => void {
    // The same mail in two connections at once is read for each: keeping count of both gains nothing.
    if (this.#kept.has(raw)) return () => undefined;
    this.#kept.set(raw, { mail: null, authentications: new Map() });
    return () => void this.#kept.delete(raw);
  }

  /** The mail in parts; null for what cannot be read as one. `raw` has a byte a character. */
  read(raw: string): Promise<ParsedMail | null | Unread> {
    const kept = this.#kept.get(raw);
    const known = kept?.mail;
    if (known) return known;
    const made = this.#thread.run({ job: 'mail', raw, mail_domain: this.#mta });
    if (kept) kept.mail = made;
    return made;
  }

  /** The results of SPF, DKIM and DMARC for a mail and its path. */
  authenticate(raw: string, path: MailPath): Promise<MailAuthentication | Unread> {
    const kept = this.#kept.get(raw);
    const key = JSON.stringify(path);
    const known = kept?.authentications.get(key);
    if (known) return known;
    const made = this.#thread.run({ job: 'authentication', raw, path, mta: this.#mta });
    kept?.authentications.set(key, made);
    return made;
  }
}
