// The port for proving an account elsewhere: a person is sent to the site that has it, lets the service know who they are there, and
// comes back with a code, for which the site tells the account (OAuth 2.1, OpenID Connect Core 1.0). What a site gives beside that
// is dropped at once: no token outlives the call.
import type { AccountHostName, AccountKind } from '../../domain/identity/account-host.ts';

/** What is asked for when a person is sent there. */
export interface Asking {
  readonly redirect_uri: string;
  /** Comes back with the person. */
  readonly state: string;
  /** The code verifier's SHA-256, as base64url (RFC 7636, 4.2). */
  readonly challenge: string;
  /** Comes back within a signed statement, where the site makes any. */
  readonly nonce: string;
}

/** What a person comes back with, and what only whoever sent them there can know. */
export interface Returned {
  readonly redirect_uri: string;
  readonly code: string;
  /** Which site says that it sent them back (RFC 9207); null where none was said. */
  readonly iss: string | null;
  readonly verifier: string;
  readonly nonce: string;
}

/** Who it is there: `refused` is the site's clear word or one that cannot be right, `silent` none at all. */
export type Identified =
  | { readonly is: 'known'; readonly external_id: string }
  | { readonly is: 'refused' }
  | { readonly is: 'silent' };

/** Whether an account is still there; `unknown` where the site gave no clear word. */
export type AccountStanding = 'standing' | 'missing' | 'unknown';

export interface AccountHost {
  readonly kind: AccountKind;
  readonly title: string;
  /** Where people are sent: an origin. */
  readonly origin: string;
  /** Whom its calls reach. */
  readonly hosts: readonly string[];
  /** Where to send a person; null when the site does not say in time. */
  authorizeUrl(asking: Asking, gone: AbortSignal): Promise<string | null>;
  /** Trades the code for who it is. */
  identify(back: Returned, gone: AbortSignal): Promise<Identified>;
  /** Looks whether an account is there, without its person; null where the site tells nobody. */
  readonly look: ((external_id: string, gone: AbortSignal) => Promise<AccountStanding>) | null;
}

/** The sites that this server has set up. */
export type AccountHosts = Readonly<Partial<Record<AccountHostName, AccountHost>>>;
