// The refusals of an operation as responses: its declared faults and those of the pipeline, grouped by status, each with an
// example body. The pipeline's refusals are derived from the operation's own declaration, not from a second list.

import type { AnyOperation } from '../../contract/operation.ts';
import { type Code, FAULTS, fault } from '../../domain/fault.ts';
import { type Component, componentOf } from '../../schemas/named.ts';
import { shownShape, toolDescription } from '../../schemas/next-step.ts';
import { restCall } from '../rest.ts';

// Converts TypeBox schemas to documented JSON Schema: unions of literals become enums, and named components are written once
// and referred to, or inlined for readers without components.

/** A transport's documented fields of a call (`restCall`, `toolCall`). */
type CallFields = Parameters<typeof shownShape>[1];

/** A JSON Schema of draft 2020-12, as in OpenAPI 3.1. */
export type Json = { readonly [key: string]: unknown };

/** Functions that change the documented body of named shapes. */
type Remade = Readonly<Record<string, (body: Json, shapes: Shapes) => Json>>;

/** Collects the named shapes of one document. */
export class Shapes {
  readonly #prefix: string;
  readonly call: CallFields;
  readonly #remade: Remade;
  readonly #bodies = new Map<string, { readonly text: string; readonly body: Json }>();
  /** Most shapes occur many times; each is written once. */
  readonly #met = new Map<Component, Json>();

  /** `prefix` is the beginning of references: `#/components/schemas/` or `#/$defs/`. `remade` has the shapes that the document
   * extends. */
  constructor(prefix: string, call: CallFields = restCall, remade: Remade = {}) {
    this.#prefix = prefix;
    this.call = call;
    this.#remade = remade;
  }

  /** Stores a shape under its name and returns a reference; throws when another one has that name. */
  refer(name: string, body: Json): Json {
    const text = JSON.stringify(body);
    const known = this.#bodies.get(name);
    if (known && known.text !== text) {
      throw new Error(`${name} names two shapes, one of which needs another name: ${known.text} and ${text}`);
    }
    if (!known) this.#bodies.set(name, { text, body });
    return { $ref: `${this.#prefix}${name}` };
  }

