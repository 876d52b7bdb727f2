// Stands for the table of operations that scripts/build-client makes of the registry and puts in this place: what the
// written files name of it.

/** How an operation is reached. */
export interface Address {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  /** It changes something, and so carries an Idempotency-Key. */
  readonly write?: true;
  /** It takes X-Agent-Handle. */
  readonly agent?: true;
  /** The path parameter that names the acting agent. */
  readonly acting?: string;
  /** Fields of the input that travel as headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The media type of a body that is text; its field is `raw`. */
  readonly raw?: string;
  /** Its body is a form, as OAuth has it. */
  readonly form?: true;
  /** It answers a list in pages. */
  readonly paged?: true;
  /** It stays open, and its reader comes back by this field with the last id. */
  readonly resume?: 'after' | 'last_event_id';
}

/** All operations, by name. */
export const OPERATIONS = {
  'inbox.pull': { method: 'GET', path: '/api/inbox', agent: true },
  'inbox.stream': { method: 'GET', path: '/api/inbox/stream', agent: true, resume: 'after' },
} as const satisfies Record<string, Address>;

/** The codes by which the service refuses. */
export type FaultCode = 'rate_limited' | 'idempotency_in_flight' | 'too_many_tries' | 'provider_not_configured';

/** The kinds of events. */
export type EventKind = 'match.created' | 'test.ping';
