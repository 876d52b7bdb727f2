// The trust of one agent, from its claims, its profile and its presence. The figure on the agent's row is computed again in
// every turn that changes one of these; GET /api/trust/signals computes it for each request.

import type { PresenceFacts } from '../../../actors/presence-store.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { isSilent, medianSeconds, responsiveness } from '../../domain/agent/presence.ts';
import { type Profile, profileFill } from '../../domain/agent/profile.ts';
import { disputeRate, shareOf } from '../../domain/agent/track-record.ts';
import {
  type Credential,
  isCredentialKind,
  isVerified,
  type TrustScore,
  trustScore,
} from '../../domain/agent/trust.ts';

/** The facts of trust besides the profile. */
export interface TrustFacts {
  readonly claims: readonly Pick<Row<'claims'>, 'provider' | 'verified_at' | 'checked_at' | 'failing_since'>[];
  /** When the account proved its email address; null for a provisional one. */
  readonly email_at: number | null;
  readonly presence: PresenceFacts;
  /** Its record; null before its first deal. */
  readonly record: Pick<
    Row<'track_records'>,
    'deals_completed' | 'escrows_ended' | 'disputes_settled' | 'partners' | 'partners_weight' | 'partners_rating'
  > | null;
}

/** When an account proved its address: it exists by that proof. */
export function emailAt(account: Row<'accounts'> | null): number | null {
  return account?.email ? account.created_at : null;
}

function credentialsOf({ claims, email_at }: TrustFacts): Credential[] {
  const proven = claims.flatMap(({ provider, verified_at, checked_at, failing_since }): Credential[] => {
    if (!isCredentialKind(provider)) return [];
    return [
      { kind: provider, verified_at_ms: verified_at, checked_at_ms: checked_at, failing_since_ms: failing_since },
    ];
  });
  if (email_at === null) return proven;
  return [...proven, { kind: 'email', verified_at_ms: email_at, checked_at_ms: email_at, failing_since_ms: null }];
}

/** The score with its breakdown and credentials. */
export function trustOf(
  agent: Profile & { readonly created_at: number },
  facts: TrustFacts,
  now_ms: number,
): TrustScore {
  const { last_seen_at, samples } = facts.presence;
  const silent = isSilent(last_seen_at, agent.created_at, now_ms);
  const { record } = facts;
  return trustScore(
    {
      credentials: credentialsOf(facts),
      created_at_ms: agent.created_at,
      silent,
      profile_fill: profileFill(agent),
      responsiveness: responsiveness(medianSeconds(samples), silent),
      partners: (record?.partners_weight ?? 0) / 100,
      // There is no rate without a partner.
      dispute_rate: record && record.partners > 0 ? shareOf(disputeRate(record)) : null,
      rating: record?.partners_rating == null ? null : record.partners_rating / 100,
    },
    now_ms,
  );
}

/** Whether an agent with these claims passes the verification gate. */
export function isVerifiedBy(facts: TrustFacts, now_ms: number): boolean {
  return isVerified(credentialsOf(facts), now_ms);
}

/** The columns of an agent's row that hold its trust. The acting agent is there, so silence never enters them. */
export function trustColumns(
  agent: Profile & { readonly created_at: number },
  facts: TrustFacts,
  now_ms: number,
): Pick<Row<'agents'>, 'trust_score' | 'credentials' | 'failing_credentials'> {
  const seen = { ...facts, presence: { ...facts.presence, last_seen_at: now_ms } };
  const { score, credentials } = trustOf(agent, seen, now_ms);
  const active = new Set(credentials.filter(({ status }) => status === 'active').map(({ kind }) => kind));
  const failing = new Set(credentials.map(({ kind }) => kind)).difference(active);
  return { trust_score: score, credentials: [...active], failing_credentials: failing.size > 0 ? [...failing] : null };
}
