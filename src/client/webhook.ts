// Verifies that a webhook is the service's own, unchanged and fresh: by Standard Webhooks, whose signature covers id and time, or by
// X-Webhook-Signature alone, which covers only the body.
import type { components } from './api.ts';
import { MeshworkError } from './error.ts';

/** The body of a webhook; `type` decides the type of its data. */
export type WebhookEvent = components['schemas']['WebhookEvent'];

/** Headers as fetch, Node and others have them. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | readonly (readonly [string, string])[];

/** How old, or how far ahead, a delivery may be. */
const TOLERANCE_SECONDS = 300;
/** While a secret is rotated two sign; longer lists would only cost time. */
const SIGNATURES_MAX = 8;
const SECRET_PREFIX = 'whsec_';

const utf8 = new TextEncoder();

function headersOf(given: WebhookHeaders): Map<string, string> {
  const iterable = Symbol.iterator in given ? (given as Iterable<readonly [string, unknown]>) : Object.entries(given);
  return new Map([...iterable].map(([name, value]) => [name.toLowerCase(), String(value ?? '')]));
}

/** The bytes of base64 or hexadecimal text; null when it is none. */
function bytesOf(text: string, how: 'base64' | 'hex'): Uint8Array<ArrayBuffer> | null {
  if (how === 'hex') {
    if (!/^[0-9a-f]{64}$/i.test(text)) return null;
    return Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
  }
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Whether any of the signatures is the key's; compared by the platform, in constant time. */
async function isSigned(
  key: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (key.length === 0) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  for (const signature of signatures) {
    if (await crypto.subtle.verify('HMAC', imported, signature, content)) return true;
  }
  return false;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function refuse(message: string): MeshworkError {
  return new MeshworkError({ code: 'invalid_signature', message });
}

/** Throws on a time that is too far from now, in seconds; null when there is none. */
function checkTime(seconds: number, tolerance: number): void {
  const away = Math.abs(Date.now() / 1000 - seconds);
  if (!(away <= tolerance)) throw refuse('The delivery is too old, or from a clock that differs; it is not accepted.');
}

/** A delivery's claimed id and time, and its signed content with the key. */
function claimOf(secret: string, headers: ReadonlyMap<string, string>, body: Uint8Array, tolerance: number) {
  const standard = headers.get('webhook-signature');
  if (standard !== undefined) {
    const [id, time] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? ''];
    if (id === '' || !/^\d{1,12}$/.test(time)) throw refuse('webhook-id or webhook-timestamp is missing.');
    checkTime(Number(time), tolerance);
    const listed = standard.split(' ', SIGNATURES_MAX).filter((each) => each.startsWith('v1,'));
    const signatures = listed.map((each) => bytesOf(each.slice('v1,'.length), 'base64'));
    const key = bytesOf(secret.slice(secret.startsWith(SECRET_PREFIX) ? SECRET_PREFIX.length : 0), 'base64');
    return { key: key ?? new Uint8Array(), signatures, content: joined(utf8.encode(`${id}.${time}.`), body) };
  }
  const alone = headers.get('x-webhook-signature');
  if (alone === undefined) throw refuse('The request carries no signature.');
  const time = headers.get('x-webhook-timestamp');
  if (time !== undefined) checkTime(Date.parse(time) / 1000, tolerance);
  return { key: utf8.encode(secret), signatures: [bytesOf(alone, 'hex')], content: joined(body) };
}

/** The event of a delivery; throws a MeshworkError of code `invalid_signature` on one that is not the service's, that was
 * changed, or that is older than `tolerance_seconds`. `body` is the request's as it came, not parsed and written again. */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  { tolerance_seconds = TOLERANCE_SECONDS }: { readonly tolerance_seconds?: number } = {},
): Promise<WebhookEvent> {
  const bytes = typeof body === 'string' ? utf8.encode(body) : new Uint8Array(body);
  const { key, signatures, content } = claimOf(secret, headersOf(headers), bytes, tolerance_seconds);
  const readable = signatures.filter((each) => each !== null);
  if (!(await isSigned(key, readable, content))) throw refuse('No signature of the request is made with this secret.');
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  } catch {
    throw refuse('The body is signed, but is not JSON.');
  }
}
