// What the service and its reading thread say to each other.
import type { DnsAnswer } from '../dns.ts';
import type { MailAuthentication, MailPath } from './authentication.ts';
import type { ParsedMail } from './mail.ts';

/** What is to be read. `raw` is the mail as it came, a byte a character. */
export type Job =
  | { readonly job: 'mail'; readonly raw: string; readonly mail_domain: string }
  | { readonly job: 'authentication'; readonly raw: string; readonly path: MailPath; readonly mta: string };

export interface Done {
  readonly mail: ParsedMail | null;
  readonly authentication: MailAuthentication;
}

/** The questions that the thread may not ask by itself: it has no way out of the house. */
export type Question = 'txt' | 'addresses' | 'mx';

export type ToThread =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'answer'; readonly question: number; readonly answer: DnsAnswer };

export type FromThread =
  | { readonly kind: 'done'; readonly done: Done[keyof Done] }
  | { readonly kind: 'ask'; readonly question: number; readonly ask: Question; readonly name: string };