  /** A reference to a named schema, which is written at its first use. */
  referTo(component: Component): Json {
    const known = this.#met.get(component);
    if (known) return known;
    const body = inline(component.shape, this, this.call);
    const reference = this.refer(component.name, this.#remade[component.name]?.(body, this) ?? body);
    this.#met.set(component, reference);
    return reference;
  }

  /** All referenced shapes, by name. */
  gathered(): Json {
    const sorted = [...this.#bodies].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, { body }]) => [name, body]));
  }
}

function literals(options: readonly unknown[]): unknown[] | null {
  const values = options.map((option) => (option as Json)['const']);
  return values.every((value) => value !== undefined) ? values : null;
}

/** Regular expressions that other languages may refuse, with the whole schema: lookaround and Unicode properties. */
const JAVASCRIPT_ALONE = /\(\?<?[=!]|\\[pP]\{|\\u\{/;

/** A schema without such a pattern; documents keep it under another name, tools leave it out. */
function withPattern(schema: Json, kept: boolean): Json {
  const { pattern, ...rest } = schema;
  if (typeof pattern !== 'string' || !JAVASCRIPT_ALONE.test(pattern)) return schema;
  return kept ? { ...rest, 'x-pattern': pattern } : rest;
}

function inline(schema: object, shapes: Shapes | null, call: CallFields): Json {
  const entries = Object.entries(shownShape(schema, call) ?? schema).filter(([key]) => !key.startsWith('~'));
  const told = call === restCall ? undefined : toolDescription(schema);
  const all = Object.fromEntries(entries.map(([key, value]) => [key, documented(value, shapes, call)]));
  const { anyOf, ...rest } = withPattern(told === undefined ? all : { ...all, description: told }, call === restCall);
  if (!Array.isArray(anyOf)) return rest;
  const values = literals(anyOf);
  return values ? { ...rest, enum: values } : { ...rest, anyOf };
}

/** A documented schema: named shapes as references collected in `shapes`, or all inline without it. `call` makes the fields of
 * calls in the transport's form. */
export function documented(
  schema: unknown,
  shapes: Shapes | null = null,
  call: CallFields = shapes?.call ?? restCall,
): unknown {
  if (Array.isArray(schema)) return schema.map((each) => documented(each, shapes, call));
  if (typeof schema !== 'object' || schema === null) return schema;
  const component = shapes && componentOf(schema);
  if (!component) return inline(schema, shapes, call);
  const reference = shapes.referTo(component);
  const { description } = schema as { description?: string };
  const own = (component.shape as { description?: string }).description;
  return description === own ? reference : { allOf: [reference], description };
}

const REQUEST_ID = '0199d3a2-7c41-7d3e-9b1a-3f2c8e5a6b70';

/** The further members of error bodies besides `error`, `message` and `request_id` (rules.md 2). */
const CARRIED: Partial<Record<Code, Json>> = {
  invalid_request: { fields: [{ path: 'email', message: 'is required' }] },
  agent_required: { handles: ['ada', 'ada_sales'] },
  insufficient_scope: { required_scope: 'messages:write' },
  verification_required: { how: 'Prove one credential; see GET /api/onboarding/status for every way.' },
  plan_limit: { limit: 3, used: 3, resets_at: '2026-07-01T00:00:00.000Z' },
  payload_too_large: { limit_bytes: 262_144 },
  rate_limited: { retry_after_seconds: 12, limit: 60, window_seconds: 60 },
};

/** The example body of a fault. */
export function exampleOf(code: Code): Json {
  const { message, data } = fault(code);
  const value = { error: code, message, request_id: REQUEST_ID, ...data, ...CARRIED[code] };
  return { summary: message, value };
}

export const ERROR_SCHEMA: Json = {
  type: 'object',
  description: 'Why a request was refused. Some codes carry more fields, which the example of each shows.',
  properties: {
    error: { type: 'string', description: 'the code; stable, for programs' },
    message: { type: 'string', description: 'for people; may change' },
    request_id: { type: 'string', description: 'the same as in X-Request-Id' },
    how: { type: 'string', description: 'what to do first' },
    url: { type: 'string', description: 'the page of the web app on which a person lifts it' },
    fields: {
      type: 'array',
      description: 'with invalid_request: what is wrong, and how to mend it',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
  },
  required: ['error', 'message', 'request_id'],
};

/** Whether the operation is a mutation, which takes an Idempotency-Key. */
export function isMutation(operation: AnyOperation): boolean {
  return (operation.kind === 'command' || operation.kind === 'flow') && !operation.safe;
}

/** The pipeline's refusals before it reads the input; `overloaded` also while the database is unavailable, `storage_full` while
 * its disk is full. */
function barring(operation: AnyOperation): Code[] {
  const codes: Code[] = ['rate_limited', 'internal', 'overloaded', 'storage_full'];
  if (operation.signs_in) codes.push('not_found');
  if (operation.access !== 'platform') codes.push('conflicting_credentials');
  // A public operation without an acting agent ignores an invalid credential.
  if (operation.access !== 'public' || operation.agent) codes.push('unauthorized');
  if (['key', 'session', 'admin'].includes(operation.access)) codes.push('account_suspended');
  if (operation.access === 'session') codes.push('session_required');
  if (operation.access === 'admin') codes.push('session_required', 'wrong_role');
  if (operation.access !== 'key' || operation.scope === 'any') return codes;
  codes.push(operation.scope ? 'insufficient_scope' : 'not_reachable_with_key');
  if (operation.scope && !operation.provisional) codes.push('provisional_account');
  return codes;
}

/** Every fault that a binding of the operation can answer. */
export function faultsOf(operation: AnyOperation, takes: { input: boolean; body: boolean; path: boolean }): Code[] {
  const codes = new Set<Code>([...operation.faults, ...barring(operation)]);
  if (operation.gate === 'verified') codes.add('verification_required');
  if (operation.agent === 'required') codes.add('agent_required').add('not_found');
  // A path can always name something that does not exist, or contain invalid text.
  if (takes.path) codes.add('not_found');
  if (takes.input || isMutation(operation)) codes.add('invalid_request');
  if (takes.body) codes.add('payload_too_large');
  if (takes.body && !operation.form) codes.add('invalid_json').add('invalid_content_type');
  if (isMutation(operation)) {
    codes.add('idempotency_conflict').add('idempotency_in_flight').add('conflict');
  }
  return [...codes];
}

const REQUEST_ID_HEADER = { $ref: '#/components/headers/X-Request-Id' };

/** The headers of a quota. */
const QUOTA_HEADERS = ['Retry-After', 'RateLimit-Policy', 'RateLimit'];

function headersAt(status: number, codes: readonly Code[]): Json {
  const id = { 'X-Request-Id': REQUEST_ID_HEADER };
  if (status === 401 || codes.includes('insufficient_scope'))
    return { ...id, 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } };
  const told = status === 429 ? QUOTA_HEADERS : status === 503 ? ['Retry-After'] : [];
  return { ...id, ...Object.fromEntries(told.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}

function refusal(status: number, codes: readonly Code[]): Json {
  const narrowed = { properties: { error: { enum: codes } } };
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] };
  const description = codes.map((code) => (codes.length === 1 ? FAULTS[code].message : `\`${code}\``)).join(', ');
  return { description, headers: headersAt(status, codes), content: { 'application/json': { schema, examples } } };
}

/** The shared response of a code that is the only one of its status. */
export function loneRefusal(code: Code): Json {
  return refusal(FAULTS[code].status, [code]);
}

/** One response per status, its codes as an enum and as examples; `lone` collects the codes with a shared response. */
export function refusals(codes: readonly Code[], lone: Set<Code>): Json {
  const byStatus = Map.groupBy([...codes].sort(), (code) => FAULTS[code].status);
  const responses = [...byStatus].map(([status, group]) => {
    const [only, another] = group;
    if (!only || another) return [status, refusal(status, group)];
    lone.add(only);
    return [status, { $ref: `#/components/responses/${only}` }];
  });
  return Object.fromEntries(responses);
}

export function success(operation: AnyOperation, schema: unknown): Json {
  const headers: Record<string, unknown> = { 'X-Request-Id': REQUEST_ID_HEADER };
  if (operation.paged) headers['X-Next-Cursor'] = { $ref: '#/components/headers/X-Next-Cursor' };
  if (operation.cache_seconds !== undefined) headers['ETag'] = { $ref: '#/components/headers/ETag' };
  if (isMutation(operation)) headers['Idempotent-Replayed'] = { $ref: '#/components/headers/Idempotent-Replayed' };
  const type = operation.kind === 'stream' ? 'text/event-stream' : (operation.media ?? 'application/json');
  const shown = operation.kind === 'stream' ? { type: 'string', description: 'server-sent events' } : schema;
  const description = operation.kind === 'stream' ? 'The stream; it stays open.' : `${operation.summary}: done.`;
  const table = operation.csv && { 'text/csv': { schema: { type: 'string', description: 'with format=csv' } } };
  return { description, headers, content: { [type]: { schema: shown }, ...table } };
}

export const HEADERS: Json = {
  'X-Request-Id': { description: 'The id of this request, also in error bodies.', schema: { type: 'string' } },
  'X-Next-Cursor': { description: 'The cursor of the next page; absent on the last.', schema: { type: 'string' } },
  ETag: { description: 'Ask again with If-None-Match; 304 when it still holds.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: '`true` when this is the kept answer of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The quota that was used up: `q` in `w` seconds (IETF draft); absent where it is none.',
    schema: { type: 'string' },
  },
  RateLimit: { description: 'What is left of it, and in how many seconds there is more.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  'WWW-Authenticate': {
    description:
      'How to authenticate: where the metadata of the resource stand, and which scope is missing (RFC 6750, RFC 9728).',
    schema: { type: 'string' },
  },
};
