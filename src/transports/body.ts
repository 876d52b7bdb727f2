// Decodes a request's body: JSON in strict UTF-8, or the operation's other media type, up to the operation's limit. The pipeline
// reports invalid JSON after it has admitted the caller, and validates the decoded input.

import { fault, invalid } from '../domain/fault.ts';
import { isObject } from '../domain/json.ts';
import { NESTING_MAX, nestsTooDeep } from '../domain/text/nesting.ts';
import { type Sent, Unreadable } from '../pipeline/call.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const NONE: Record<string, unknown> = {};

/** An input that was not read; for one that is too long, with its known size. */
const unreadInput = (input: Sent['input'], bytes = 0): Sent => ({ input, bytes });
// The sender disconnected; an incomplete body must not be used.
const ENDED_EARLY = new Unreadable(fault('invalid_json', 'The body ended early.'));

let waiting = 0;

/** The number of requests that wait for the rest of their body, which may never come. */
export function unreadBodies(): number {
  return waiting;
}

/** The bytes of a body; for one that is too long, the announced or read size. */
async function bytesOf(request: Request, bytes_max: number): Promise<Uint8Array | number> {
  waiting += 1;
  try {
    return await allBytesOf(request, bytes_max);
  } finally {
    waiting -= 1;
  }
}

async function allBytesOf(request: Request, bytes_max: number): Promise<Uint8Array | number> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    if (Number(declared) > bytes_max) return Number(declared);
    return new Uint8Array(await request.arrayBuffer());
  }
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const chunk = read.value;
    size += chunk.byteLength;
    // A chunked body has no announced length; reading stops as soon as it is too long.
    if (size > bytes_max) {
      await reader.cancel();
      return size;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The value of JSON text in strict UTF-8, or its problem. */
function parse(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return new Unreadable(fault('invalid_json', 'The body is not valid UTF-8.'));
  }
  if (nestsTooDeep(bytes)) {
    return new Unreadable(invalid({ path: 'body', message: `must not nest deeper than ${NESTING_MAX} levels` }));
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable';
    return new Unreadable(fault('invalid_json', `The body is not valid JSON: ${why}.`));
  }
}

interface SentJson {
  /** The parsed value; undefined for an empty or too long body; or the problem. */
  readonly value: unknown;
  /** As in `Sent`. */
  readonly bytes: number;
}

/** A JSON body of any type. */
export async function readJson(request: Request, bytes_max: number): Promise<SentJson> {
  let bytes: Uint8Array | number;
  try {
    bytes = await bytesOf(request, bytes_max);
  } catch {
    return { value: ENDED_EARLY, bytes: 0 };
  }
  if (typeof bytes === 'number') return { value: undefined, bytes };
  if (bytes.byteLength === 0) return { value: undefined, bytes: 0 };
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return { value: new Unreadable(fault('invalid_content_type')), bytes: 0 };
  }
  return { value: parse(bytes), bytes: bytes.byteLength };
}

/** The body as an object; an empty one is `{}`. */
export async function readBody(request: Request, bytes_max: number): Promise<Sent> {
  const { value, bytes } = await readJson(request, bytes_max);
  if (value === undefined) return unreadInput(NONE, bytes);
  if (value instanceof Unreadable) return { input: value, bytes };
  if (isObject(value)) return { input: value, bytes };
  return { input: new Unreadable(invalid({ path: 'body', message: 'must be a JSON object' })), bytes };
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The fields of a form (RFC 6749, B). A repeated field is refused (RFC 6749, 3.2). */
function fieldsOf(bytes: Uint8Array): Record<string, unknown> | Unreadable {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return new Unreadable(invalid({ path: 'body', message: 'must be valid UTF-8' }));
  }
  const named = new Set<string>();
  const given: [string, string][] = [];
  for (const [name, value] of new URLSearchParams(text)) {
    if (named.has(name)) return new Unreadable(invalid({ path: name, message: 'must stand once' }));
    named.add(name);
    // A parameter without a value counts as omitted (RFC 6749, 3.2).
    if (value !== '') given.push([name, value]);
  }
  return Object.fromEntries(given);
}

/** The body of a form as an object; an empty one is `{}`. */
export async function readForm(request: Request, bytes_max: number): Promise<Sent> {
  const sent = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (sent !== FORM_TYPE) {
    return unreadInput(new Unreadable(fault('invalid_content_type', `Send the body as ${FORM_TYPE}.`)));
  }
  try {
    const bytes = await bytesOf(request, bytes_max);
    if (typeof bytes === 'number') return unreadInput(NONE, bytes);
    return { input: fieldsOf(bytes), bytes: bytes.byteLength };
  } catch {
    return unreadInput(ENDED_EARLY);
  }
}

/** A body of another media type, as the input's `raw` field. */
export async function readRaw(request: Request, type: string, bytes_max: number): Promise<Sent> {
  const sent = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (sent !== type) return unreadInput(new Unreadable(fault('invalid_content_type', `Send the body as ${type}.`)));
  try {
    const bytes = await bytesOf(request, bytes_max);
    if (typeof bytes === 'number') return unreadInput(NONE, bytes);
    const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    return { input: { raw }, bytes: bytes.byteLength };
  } catch {
    return unreadInput(ENDED_EARLY);
  }
}
