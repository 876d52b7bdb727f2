// Reads a request's body: JSON of at most 256 KiB in strict UTF-8, or what its operation takes in place of JSON. What is
// wrong with it is a fault that the pipeline tells after it has let the caller in.
import { type Fault, fault, invalid } from '../domain/fault.ts';
import type { RawBody } from '../operations/operation.ts';
import { Unreadable } from '../pipeline/call.ts';
import { improperTextFault } from '../pipeline/validate.ts';
import { NESTING_MAX, nestsTooDeep } from './nesting.ts';

/** decisions.md 1. */
export const BODY_MAX = 262_144;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const NONE: Record<string, unknown> = {};

const tooLarge = (limit_bytes: number): Fault => fault('payload_too_large', undefined, { limit_bytes });
// The sender went away in the middle; nobody reads this answer, and nothing may be done with half a body.
const endedEarly = (): Unreadable => new Unreadable(fault('invalid_json', 'The body ended early.'));

let unread = 0;

/** How many requests wait for the rest of their body: whoever sends it may never do so. */
export function unreadBodies(): number {
  return unread;
}

async function bytesOf(request: Request, bytes_max: number): Promise<Uint8Array | null> {
  unread += 1;
  try {
    return await allBytesOf(request, bytes_max);
  } finally {
    unread -= 1;
  }
}

async function allBytesOf(request: Request, bytes_max: number): Promise<Uint8Array | null> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    if (Number(declared) > bytes_max) return null;
    return new Uint8Array(await request.arrayBuffer());
  }
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const chunk = read.value;
    size += chunk.byteLength;
    // A chunked body tells its length only by ending; it is cut off as soon as it is too long.
    if (size > bytes_max) {
      await reader.cancel();
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Parses JSON text into an object, or says what is wrong. */
function parseObject(bytes: Uint8Array): Record<string, unknown> | Unreadable {
  let text: string;
  let parsed: unknown;
  try {
    text = utf8.decode(bytes);
  } catch {
    return new Unreadable(fault('invalid_json', 'The body is not valid UTF-8.'));
  }
  if (nestsTooDeep(bytes)) {
    return new Unreadable(invalid({ path: 'body', message: `must not nest deeper than ${NESTING_MAX} levels` }));
  }
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable';
    return new Unreadable(fault('invalid_json', `The body is not valid JSON: ${why}.`));
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return new Unreadable(invalid({ path: 'body', message: 'must be a JSON object' }));
  }
  const improper = improperTextFault(text, parsed);
  return improper ? new Unreadable(improper) : (parsed as Record<string, unknown>);
}

/** The body as an object; an empty one is `{}`. */
export async function readBody(request: Request): Promise<Record<string, unknown> | Unreadable> {
  let bytes: Uint8Array | null;
  try {
    bytes = await bytesOf(request, BODY_MAX);
  } catch {
    return endedEarly();
  }
  if (!bytes) return new Unreadable(tooLarge(BODY_MAX));
  if (bytes.byteLength === 0) return NONE;
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return new Unreadable(fault('invalid_content_type'));
  return parseObject(bytes);
}

/** A body that is not JSON, as the input's `raw` field. */
export async function readRaw(
  request: Request,
  { type, bytes_max }: RawBody,
): Promise<Record<string, unknown> | Unreadable> {
  const sent = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (sent !== type) return new Unreadable(fault('invalid_content_type', `Send the body as ${type}.`));
  try {
    const bytes = await bytesOf(request, bytes_max);
    if (!bytes) return new Unreadable(tooLarge(bytes_max));
    return { raw: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1') };
  } catch {
    return endedEarly();
  }
}
