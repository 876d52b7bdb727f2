// Metadata of a reply beside its value. Each transport has its own form for it, or none.
import type { NextStep } from './next-step.ts';

/** A session's tokens for the client, which stores them out of reach of scripts. */
export interface RefreshGrant {
  /** The refresh token. */
  readonly token: string;
  /** The token for the service's own pages. */
  readonly page_token: string;
  readonly life_seconds: number;
}

/** The deprecation of the called operation or form, and its successor. */
export interface Deprecation {
  readonly since_ms: number;
  readonly ends_ms: number;
  /** What to call instead. */
  readonly successor: NextStep;
}

export interface Notes {
  /** The cursor of the next page; absent on the last. */
  readonly next_cursor?: string;
  /** The current call for it, when it was read under an earlier name. */
  readonly stands_at?: NextStep;
  readonly deprecated?: Deprecation;
  /** Null clears the tokens that the client stores. */
  readonly refresh?: RefreshGrant | null;
  /** The value is text of this media type, sent unchanged. */
  readonly media?: string;
  /** The reply of an earlier request with the same Idempotency-Key. */
  readonly replayed?: true;
  /** The value is missing: it was too large to store for a repeated Idempotency-Key. */
  readonly receipt?: true;
}

/** A reply without metadata. */
export const NO_NOTES: Notes = {};

/** Kinds of success: done, created, or continued after the answer. */
export type Success = 'ok' | 'created' | 'accepted';

/** The status of each over HTTP. */
export const STATUSES: Readonly<Record<Success, number>> = { ok: 200, created: 201, accepted: 202 };
