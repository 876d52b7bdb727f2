// The checks of a client assertion before its agent is looked up (RFC 7523, 3; rules.md 10): it is made for this service, is
// valid now, names its issuer as its subject, and has a `jti` to consume.

import { HOUR_MS } from '../time.ts';
import type { SendLimit } from './code.ts';
import { clientOf, networkOf } from './rate.ts';

/** The longest validity of an assertion. */
const LIFE_SECONDS = 300;
/** Tolerance for clients' clocks; a larger error is refused. */
const SKEW_SECONDS = 30;
/** A longer `jti` identifies no better. */
const JTI_MAX = 256;

/** The content of a valid assertion. */
export interface Assertion {
  /** The handle of the issuing agent. */
  readonly client_id: string;
  readonly jti: string;
  /** When it expires, after which its `jti` need not be remembered. */
  readonly ends_at: number;
}

/** The accepted audiences, and the client that the request names. */
interface Setting {
  readonly audiences: readonly string[];
  readonly client_id: string | undefined;
  readonly now_ms: number;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

/** A list with one name equals the name; one with more was made for others too, who could replay it here. */
function audienceOf(aud: unknown): unknown {
  return Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
}

function timeProblem({ exp, iat, nbf }: Readonly<Record<string, unknown>>, now_ms: number): string | null {
  const now = now_ms / 1000;
  if (!isTime(exp)) return 'exp must say in Unix seconds when the assertion ends';
  if (exp + SKEW_SECONDS <= now) return 'exp is over';
  if (exp > now + LIFE_SECONDS + SKEW_SECONDS) return `exp must be at most ${LIFE_SECONDS} seconds ahead`;
  for (const [name, at] of Object.entries({ iat, nbf })) {
    if (at === undefined) continue;
    if (!isTime(at)) return `${name} must be Unix seconds`;
    if (at > now + SKEW_SECONDS) return `${name} is still to come`;
  }
  return null;
}

/** The assertion, or the reason why its claims are invalid. */
export function judgeAssertion(
  claims: Readonly<Record<string, unknown>>,
  { audiences, client_id, now_ms }: Setting,
): Assertion | string {
  const { iss, sub, aud, exp, jti } = claims;
  if (typeof iss !== 'string' || iss === '' || iss !== sub) return 'iss and sub must both be the handle of the agent';
  if (client_id !== undefined && client_id !== sub) return 'client_id must be what sub says';
  if (!audiences.some((own) => own === audienceOf(aud))) return `aud must be ${audiences[0]}, and nobody else`;
  const untimely = timeProblem(claims, now_ms);
  if (untimely !== null) return untimely;
  if (typeof jti !== 'string' || jti === '' || jti.length > JTI_MAX) {
    return `jti must be a text of 1 to ${JTI_MAX} characters that is used once`;
  }
  return { client_id: iss, jti, ends_at: (Number(exp) + SKEW_SECONDS) * 1000 };
}

/** The limits of refused assertions, the same as for codes by network address (code.ts). Signatures cannot be guessed; this
 * limits the cost of checks, and the probing of agents' names. */
export function refusedLimits(ip: string): readonly SendLimit[] {
  return [
    { key: `assertion:ip:${clientOf(ip)}`, limit: 20, window_ms: HOUR_MS },
    { key: `assertion:network:${networkOf(ip)}`, limit: 60, window_ms: HOUR_MS },
  ];
}

/** The limit of accepted assertions: a token is valid for an hour, and ten a minute is enough even for programs that start
 * again for each call. */
export function takenLimits(agent_id: string): readonly SendLimit[] {
  return [{ key: `assertion:agent:${agent_id}`, limit: 600, window_ms: HOUR_MS }];
}
