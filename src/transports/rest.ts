// The REST transport: turns a request into a call of an operation's binding, and its result into a response. Path, query,
// named headers and body are merged into one input; query strings are converted by the input schema's types.
import { type TProperties, type TSchema, Type } from 'typebox';
import type { AnyOperation, Method, RestBinding } from '../contract/operation.ts';
import { FAULTS, fault, invalid } from '../domain/fault.ts';
import { RESOURCES } from '../domain/identity/resource.ts';
import type { Instance } from '../domain/instance.ts';
import type { Addresses, NextStep } from '../domain/next-step.ts';
import { type Call, type Origin, type Sent, Unreadable } from '../pipeline/call.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { inputLimit } from '../pipeline/validate.ts';
import { shownFault } from '../schemas/next-step.ts';
import { readBody, readForm, readRaw } from './body.ts';
import { refreshTokenOf, senderOf } from './caller.ts';
import { openStream } from './sse.ts';
import { asOAuth, challengeOf, refuseCall, render, respond, revalidate, showsCredential } from './wire.ts';

/** The header of an answer to a request with `handling=strict` (RFC 7240, 3). */
const STRICT_APPLIED: Readonly<Record<string, string>> = { 'Preference-Applied': 'handling=strict' };

/** Whether `handling=strict` is preferred; the first of a repeated preference counts (RFC 7240, 2). */
function prefersStrict({ headers }: Pick<Request, 'headers'>): boolean {
  const given = headers.get('prefer');
  if (given === null) return false;
  for (const preference of given.split(',')) {
    const [pair = ''] = preference.split(';', 1);
    const [name = '', value = ''] = pair.split('=', 2).map((part) => part.trim().toLowerCase());
    if (name === 'handling') return value === 'strict' || value === '"strict"';
  }
  return false;
}

/** The conversions of an operation's fields from text. */
type Converters = ReadonlyMap<string, (text: string) => unknown>;

/** The HTTP transports. */
export type DoorName = 'rest' | 'mcp' | 'a2a';

/** Counts one finished request; `started_ms` is its start by `performance.now()`, `from` its trace. */
export type Observe = (
  door: DoorName,
  operation: string,
  status: number,
  started_ms: number,
  from: Pick<Origin, 'trace'>,
) => void;

export interface RestDoor {
  readonly pipeline: Pick<Pipeline, 'run'>;
  /** The client's address; the one named by a trusted proxy. */
  readonly ip: (request: Request) => string;
  /** The CORS headers; empty for pages that may not read the answer. */
  readonly cors: (request: Request, operation: AnyOperation) => Readonly<Record<string, string>>;
  /** Whether clients use TLS. */
  readonly secure: boolean;
  /** The public address of the service, without a trailing slash. */
  readonly base_url: string;
  /** As whose its pages show themselves. */
  readonly instance: Instance;
  /** How it names calls. */
  readonly addresses: Addresses;
  /** Turns off the idle timeout of a request. */
  readonly prepareStream: (request: Request) => void;
  readonly observe: Observe;
}

function integerOf(text: string): unknown {
  return /^-?\d{1,16}$/.test(text) ? Number(text) : text;
}

function booleanOf(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : text;
}

function converters(schema: TSchema): Converters {
  const properties = ('properties' in schema ? schema.properties : {}) as Record<string, { type?: string }>;
  const made = new Map<string, (text: string) => unknown>();
  for (const [name, { type }] of Object.entries(properties)) {
    if (type === 'integer' || type === 'number') made.set(name, integerOf);
    else if (type === 'boolean') made.set(name, booleanOf);
    else if (type === 'array') made.set(name, (text) => text.split(',').filter(Boolean));
    else made.set(name, (text) => text);
  }
  return made;
}

const PLAIN_PAIR = /^([a-z_]+)=([\w.-]*)$/;

/** A percent sign without an escape is literal (WHATWG URL, "percent-decode"): people type `q=100%`. */
const LONE_PERCENT = /%(?![0-9a-f]{2})/gi;

