// What a door hands to the pipeline and what it gets back. Bodies are JSON text by then, so that a kept answer and a
// fresh one leave the same bytes.
import type { Fault } from '../domain/fault.ts';
import type { AnyOperation, StreamSink } from '../operations/operation.ts';

/** Why a request has no input. A class, because a caller's own JSON can look like any plain object, a fault included. */
export class Unreadable {
  readonly refusal: Fault;

  constructor(refusal: Fault) {
    this.refusal = refusal;
  }
}

export interface Call {
  readonly operation: AnyOperation;
  /** Path, query, headers and body folded into one object, not yet validated; or why there is none, which is told only
   * to callers that would have been let in. */
  readonly input: Record<string, unknown> | Unreadable;
  /** Reads the input of a large body instead, once the caller was let in. */
  readonly late_input?: () => Promise<Record<string, unknown> | Unreadable>;
  readonly api_key: string | null;
  readonly bearer: string | null;
  readonly platform_token: string | null;
  /** X-Agent-Handle, or the path parameter that names the acting agent. */
  readonly acting: string | null;
  readonly ip: string;
  readonly idempotency_key: string | null;
  readonly request_id: string;
  readonly cookies: Readonly<Record<string, string>>;
  /** A browser sent it; the platform token is never taken from one. */
  readonly from_browser: boolean;
}

/** The end of a call that answers once. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The end of a call that stays open. */
export interface Opened {
  readonly start: (sink: StreamSink) => void;
}

/** A refusal on its way to the door, which adds the request id and translates it. */
export interface Refused {
  readonly refusal: Fault;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Ended = Answer | Opened | Refused;
