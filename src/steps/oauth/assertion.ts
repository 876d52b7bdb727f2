// Reads a client assertion: a compact JWS by EdDSA (RFC 7515, RFC 8037), in the one spelling that there is of it. What it says is
// judged by domain/identity/assertion.ts; here is what was signed, and by which key.
import { isCanonicalJws } from '../../outbound/session/issuer.ts';
import { verifyEd25519 } from '../../outbound/signature.ts';

/** Types that say what it is, or no more than that it is a token. A token that calls itself something else is something else. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'JWT', 'jwt', 'client-authentication+jwt']);
/** Objects inside of a claim: no claim that counts has any. */
const DEPTH_MAX = 8;

const BLANKS: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);

export interface Signed {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly bytes: Uint8Array;
  readonly signature: Uint8Array;
}

/** Whether an object names something twice at its top: two readers of it could find two meanings (RFC 8725, 2.4). The text is
 * JSON that has been parsed. */
function namesTwice(text: string): boolean {
  const names = new Set<string>();
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth > DEPTH_MAX) return true;
    if (sign !== '"') continue;
    const from = at;
    for (at += 1; text.charAt(at) !== '"'; at++) if (text.charAt(at) === '\\') at += 1;
    const to = at + 1;
    while (BLANKS.has(text.charAt(at + 1))) at += 1;
    if (depth !== 1 || text.charAt(at + 1) !== ':') continue;
    const name = String(JSON.parse(text.slice(from, to)));
    if (names.has(name)) return true;
    names.add(name);
  }
  return false;
}

/** The object in a part of a JWS; null when there is none. */
function objectIn(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url'));
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || namesTwice(text)) return null;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    // Not UTF-8, or not JSON: the same to whoever sent it.
    return null;
  }
}

/** An assertion in its parts; null for what is no JWS of ours to read. */
export function readAssertion(text: string): Signed | null {
  if (!isCanonicalJws(text)) return null;
  const [head = '', body = '', signature = ''] = text.split('.');
  const header = objectIn(head);
  const claims = objectIn(body);
  if (!header || !claims || header['alg'] !== 'EdDSA' || !TYPES.has(header['typ'])) return null;
  // What a signer calls critical, a reader that does not know it must refuse (RFC 7515, 4.1.11); no other key is looked for.
  if ('crit' in header || 'b64' in header) return null;
  return { claims, bytes: Buffer.from(`${head}.${body}`), signature: Buffer.from(signature, 'base64url') };
}

/** Whether a raw public key signed it. */
export function isSignedBy({ bytes, signature }: Signed, key: Uint8Array): boolean {
  return verifyEd25519(key, bytes, signature);
}