/** One decoded name or value of a query string, or its problem. Invalid UTF-8 is refused, not replaced, because that would
 * change the request. */
function decode(path: string, text: string): string | Unreadable {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ').replace(LONE_PERCENT, '%25'));
  } catch {
    // Invalid UTF-8.
    const message = 'must be percent-encoded UTF-8, where %25 stands for a percent sign';
    return new Unreadable(invalid({ path, message }));
  }
}

/** The fields of a query string; unknown names are added to `surplus`. */
function queryOf(url: string, convert: Converters, surplus: Set<string> | null): Record<string, unknown> | Unreadable {
  const at = url.indexOf('?');
  if (at < 0) return {};
  const input: Record<string, unknown> = {};
  const take = (name: string, text: string): void => {
    const made = convert.get(name);
    if (made) input[name] = made(text);
    else surplus?.add(name);
  };
  const query = url.slice(at + 1);
  // Most queries are one plain pair, which needs no decoding.
  const plain = PLAIN_PAIR.exec(query);
  if (plain) {
    take(plain[1] ?? '', plain[2] ?? '');
    return input;
  }
  for (const pair of query.split('&').filter(Boolean)) {
    const sign = pair.indexOf('=');
    const name = decode('query', sign < 0 ? pair : pair.slice(0, sign));
    // Unknown fields may hold anything: campaigns and proxies add theirs.
    if (name instanceof Unreadable || !convert.has(name)) {
      surplus?.add(name instanceof Unreadable ? pair : name);
      continue;
    }
    const text = sign < 0 ? '' : decode(name, pair.slice(sign + 1));
    if (text instanceof Unreadable) return text;
    take(name, text);
  }
  return input;
}

/** Whether every parameter of a path has a value. The router leaves out undecodable ones, and a call must not continue as if
 * they were not given. */
function namesAll(params: Readonly<Record<string, unknown>>): boolean {
  for (const name in params) if (typeof params[name] !== 'string' || params[name] === '') return false;
  return true;
}

/** The refresh token of a request. Browsers send cookies for every page, so cookies are ignored in requests by pages of another
 * origin. */
function refreshOf(
  request: Request,
  cors: Readonly<Record<string, string>>,
  { secure }: Pick<RestDoor, 'secure'>,
): string | null {
  const trusted = !request.headers.has('origin') || 'Access-Control-Allow-Credentials' in cors;
  return trusted ? refreshTokenOf(request, secure) : null;
}

/** The query parameter of every mutation, so that a dry run asked for there never performs the call. */
const DRY_RUN: Converters = new Map([['dry_run', booleanOf]]);

/** The body with the query's `dry_run`: either can ask for a dry run, and an invalid value is validated. */
function withDryRun({ dry_run }: Record<string, unknown>, body: Record<string, unknown>): Record<string, unknown> {
  return dry_run === undefined || body['dry_run'] === true ? body : { ...body, dry_run };
}

/** Reads the input. `prefers_strict`: the caller wants unknown fields refused. */
type ReadInput = (request: Request, params: Readonly<Record<string, string>>, prefers_strict: boolean) => Promise<Sent>;

/** The header of token answers besides `Cache-Control` (RFC 6749, 5.1). */
const NOT_KEPT = { Pragma: 'no-cache' };

const NO_BODY: Sent = { input: {}, bytes: 0 };

const unreadInput = (input: Unreadable): Sent => ({ input, bytes: 0 });

