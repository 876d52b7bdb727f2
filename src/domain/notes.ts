// What a reply says beside its value, as data. Each door has a way of its own to tell it, or none.
import type { NextStep } from './next-step.ts';

/** A session's tokens on their way to the client, which keeps them where no script reads them. */
export interface RefreshGrant {
  /** What it is refreshed with. */
  readonly token: string;
  /** What shows it on the service's own pages. */
  readonly page_token: string;
  readonly life_seconds: number;
}

/** That what was asked for goes one day, and what takes its place. */
export interface Deprecation {
  readonly since_ms: number;
  readonly ends_ms: number;
  /** What to call instead. */
  readonly successor: NextStep;
}

export interface Notes {
  /** Where the next page begins; without it this is the last. */
  readonly next_cursor?: string;
  /** The call by which it is read now, when it was asked for under an older name. */
  readonly stands_at?: NextStep;
  readonly deprecated?: Deprecation;
  /** Null takes the tokens back that the client keeps. */
  readonly refresh?: RefreshGrant | null;
  /** The value is a text of this media type, and is sent as it is. */
  readonly media?: string;
  /** It is the answer of an earlier request under the same Idempotency-Key. */
  readonly replayed?: true;
  /** The value is not here: it was too large to keep for a repeated Idempotency-Key. */
  readonly receipt?: true;
}

/** Of a reply that says nothing beside its value, as most do. */
export const NO_NOTES: Notes = {};

/** How an operation ended well: done, something was made, or it goes on behind the answer. */
export type Success = 'ok' | 'created' | 'accepted';

/** The status of each over HTTP. */
export const STATUSES: Readonly<Record<Success, number>> = { ok: 200, created: 201, accepted: 202 };
