// What the service attests of an agent's funds to one other party (interface.md, Attestation; Q63): that the wallet held an amount
// when it was asked. Nothing is reserved, and no figure but the one that was asked for is told.

/** How long one is valid unless its asker says, in seconds. */
export const TTL_DEFAULT_SECONDS = 600;
export const TTL_MAX_SECONDS = 3_600;

/** So many a minute: of an agent, and for one party to read. */
export const PER_MINUTE = 10;
export const PER_MINUTE_AND_AUDIENCE = 3;

/** The statement as it is signed: the six names of the interface, and those that any JWT library knows. */
export interface AttestationClaims {
  readonly agent_handle: string;
  readonly min_amount_cents: number;
  readonly audience: string;
  readonly issued_at: string;
  readonly expires_at: string;
  readonly nonce: string;
  readonly iss: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
}

export interface Attested {
  readonly agent_handle: string;
  readonly audience: string;
  readonly min_amount_cents: number;
  readonly ttl_seconds: number;
  readonly now_ms: number;
  readonly nonce: string;
  readonly base_url: string;
}

/** The claims. Both kinds of time say the same second, which JWT counts in whole ones. */
export function attestationClaims(attested: Attested): AttestationClaims {
  const { agent_handle, audience, min_amount_cents, ttl_seconds, now_ms, nonce, base_url } = attested;
  const iat = Math.floor(now_ms / 1000);
  const exp = iat + ttl_seconds;
  return {
    agent_handle,
    min_amount_cents,
    audience,
    issued_at: new Date(iat * 1000).toISOString(),
    expires_at: new Date(exp * 1000).toISOString(),
    nonce,
    iss: base_url,
    aud: audience,
    iat,
    exp,
    jti: nonce,
  };
}
