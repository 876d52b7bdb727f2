// The one error that the client throws: a refusal by the service with all its details, or a failure of the transport. Answers are
// not trusted to have the service's format, because another server may be at the address.
import type { FaultCode } from './operations.ts';

/** Codes without an answer of the service. `not_kept`: the call was done before, and its answer was too large to be stored. */
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

/** What is wrong with one field of an input, and how to correct it. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** The parts of an error; omitted ones are null. */
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

/** Texts are cut here; the service's own are shorter. */
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
  /** With `invalid_request`: the invalid fields, and how to correct each. */
  readonly fields: readonly FieldProblem[];
  /** Names the request in the server's log. */
  readonly request_id: string | null;
  /** In how many seconds to come back. */
  readonly retry_after: number | null;
  /** What to do first. */
  readonly how: string | null;
  /** The page on which a person lifts the refusal; null when no person has to. */
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

/** The error of an unsuccessful answer; `body` is its JSON, or null. */
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
