// Trust: the published score of 0 to 100 and the credentials behind it. Every point has a named cause, so that the
// breakdown adds up exactly to the score and can be checked (GET /api/trust/signals).
import { DAY_MS } from '../time.ts';
import type { Responsiveness } from './presence.ts';

/** A claim that stops verifying falls to zero over 30 days, in a straight line from its first failed check (Q12). */
export const DECAY_MS = 30 * DAY_MS;

/** The points of each kind of credential while it is valid: more where it is harder to fake (Q6). */
export const CREDENTIAL_POINTS = {
  identity: 14,
  stripe: 10,
  domain: 8,
  linkedin: 6,
  github: 6,
  phone: 6,
  twitter: 3,
  email: 2,
} as const;

export type CredentialKind = keyof typeof CREDENTIAL_POINTS;

/** A stored credential. Times are epoch milliseconds; `failing_since_ms` is null while the claim verifies. */
export interface Credential {
  readonly kind: CredentialKind;
  readonly verified_at_ms: number;
  readonly checked_at_ms: number;
  readonly failing_since_ms: number | null;
}

/** A credential as published. `decays_to_zero_at_ms` is null unless the claim itself stopped verifying. */
export interface CredentialStatus {
  readonly kind: CredentialKind;
  readonly status: 'active' | 'failing';
  readonly verified_at_ms: number;
  readonly checked_at_ms: number;
  readonly decays_to_zero_at_ms: number | null;
}

/** The inputs of the score. `profile_fill` is 0 to 1; rates and ratings are null without data. */
export interface TrustSignals {
  readonly credentials: readonly Credential[];
  readonly created_at_ms: number;
  readonly silent: boolean;
  readonly profile_fill: number;
  readonly responsiveness: Responsiveness | null;
  /** Weighted accounts with a completed deal, each once, without accounts related to the agent's own. */
  readonly partners: number;
  readonly dispute_rate: number | null;
  readonly rating: number | null;
}

export interface TrustScore {
  readonly score: number;
  readonly breakdown: readonly { signal: string; points: number; max: number }[];
  readonly credentials: readonly CredentialStatus[];
}

const RESPONSE_SHARE: Readonly<Record<Responsiveness, number>> = { fast: 1, hours: 0.6, days: 0.2, silent: 0 };

/** The remaining share of a credential's points: 1 while it verifies, then falling to 0 over 30 days. */
export function credentialShare(credential: Credential, now_ms: number): number {
  if (credential.failing_since_ms === null) return 1;
  return Math.min(1, Math.max(0, 1 - (now_ms - credential.failing_since_ms) / DECAY_MS));
}

/** Whether a kind of proof opens the verification gate; an email address proves no person (Q6). */
export function opensGate(kind: CredentialKind): boolean {
  return kind !== 'email';
}

/** Whether an agent with these credentials passes the verification gate: one proof that has not decayed to zero. */
export function isVerified(credentials: readonly Credential[], now_ms: number): boolean {
  return credentials.some((credential) => opensGate(credential.kind) && credentialShare(credential, now_ms) > 0);
}

/** Whether `text` names a kind of credential. */
export function isCredentialKind(text: string): text is CredentialKind {
  return Object.hasOwn(CREDENTIAL_POINTS, text);
}

function statusOf(credential: Credential, silent: boolean): CredentialStatus {
  const { kind, verified_at_ms, checked_at_ms, failing_since_ms } = credential;
  const status = silent || failing_since_ms !== null ? 'failing' : 'active';
  const decays_to_zero_at_ms = failing_since_ms === null ? null : failing_since_ms + DECAY_MS;
  return { kind, status, verified_at_ms, checked_at_ms, decays_to_zero_at_ms };
}

/**
 * The score, as the sum of its signals, each a share (0 to 1) of its maximum, in whole points so that
 * the figure an agent shows is the one its breakdown explains:
 *
 * - credentials (40): the CREDENTIAL_POINTS of each kind once, times the share that has not decayed; 40 at most
 * - account_age (10): a straight line over the first year
 * - profile (10): the filled share of the profile
 * - responsiveness (10): fast 1, hours 0.6, days 0.2, silent or unknown 0
 * - deal_completed (15): n / (n + 5), where n is the weight of accounts with a completed deal by their amounts, so that
 *   the first ones count most
 * - disputes (10): 1 without any, 0 from one deal in four; none without a deal
 * - reviews (5): from one star (0) to five (1), by the mean over accounts
 *
 * Silence makes badges `failing` but moves no credential points (Q12).
 */
export function trustScore(signals: TrustSignals, now_ms: number): TrustScore {
  const worth = new Map<CredentialKind, number>();
  for (const credential of signals.credentials) {
    const points = CREDENTIAL_POINTS[credential.kind] * credentialShare(credential, now_ms);
    worth.set(credential.kind, Math.max(points, worth.get(credential.kind) ?? 0));
  }
  const credential_points = [...worth.values()].reduce((sum, points) => sum + points, 0);
  const { partners, dispute_rate, rating } = signals;
  const rows: readonly [string, number, number][] = [
    ['credentials', 40, credential_points / 40],
    ['account_age', 10, (now_ms - signals.created_at_ms) / (365 * DAY_MS)],
    ['profile', 10, signals.profile_fill],
    ['responsiveness', 10, signals.responsiveness === null ? 0 : RESPONSE_SHARE[signals.responsiveness]],
    ['deal_completed', 15, partners / (partners + 5)],
    ['disputes', 10, dispute_rate === null ? 0 : 1 - dispute_rate * 4],
    ['reviews', 5, rating === null ? 0 : (rating - 1) / 4],
  ];
  const breakdown = rows.map(([signal, max, share]) => {
    return { signal, points: Math.round(Math.min(1, Math.max(0, share)) * max), max };
  });
  return {
    score: breakdown.reduce((sum, { points }) => sum + points, 0),
    breakdown,
    credentials: signals.credentials.map((credential) => statusOf(credential, signals.silent)),
  };
}
