// What a client assertion must say before anybody asks whose it is (RFC 7523, 3; rules.md 10). The rule kept here is that an
// assertion is made for this service, now, by the one whom it names, and can be used up.

import { HOUR_MS } from '../time.ts';
import type { SendLimit } from './code.ts';
import { clientOf, networkOf } from './rate.ts';

/** For so long an assertion may be good. */
const LIFE_SECONDS = 300;
/** Clocks of clients go wrong by some seconds; by more than that their owners learn of it here. */
const SKEW_SECONDS = 30;
/** A longer `jti` names nothing better. */
const JTI_MAX = 256;

/** What an assertion says, once it was found sound. */
export interface Assertion {
  /** The handle of the agent that says it. */
  readonly client_id: string;
  readonly jti: string;
  /** From when on it is refused as expired, so that its `jti` needs no longer be known. */
  readonly ends_at: number;
}

/** Whom an assertion may be addressed to, and which client the request names beside it. */
interface Setting {
  readonly audiences: readonly string[];
  readonly client_id: string | undefined;
  readonly now_ms: number;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

/** A list with one name says the same as the name; one with more was made for others, too, who could pass it on. */
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

/** What a set of claims says, or what is wrong with it. */
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

/** What an assertion that is refused counts against: as many as codes are sent to an address of the network (code.ts). Nobody
 * guesses a signature; this keeps a flood of them from being checked, and names of agents from being tried. */
export function refusedLimits(ip: string): readonly SendLimit[] {
  return [
    { key: `assertion:ip:${clientOf(ip)}`, limit: 20, window_ms: HOUR_MS },
    { key: `assertion:network:${networkOf(ip)}`, limit: 60, window_ms: HOUR_MS },
  ];
}

/** What one that is taken counts against: a token is good for an hour, and ten a minute is more than programs that are started
 * anew for each call ask for. */
export function takenLimits(agent_id: string): readonly SendLimit[] {
  return [{ key: `assertion:agent:${agent_id}`, limit: 600, window_ms: HOUR_MS }];
}
