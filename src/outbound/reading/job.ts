// The messages between the service and its reading thread.
import type { DnsAnswer } from '../dns.ts';
import type { MailAuthentication, MailPath } from './authentication.ts';
import type { ParsedMail } from './mail.ts';

/** A job of the thread. `raw` is the received mail, a byte per character. */
export type Job =
  | { readonly job: 'mail'; readonly raw: string; readonly mail_domain: string }
  | { readonly job: 'authentication'; readonly raw: string; readonly path: MailPath; readonly mta: string };

export interface Done {
  readonly mail: ParsedMail | null;
  readonly authentication: MailAuthentication;
}

/** DNS queries, which the thread passes to the service, because it has no network access. */
export type Question = 'txt' | 'addresses' | 'mx';

export type ToThread =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'answer'; readonly question: number; readonly answer: DnsAnswer };

export type FromThread =
  | { readonly kind: 'done'; readonly done: Done[keyof Done] }
  | { readonly kind: 'ask'; readonly question: number; readonly ask: Question; readonly name: string };
