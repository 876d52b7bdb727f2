// Challenges of passkeys: random, stored by hash in `codes`, answered once. A challenge for a new passkey belongs to the session that
// asked for it; one for signing in has no account yet, and the page's form says which browser it was shown to.
import { count, type Effect, insert, remove } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../contract/context.ts';
import { type Fault, fault } from '../domain/fault.ts';
import {
  CHALLENGE_LIFE_MS,
  CHALLENGES_AN_HOUR,
  type ChallengeUse,
  PASSKEYS_MAX,
  type RelyingParty,
  relyingParty,
} from '../domain/identity/passkey.ts';
import { clientOf } from '../domain/identity/rate.ts';
import { HOUR_MS } from '../domain/time.ts';
import { sha256Hex } from '../outbound/hash.ts';
import { secretText } from './link.ts';
import { sendCounters } from './session/code.ts';

/** The party of this service, or why it has none. */
export function ownParty({ settings }: Pick<Ctx, 'settings'>): RelyingParty | Fault<'provider_not_configured', string> {
  const none = 'Passkeys need a host name with TLS, or localhost; APP_URL has neither.';
  return relyingParty(settings.app_url) ?? fault('provider_not_configured', none);
}

/** The WebAuthn user handle of an account, without personal data. */
export function userHandle(account_id: string): string {
  return Buffer.from(account_id).toString('base64url');
}

export const challengeId = (use: ChallengeUse, challenge: string): string => `passkey_${use}:${sha256Hex(challenge)}`;

export function holderOf(use: ChallengeUse, ctx: Ctx): Record<string, string> {
  return use === 'sign_in' ? {} : { account_id: ctx.account_id, session_id: ctx.principal.credential_id ?? '' };
}

/** A new challenge with its row, as often as one client may ask. */
export function mintChallenge(use: ChallengeUse, ctx: Ctx): { challenge: string; effects: Effect<'rate_limited'>[] } {
  const challenge = secretText(ctx);
  const row = { id: challengeId(use, challenge), hash: '', data: holderOf(use, ctx), sent_at: ctx.now_ms };
  const limit = { key: `passkey:ip:${clientOf(ctx.ip)}`, limit: CHALLENGES_AN_HOUR, window_ms: HOUR_MS };
  return {
    challenge,
    effects: [
      ...sendCounters([limit], ctx, 'Too many sign-ins were started; wait before starting another.'),
      insert('codes', { ...row, expires_at: ctx.now_ms + CHALLENGE_LIFE_MS }),
    ],
  };
}

/** Adds `by` to the account's number of passkeys; refused above the maximum. */
export function countPasskeys(account_id: string, by: number): Effect<'plan_limit'> {
  const refusal = fault('plan_limit', `An account can have at most ${PASSKEYS_MAX} passkeys; remove one first.`);
  return count(`passkeys:${account_id}`, PASSKEYS_MAX, refusal, null, by);
}

/** Takes some of an account's passkeys away. */
export function removePasskeys(account_id: string, rows: readonly Row<'passkeys'>[]): Effect<never>[] {
  if (rows.length === 0) return [];
  // A count downwards is never refused.
  const counted = countPasskeys(account_id, -rows.length) as Effect<never>;
  return [...rows.map((row) => remove('passkeys', row)), counted];
}
