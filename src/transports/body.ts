// Reads a request's body: JSON of at most 256 KiB in strict UTF-8. What is wrong with it is a fault that the pipeline
// tells after it has let the caller in.
import { type Fault, fault, invalid } from '../domain/fault.ts';
import { improperText } from '../operations/pipeline/validate.ts';

/** decisions.md 1. */
export const BODY_MAX = 262_144;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const NONE: Record<string, unknown> = {};

async function bytesOf(request: Request): Promise<Uint8Array | Fault> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    if (Number(declared) > BODY_MAX) return fault('payload_too_large', undefined, { limit_bytes: BODY_MAX });
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
    if (size > BODY_MAX) return fault('payload_too_large', undefined, { limit_bytes: BODY_MAX });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Parses JSON text into an object, or says what is wrong. */
export function parseObject(bytes: Uint8Array): Record<string, unknown> | Fault {
  let text: string;
  let parsed: unknown;
  try {
    text = utf8.decode(bytes);
  } catch {
    return fault('invalid_json', 'The body is not valid UTF-8.');
  }
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return fault('invalid_json', `The body is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}.`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return invalid({ path: 'body', message: 'must be a JSON object' });
  }
  return improperText(text, parsed) ?? (parsed as Record<string, unknown>);
}

/** The body as an object; an empty one is `{}`. */
export async function readBody(request: Request): Promise<Record<string, unknown> | Fault> {
  const bytes = await bytesOf(request);
  if ('fault' in bytes) return bytes;
  if (bytes.byteLength === 0) return NONE;
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return fault('invalid_content_type');
  return parseObject(bytes);
}