/** Merges the parts of a request at one binding into an input. */
function inputReader(operation: AnyOperation, { method, headers, takes_body }: RestBinding): ReadInput {
  const { input: schema, raw, form, strict } = operation;
  const convert = converters(schema);
  const named = Object.entries(headers ?? {});
  const reads = method === 'GET' || method === 'DELETE';
  const inQuery = method === 'GET' ? convert : new Map([...(reads || raw ? convert : []), ...DRY_RUN]);
  const bytes_max = inputLimit(operation);
  return async (request, params, prefers_strict) => {
    if (!namesAll(params)) return unreadInput(new Unreadable(fault('not_found')));
    const surplus = prefers_strict ? new Set<string>() : null;
    const queried = queryOf(request.url, inQuery, surplus);
    if (queried instanceof Unreadable) return unreadInput(queried);
    const read = form ? readForm : readBody;
    const bodyless = reads && !takes_body;
    const sent = raw ? readRaw(request, raw.type, bytes_max) : bodyless ? NO_BODY : read(request, bytes_max);
    const { input: body, bytes } = sent instanceof Promise ? await sent : sent;
    if (body instanceof Unreadable) return unreadInput(body);
    const whole = withDryRun(queried, body);
    const input: Record<string, unknown> = { ...queried, ...whole };
    for (const name in params) input[name] = convert.get(name)?.(params[name] ?? '') ?? params[name];
    for (const [field, header] of named) {
      const value = request.headers.get(header);
      if (value !== null) input[field] = convert.get(field)?.(value) ?? value;
    }
    if (!surplus && !strict) return { input, bytes };
    // Campaigns and proxies may add query parameters, so unknown ones are refused only on request.
    const inBody = Object.keys(whole).filter((name) => !convert.has(name));
    return { input, bytes, surplus: [...(surplus ?? []), ...inBody] };
  };
}

/** The acting agent named by a request, or null; an undecodable name becomes empty, which matches no agent. */
function actingOf(
  { headers }: Request,
  { acting }: RestBinding,
  params: Readonly<Record<string, string>>,
): string | null {
  if (acting === undefined) return headers.get('x-agent-handle');
  const name: unknown = params[acting];
  return typeof name === 'string' ? name : '';
}

