// Refusals in A2A: the protocol's own errors if it has one for the case (A2A 1.0, 5.4 and 9.5; 0.3, 8.2), else the service's, whose
// codes are outside the ranges reserved by JSON-RPC and A2A (rules.md 10). Absent and others' objects get the same error.
import { type Code, FAULTS, type Fault, fault, invalid } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import type { Addresses } from '../../domain/next-step.ts';
import { shownFault } from '../../schemas/next-step.ts';
import type { Does, Version } from './dialect.ts';

/** The errors of the protocol that can happen here, with JSON-RPC code, HTTP status and the status of google.rpc. */
const PROTOCOL_ERRORS = {
  TASK_NOT_FOUND: { rpc: -32001, status: 404, grpc: 'NOT_FOUND' },
  TASK_NOT_CANCELABLE: { rpc: -32002, status: 400, grpc: 'FAILED_PRECONDITION' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { rpc: -32003, status: 400, grpc: 'FAILED_PRECONDITION' },
  UNSUPPORTED_OPERATION: { rpc: -32004, status: 400, grpc: 'FAILED_PRECONDITION' },
  CONTENT_TYPE_NOT_SUPPORTED: { rpc: -32005, status: 400, grpc: 'INVALID_ARGUMENT' },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { rpc: -32007, status: 400, grpc: 'FAILED_PRECONDITION' },
  VERSION_NOT_SUPPORTED: { rpc: -32009, status: 400, grpc: 'FAILED_PRECONDITION' },
  METHOD_NOT_FOUND: { rpc: -32601, status: 404, grpc: 'UNIMPLEMENTED' },
} as const;

/** One of them, as ErrorInfo names it. */
export type ProtocolError = keyof typeof PROTOCOL_ERRORS;

/** A refusal with the protocol's error, if it has one. */
export interface Problem {
  readonly refusal: Fault;
  readonly error: ProtocolError | null;
}

/** A refusal that is the door's own. */
export function problem(error: ProtocolError, message: string, data: Json = {}): Problem {
  const code: Code = PROTOCOL_ERRORS[error].status === 404 ? 'not_found' : 'invalid_request';
  return { refusal: fault(code, message, data), error };
}

/** The protocol's errors for faults of operations. */
const NAMED: Readonly<Partial<Record<Code, ProtocolError>>> = {
  task_not_found: 'TASK_NOT_FOUND',
  task_not_cancelable: 'TASK_NOT_CANCELABLE',
  task_ended: 'UNSUPPORTED_OPERATION',
};

/** Calls on an existing task: not found means that task, or something of it. */
const OF_A_TASK: ReadonlySet<Does> = new Set([
  'get',
  'cancel',
  'follow',
  'create_push',
  'read_push',
  'list_push',
  'delete_push',
]);

const TASK_NOT_FOUND = 'Task not found: there is no such task, or it is not yours.';

/** Which of the protocol's errors a refusal of an operation is. */
export function problemOf(refusal: Fault, does: Does, version: Version): Problem {
  if (refusal.fault === 'not_found' && OF_A_TASK.has(does)) {
    return { refusal: fault('task_not_found', TASK_NOT_FOUND), error: 'TASK_NOT_FOUND' };
  }
  return { refusal: inItsWords(refusal, does, version), error: NAMED[refusal.fault] ?? null };
}

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
/** The domains of reasons: the protocol's and the service's own. */
const PROTOCOL_DOMAIN = 'a2a-protocol.org';
const OWN_DOMAIN = 'meshwork';

/** The names that google.rpc has for HTTP statuses. */
const GRPC_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  409: 'ABORTED',
  410: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  507: 'RESOURCE_EXHAUSTED',
};

/** The protocol's names of the operations' fields; a send has its own in the message. */
const FIELDS: Readonly<Record<string, string>> = {
  task_id: 'id',
  history_length: 'historyLength',
  updated_after: 'statusTimestampAfter',
  limit: 'pageSize',
  cursor: 'pageToken',
  conversation_id: 'contextId',
};
const SENT_FIELDS: Readonly<Record<string, string>> = {
  target_handle: 'metadata.target_handle',
  parts: 'message.parts',
  message_id: 'message.messageId',
  task_id: 'message.taskId',
  conversation_id: 'message.contextId',
};
/** The interface's dialect has the names of the operations for the rest. */
const SEED_FIELDS: Readonly<Record<string, string>> = { task_id: 'id', history_length: 'historyLength' };

function namesFor(does: Does, version: Version): Readonly<Record<string, string>> {
  const sent = does === 'send' || does === 'stream' ? SENT_FIELDS : {};
  return version === '0.2' ? { ...sent, ...SEED_FIELDS } : { ...FIELDS, ...sent };
}

/** A refusal whose fields are called as the protocol does; what has no other name there keeps its own. */
function inItsWords(refusal: Fault, does: Does, version: Version): Fault {
  const { fields } = refusal.data;
  if (!fields || refusal.fault !== 'invalid_request') return refusal;
  const names = namesFor(does, version);
  const renamed = fields.map((field) => {
    const [first = '', ...rest] = field.path.split('.');
    return { ...field, path: [names[first] ?? first, ...rest].join('.') };
  });
  return invalid(...renamed);
}

/** A refusal in words, with its numbers. */
export interface Told {
  readonly code: number;
  readonly status: number;
  readonly message: string;
  readonly data: unknown;
}

type Said = Fault<Code, string>;

/** Values of ErrorInfo's metadata are texts. */
function metadataOf({ data }: Said, request_id: string): Json {
  const texts: Record<string, string> = { requestId: request_id };
  for (const [name, value] of Object.entries(data)) {
    if (name === 'fields') continue;
    texts[name] = Array.isArray(value)
      ? value.join(',')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : `${value}`;
  }
  return texts;
}

/** The error details of 1.0: objects that name their type. */
function details(said: Said, error: ProtocolError | null, request_id: string): readonly Json[] {
  const info = {
    '@type': ERROR_INFO,
    reason: error ?? said.fault.toUpperCase(),
    domain: error ? PROTOCOL_DOMAIN : OWN_DOMAIN,
    metadata: metadataOf(said, request_id),
  };
  const { fields } = said.data;
  if (!fields) return [info];
  const fieldViolations = fields.map(({ path, message }) => ({ field: path, description: message }));
  return [{ '@type': BAD_REQUEST, fieldViolations }, info];
}

/** A refusal in a dialect: 1.0 with typed details, the older ones with the body of a REST error. */
export function tell(
  { refusal, error }: Problem,
  version: Version,
  { addresses, request_id }: { readonly addresses: Addresses; readonly request_id: string },
): Told {
  const said = shownFault(refusal, addresses);
  const { rpc: code, status } = error ? PROTOCOL_ERRORS[error] : FAULTS[said.fault];
  const { message } = said;
  if (version === '1.0') return { code, status, message, data: details(said, error, request_id) };
  return { code, status, message, data: { error: said.fault, message, request_id, ...said.data } };
}

/** The body of an HTTP answer of 1.0 (11.6), or of 0.3. */
export function httpErrorBody(
  { code, status, message, data }: Told,
  error: ProtocolError | null,
  version: Version,
): Json {
  if (version !== '1.0') return { code, message, data };
  const name = error ? PROTOCOL_ERRORS[error].grpc : (GRPC_NAMES[status] ?? 'UNKNOWN');
  return { error: { code: status, status: name, message, details: data } };
}
