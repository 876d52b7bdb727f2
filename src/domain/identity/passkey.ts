// Passkeys: for which name they are made, how long a challenge waits, and when one is taken for a copy (WebAuthn Level 3). They
// stand beside codes and links, which go on working.

/** A challenge is answered once, within five minutes: a person looks for a finger or a phone meanwhile. */
export const CHALLENGE_LIFE_MS = 300_000;

/** Of an account: each of a person's devices, and some security keys. */
export const PASSKEYS_MAX = 20;

/** Challenges that one client may ask for in an hour: the sign-in page asks for one whenever it is shown. */
export const CHALLENGES_AN_HOUR = 600;

/** Signatures that are taken, the best first: Ed25519, ECDSA on P-256, RSA (COSE numbers). */
export const ALGORITHMS = [-8, -7, -257] as const;

/** For what a challenge was made. */
export type ChallengeUse = 'register' | 'sign_in';

/** Where passkeys are made and used. */
export interface RelyingParty {
  /** The host of the app. */
  readonly id: string;
  /** Where its pages come from; no other page's answer is taken. */
  readonly origin: string;
}

const ADDRESS = /^\[|^[\d.]+$/;

/** What the app's address is to passkeys; null where browsers make none: for a number in place of a name, and for a name that is
 * reached without TLS, save this machine's own. */
export function relyingParty(app_url: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(app_url);
  if (ADDRESS.test(hostname)) return null;
  const is_local = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || is_local ? { id: hostname, origin } : null;
}

/** Whether a count did not grow, though its device counts: then two devices hold the same key (WebAuthn, 6.1.1). */
export function looksCopied(stored: number, sent: number): boolean {
  return (stored > 0 || sent > 0) && sent <= stored;
}
