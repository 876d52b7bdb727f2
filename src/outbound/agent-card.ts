// Fetches the card of an agent's own A2A endpoint and verifies its signature, all through the safe client: public https, no
// redirect, bounded in bytes and time. A key counts only if the card's own host publishes it: a signature by any other key
// does not prove the host.

import { type FlattenedJWSInput, flattenedVerify, importJWK, type JWK } from 'jose';
import { type CardPlace, cardPlaces, isAtHostOf, SIGNATURES_MAX, signedTexts } from '../domain/agent/foreign-card.ts';
import type { Json } from '../domain/json.ts';
import { isObject } from '../domain/json.ts';
import { nestsTooDeep } from '../domain/text/nesting.ts';
import type { SafeAnswer, SafeHttp } from './safe-http/safe-http.ts';

type Http = Pick<SafeHttp, 'request'>;

/** For one document; a card or a set of keys is a small file. */
const DEADLINE_MS = 5_000;
/** Ours with a hundred listings has some 80 KB. */
const CARD_BYTES_MAX = 262_144;
const KEYS_BYTES_MAX = 65_536;
/** The default path of keys (protocols.md 4). */
const KEYS_PATH = '/.well-known/jwks.json';
/** The algorithms of the specification's examples; none with a shared secret. */
const ALGORITHMS = ['EdDSA', 'ES256'];

/** A card and its address; `none` when the host has none, `unreachable` without an answer. */
export type Found =
  | { readonly is: 'card'; readonly card: Json; readonly place: CardPlace }
  | { readonly is: 'none' }
  | { readonly is: 'unreachable' };

function get(http: Http, url: string, bytes_max: number, signal: AbortSignal): Promise<SafeAnswer> {
  const headers = { accept: 'application/json' };
  return http.request({ method: 'GET', url, headers, deadline_ms: DEADLINE_MS, bytes_max, signal });
}

/** Ours with a hundred listings has some two hundred objects; verifying serializes a card four times. */
const OBJECTS_MAX = 1_000;
const BRACE = 0x7b;

/** Whether JSON holds more objects than a card may. */
function holdsTooMany(json: Uint8Array): boolean {
  let objects = 0;
  for (const byte of json) if (byte === BRACE) objects += 1;
  return objects > OBJECTS_MAX;
}

/** The JSON object of a 200; null for anything else. */
function objectOf(answer: SafeAnswer): Json | null {
  if (!answer.ok || answer.status !== 200) return null;
  // Walking it later could overflow the stack, or block the event loop.
  if (nestsTooDeep(answer.body) || holdsTooMany(answer.body)) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(answer.body).toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    // A page in another language is no card.
    return null;
  }
}

/** Whether the failure may be temporary. */
function isPassing(answer: SafeAnswer): boolean {
  return answer.ok
    ? answer.status >= 500 || answer.status === 429
    : answer.reason !== 'refused' && answer.reason !== 'too_large';
}

/** Finds the card of an address; `isOurs` says whether a card at its place may describe that address. */
export async function fetchCard(
  http: Http,
  registered: string,
  isOurs: (card: Json, place: CardPlace) => boolean,
  signal: AbortSignal,
): Promise<Found> {
  let unreachable = false;
  for (const place of cardPlaces(registered)) {
    const answer = await get(http, place.url, CARD_BYTES_MAX, signal);
    if (signal.aborted) return { is: 'unreachable' };
    const card = objectOf(answer);
    if (card && isOurs(card, place)) return { is: 'card', card, place };
    unreachable ||= isPassing(answer);
  }
  return { is: unreachable ? 'unreachable' : 'none' };
}

/** The result of verifying a card's signatures. */
export type SignatureVerdict = 'none' | 'valid' | 'invalid';

interface Signed extends FlattenedJWSInput {
  readonly protected: string;
  readonly signature: string;
}

function headerOf(text: string): Json | null {
  try {
    const header: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isObject(header) ? header : null;
  } catch {
    // An invalid header names no key.
    return null;
  }
}

/** The key that a protected header names, if the card's own host publishes it. */
async function keyOf(http: Http, header: Json, card_url: string, signal: AbortSignal): Promise<JWK | null> {
  const { kid, jku = new URL(KEYS_PATH, card_url).href } = header;
  if (typeof kid !== 'string' || typeof jku !== 'string' || !isAtHostOf(jku, card_url)) return null;
  const keys = objectOf(await get(http, jku, KEYS_BYTES_MAX, signal))?.['keys'];
  if (!Array.isArray(keys)) return null;
  return keys.filter(isObject).find((key) => key['kid'] === kid) ?? null;
}

async function isSignedBy(jwk: JWK, signed: Signed, texts: readonly string[]): Promise<boolean> {
  for (const text of texts) {
    try {
      const key = await importJWK(jwk, typeof jwk.alg === 'string' ? jwk.alg : algorithmOf(signed));
      await flattenedVerify({ ...signed, payload: Buffer.from(text).toString('base64url') }, key, {
        algorithms: ALGORITHMS,
      });
      return true;
    } catch {
      // All failures of a signature count alike; another canonical form of the card may still be the signed one.
    }
  }
  return false;
}

function algorithmOf({ protected: text }: Signed): string {
  const alg = headerOf(text)?.['alg'];
  return typeof alg === 'string' ? alg : '';
}

function signaturesOf(card: Json): Signed[] | null {
  const { signatures } = card;
  if (!Array.isArray(signatures) || signatures.length === 0) return null;
  return signatures.slice(0, SIGNATURES_MAX).flatMap((each: unknown): Signed[] => {
    if (!isObject(each)) return [];
    const { protected: head, signature } = each;
    return typeof head === 'string' && typeof signature === 'string'
      ? [{ protected: head, signature, payload: '' }]
      : [];
  });
}

/** Verifies the signatures of a card from `card_url`: valid when one of them is its own host's. */
export async function judgeSignature(
  http: Http,
  card: Json,
  card_url: string,
  signal: AbortSignal,
): Promise<SignatureVerdict> {
  const signatures = signaturesOf(card);
  if (signatures === null) return 'none';
  const texts = signedTexts(card);
  for (const signed of signatures) {
    const header = headerOf(signed.protected);
    const jwk = header && (await keyOf(http, header, card_url, signal));
    if (jwk && (await isSignedBy(jwk, signed, texts))) return 'valid';
  }
  return 'invalid';
}
