// Consumes the challenge of a passkey response.

import { type Effect, remove } from '../../../../db/effects.ts';
import { codeById } from '../../../../db/queries/identity.ts';
import type { Read } from '../../../../db/store.ts';
import type { Ctx } from '../../../contract/context.ts';
import { type Fault, fault } from '../../../domain/fault.ts';
import type { ChallengeUse } from '../../../domain/identity/passkey.ts';
import { challengeIn } from '../../../outbound/passkey.ts';
import { challengeId, holderOf } from '../../../steps/passkey.ts';

/** Consumes the challenge of a response, valid or not: it allows one attempt. */
export async function takeChallenge(
  read: Read,
  use: ChallengeUse,
  clientDataJSON: string,
  ctx: Ctx,
): Promise<{ challenge: string; effects: Effect<never>[] } | Fault<'invalid_passkey'>> {
  const challenge = challengeIn(clientDataJSON);
  const row = challenge === null ? null : await read(codeById, { id: challengeId(use, challenge) });
  if (challenge === null || !row || row.expires_at <= ctx.now_ms) return fault('invalid_passkey');
  const mine = Object.entries(holderOf(use, ctx)).every(([name, value]) => row.data[name] === value);
  return mine ? { challenge, effects: [remove('codes', row)] } : fault('invalid_passkey');
}
