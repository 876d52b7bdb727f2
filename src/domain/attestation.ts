// Attestations of an agent's funds to one other party (interface.md, Attestation; Q63): the wallet held an amount at the time of the
// request. Nothing is reserved, and only the requested amount is disclosed.

/** The default validity in seconds. */
export const TTL_DEFAULT_SECONDS = 600;
export const TTL_MAX_SECONDS = 3_600;

/** Limits a minute: of an agent, and for one audience. */
export const PER_MINUTE = 10;
export const PER_MINUTE_AND_AUDIENCE = 3;

/** The signed claims: the six of the interface, and the registered claims of JWT. */
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

/** The claims. Times in both forms name the same second, since JWT has whole seconds. */
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