export function restHandler(
  door: RestDoor,
  operation: AnyOperation,
  binding: RestBinding,
): (request: Request, params: Readonly<Record<string, string>>) => Promise<Response> {
  const inputOf = inputReader(operation, binding);
  const named = [...binding.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const asksOAuth = operation.form !== undefined || operation.oauth === true;

  return async (request, params) => {
    const { headers } = request;
    const started_ms = performance.now();
    const request_id = Bun.randomUUIDv7();
    const strict = prefersStrict(request);
    const cors = asksOAuth ? { ...door.cors(request, operation), ...NOT_KEPT } : door.cors(request, operation);
    const extra = strict ? { ...cors, ...STRICT_APPLIED } : cors;
    // A large body is read after the caller was let in.
    const late_input = operation.raw ? () => inputOf(request, params, strict) : undefined;
    const sent = late_input ? NO_BODY : await inputOf(request, params, strict);
    const { credential, origin } = senderOf(request, door.ip, () => refreshOf(request, cors, door));
    const call: Call = {
      ...sent,
      operation,
      late_input,
      named,
      credential,
      acting: actingOf(request, binding, params),
      origin,
      idempotency_key: headers.get('idempotency-key'),
      request_id,
    };
    if (operation.slow) door.prepareStream(request);
    const ended = await door.pipeline.run(call);
    if ('refusal' in ended) {
      door.observe('rest', operation.name, FAULTS[ended.refusal.fault].status, started_ms, origin);
      const { base_url } = door;
      const asked = { base_url, resource: RESOURCES.service, shown: showsCredential(credential) };
      const headers = { ...challengeOf(ended.refusal, asked), ...extra };
      const told = shownFault(ended.refusal, door.addresses);
      return refuseCall(
        { ...ended, refusal: asksOAuth ? asOAuth(told, operation.form !== undefined) : told },
        request_id,
        headers,
      );
    }
    if ('reply' in ended) {
      const answer = revalidate(request, operation, render(ended, ended.output ?? operation.output, door));
      door.observe('rest', operation.name, answer.status, started_ms, origin);
      return respond(answer, request_id, extra);
    }
    door.observe('rest', operation.name, 200, started_ms, origin);
    door.prepareStream(request);
    return openStream(request, ended.start, { 'X-Request-Id': request_id, ...extra });
  };
}

// How REST names a call: by method, path and body, from the registry's bindings, so that a changed route changes in every text
// that names it. Letters and pushes use this form too.

/** The OpenAPI fields of a call. */
export function restCall(bodyless: boolean): TProperties {
  const body = Type.Record(Type.String(), Type.Unknown());
  return {
    method: Type.String(),
    path: Type.String(),
    body: bodyless ? Type.Union([body, Type.Null()]) : body,
  };
}

/** A call's input as JSON, with only the names of fields that the caller fills in: `{"match_id": "…", "action"}`. */
export function inputText(input: Readonly<Record<string, unknown>>, fill: readonly string[]): string {
  const known = Object.entries(input).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  const fields = [...known, ...fill.map((name) => `"${name}"`)];
  return fields.length > 0 ? ` {${fields.join(', ')}}` : '';
}

/** The parsed address of an operation, cached because every event that awaits an answer names three calls at each pull. */
interface Address {
  readonly operation: AnyOperation;
  readonly method: Method;
  /** Alternating texts and parameter names, a text first. */
  readonly parts: readonly string[];
  readonly params: ReadonlySet<string>;
}

function addressOf(operation: AnyOperation, { method, path }: RestBinding): Address {
  const parts = path.split(/\{(\w+)\}/);
  return { operation, method, parts, params: new Set(parts.filter((_, at) => at % 2 === 1)) };
}

/** An address with known values in its path; the others go into the query string or the body. */
function addressed({ method, parts, params }: Address, { input = {}, fill = [] }: NextStep) {
  let path = parts[0] ?? '';
  for (let at = 1; at < parts.length; at += 2) {
    const [name = '', text = ''] = [parts[at], parts[at + 1]];
    const value = input[name];
    path += (value === undefined ? `{${name}}` : encodeURIComponent(String(value))) + text;
  }
  const body: Record<string, unknown> = {};
  for (const name in input) if (!params.has(name)) body[name] = input[name];
  const open = fill.length === 0 ? fill : fill.filter((name) => !params.has(name));
  if (method !== 'GET' && method !== 'DELETE') return { method, path, body, open };
  const known = Object.entries(body).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const query = [...known, ...open.map((name) => `${name}=`)].join('&');
  return { method, path: query === '' ? path : `${path}?${query}`, body: null, open: [] };
}

/** Replaces an unknown call in an answer that another version stored for a repeated request. It leads to the API reference,
 * because the answer of a committed turn must not fail. */
const REFERENCE = { method: 'GET' as const, path: '/docs', body: null, open: [] };

/** Whether the call needs a signed-in person. */
function takesSession({ access, scope }: AnyOperation): boolean {
  return access === 'session' || (access === 'key' && scope === undefined);
}

/** The form of calls for REST. */
export function restForm(operations: readonly AnyOperation[], app_url?: string): Addresses {
  const byName = new Map<string, Address>();
  for (const operation of operations) {
    const binding = operation.rest.find(({ alias }) => !alias);
    if (binding) byName.set(operation.name, addressOf(operation, binding));
  }
  const callOf = (step: NextStep) => {
    const address = byName.get(step.operation);
    return address ? addressed(address, step) : REFERENCE;
  };
  return {
    door: 'http',
    ...(app_url !== undefined && { app_url }),
    text: (step) => {
      const { method, path, body, open } = callOf(step);
      const operation = byName.get(step.operation)?.operation;
      const session = step.credential && operation && takesSession(operation) ? ' with a session' : '';
      return `${method} ${path}${inputText(body ?? {}, open)}${session}`;
    },
    path: (step) => callOf(step).path,
    fields: (step) => {
      const { method, path, body } = callOf(step);
      return { method, path, body };
    },
  };
}
