// The one error that the client throws: a refusal of the service with all that it says, or what went wrong on the way. What
// an answer holds is not trusted to be what the service would send: something else may stand at its address.
import type { FaultCode } from './operations.ts';

/** What goes wrong without a word of the service. `not_kept`: it was done before, and the answer was too large to be kept. */
export type LocalCode =
  | 'network_error'
  | 'timeout'
  | 'redirected'
  | 'invalid_answer'
  | 'answer_too_large'
  | 'not_kept'
  | 'invalid_input'
  | 'invalid_signature';

/** A code to switch on. Newer servers may send codes that this version does not list. */
export type ErrorCode = FaultCode | LocalCode | (string & {});

/** What is wrong with one field of an input, and how to mend it. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** What an error is made of; what is left out is null. */
export interface ErrorParts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly operation?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly retry_after?: number | null;
  readonly request_id?: string | null;
  readonly cause?: unknown;
}

/** Longer texts than the service ever writes are somebody else's. */
const TEXT_MAX = 2_000;

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, TEXT_MAX) : null;
}

function isField(value: unknown): value is FieldProblem {
  const { path, message } = Object(value) as Partial<FieldProblem>;
  return typeof path === 'string' && typeof message === 'string';
}

export class MeshworkError extends Error {
  override readonly name = 'MeshworkError';
  readonly code: ErrorCode;
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The operation that was called, as in the API reference; null outside of any. */
  readonly operation: string | null;
  /** With `invalid_request`: which fields are wrong, and how to mend each. */
  readonly fields: readonly FieldProblem[];
  /** Names the request in the server's log. */
  readonly request_id: string | null;
  /** In how many seconds to come back. */
  readonly retry_after: number | null;
  /** What to do first. */
  readonly how: string | null;
  /** The page on which a person lifts the refusal; null where nobody has to. */
  readonly url: string | null;
  /** All that the error body says, such as `matches`, `limit` or `required_scope`. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor({ code, message, status = 0, operation, body = {}, cause, ...rest }: ErrorParts) {
    super(message, cause === undefined ? undefined : { cause });
    const { fields, how, url, retry_after_seconds: seconds, request_id } = body;
    this.code = code;
    this.status = status;
    this.operation = operation ?? null;
    this.fields = Array.isArray(fields) ? fields.filter(isField) : [];
    this.how = textOf(how);
    this.url = textOf(url);
    this.request_id = textOf(request_id) ?? rest.request_id ?? null;
    this.retry_after = rest.retry_after ?? (typeof seconds === 'number' ? seconds : null);
    this.body = body;
  }
}

/** The error of an answer that is no success; `body` is its JSON, null when it is none. */
export function refusalOf(
  body: unknown,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  operation: string,
): MeshworkError {
  const said = (body ?? {}) as Readonly<Record<string, unknown>>;
  const wait = headers.get('retry-after');
  const common = {
    status,
    operation,
    retry_after: wait !== null && /^\d{1,9}$/.test(wait) ? Number(wait) : null,
    request_id: headers.get('x-request-id'),
  };
  const [code, message] = [textOf(said.error), textOf(said.message)];
  if (code !== null) return new MeshworkError({ ...common, code, message: message ?? code, body: said });
  const stranger = `${operation} was answered ${status} by something that is not this service.`;
  return new MeshworkError({ ...common, code: 'invalid_answer', message: stranger });
}
