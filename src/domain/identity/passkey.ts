// Passkeys: their relying party, the lifetime of a challenge, and the detection of copies (WebAuthn Level 3). Codes and links remain available.

/** A challenge is valid once, for five minutes, in which a person finds a finger or a phone. */
export const CHALLENGE_LIFE_MS = 300_000;

/** Passkeys of an account: each of a person's devices, and some security keys. */
export const PASSKEYS_MAX = 20;

/** Challenges for one client in an hour: the sign-in page requests one whenever it is shown. */
export const CHALLENGES_AN_HOUR = 600;

/** The accepted algorithms, the best first: Ed25519, ECDSA on P-256, RSA (COSE numbers). */
export const ALGORITHMS = [-8, -7, -257] as const;

/** The purpose of a challenge. */
export type ChallengeUse = 'register' | 'sign_in';

export interface RelyingParty {
  /** The host of the app. */
  readonly id: string;
  /** The origin of its pages; responses from others are refused. */
  readonly origin: string;
}

const ADDRESS = /^\[|^[\d.]+$/;

/** The relying party of the app's address; null where browsers offer no passkeys: for an IP address, and without TLS except on this machine. */
export function relyingParty(app_url: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(app_url);
  if (ADDRESS.test(hostname)) return null;
  const is_local = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || is_local ? { id: hostname, origin } : null;
}

/** Whether the signature counter of a counting device did not grow: then two devices hold the same key (WebAuthn, 6.1.1). */
export function looksCopied(stored: number, sent: number): boolean {
  return (stored > 0 || sent > 0) && sent <= stored;
}
