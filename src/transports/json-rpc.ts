// JSON-RPC 2.0: parses the bytes of a request into one message, or an error with the id for its answer, and encodes answers. It knows no
// methods and no HTTP statuses; each dialect interprets messages itself.

import { type Fault, fault, invalid } from '../domain/fault.ts';
import { isObject, type Json } from '../domain/json.ts';
import { Unreadable } from '../pipeline/call.ts';
import { readJson } from './body.ts';

/** The codes that JSON-RPC itself has (JSON-RPC 2.0, 5.1). */
export const RPC_CODES = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal_error: -32603,
} as const;

/** The id that relates an answer to its request. */
export type RpcId = string | number;

export type RpcMessage =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: Json }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Json }
  /** The other side's answer to our request; one of `result` and `error`. */
  | { readonly kind: 'answer'; readonly id: RpcId; readonly result?: unknown; readonly error?: unknown };

export interface RpcProblem {
  readonly kind: 'problem';
  readonly code: number;
  readonly refusal: Fault;
  /** The id of the request, if known. */
  readonly id: RpcId | null;
}

/** A parsed body, with its size. */
export interface Received {
  readonly message: RpcMessage | RpcProblem;
  readonly bytes: number;
}

const NO_PARAMS: Json = {};

function problem(refusal: Fault, id: RpcId | null = null, code: number = RPC_CODES.invalid_request): RpcProblem {
  return { kind: 'problem', code, refusal, id };
}

/** A number that would come back as another one finds no request. */
function isId(id: unknown): id is RpcId {
  if (typeof id === 'number') return Number.isInteger(id) ? Number.isSafeInteger(id) : Number.isFinite(id);
  return typeof id === 'string';
}

/** The message that a parsed body is. */
export function messageOf(value: unknown): RpcMessage | RpcProblem {
  if (Array.isArray(value)) {
    return problem(invalid({ path: 'body', message: 'must be one message; batches are not taken' }));
  }
  if (!isObject(value)) return problem(invalid({ path: 'body', message: 'must be a JSON object' }));
  const { jsonrpc, id, method, params, result, error } = value;
  const known = isId(id) ? id : null;
  if (jsonrpc !== '2.0') return problem(invalid({ path: 'jsonrpc', message: 'must be "2.0"' }), known);
  if (id !== undefined && known === null) {
    return problem(invalid({ path: 'id', message: 'must be a string or a number; leave it out of a notification' }));
  }
  if (method === undefined && (result !== undefined || error !== undefined)) {
    if (known === null) return problem(invalid({ path: 'id', message: 'is required' }));
    return error === undefined ? { kind: 'answer', id: known, result } : { kind: 'answer', id: known, error };
  }
  if (typeof method !== 'string') {
    return problem(invalid({ path: 'method', message: 'must be a string, the name of a method' }), known);
  }
  // Programs write null for what they leave out.
  const given = params ?? NO_PARAMS;
  if (!isObject(given)) {
    return problem(invalid({ path: 'params', message: 'must be an object' }), known, RPC_CODES.invalid_params);
  }
  if (known === null) return { kind: 'notification', method, params: given };
  return { kind: 'request', id: known, method, params: given };
}

/** Reads the one message of a request's body. A body of more bytes is not read to its end. */
export async function readMessage(request: Request, bytes_max: number): Promise<Received> {
  const { value, bytes } = await readJson(request, bytes_max);
  if (bytes > bytes_max) {
    return { bytes, message: problem(fault('payload_too_large', undefined, { limit_bytes: bytes_max })) };
  }
  if (value === undefined) {
    const empty = fault('invalid_json', 'The body is empty; send one JSON-RPC message.');
    return { bytes, message: problem(empty, null, RPC_CODES.parse_error) };
  }
  if (value instanceof Unreadable) {
    const code = value.refusal.fault === 'invalid_json' ? RPC_CODES.parse_error : RPC_CODES.invalid_request;
    return { bytes, message: problem(value.refusal, null, code) };
  }
  return { bytes, message: messageOf(value) };
}

/** The answer of a request; `result` is JSON already, so that nothing is written twice. */
export function resultText(id: RpcId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** The error answer of a request; its id is null when unknown. */
export function errorText(id: RpcId | null, code: number, message: string, data?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
}
