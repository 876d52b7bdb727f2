// The claim of a domain whose record stands, and the daily look whether it still does.
import { Type } from 'typebox';
import type { Effect, RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Own } from '../agent/own.ts';
import { proven } from '../claim/proven.ts';
import type { Ctx } from '../operation.ts';
import { remind } from '../reminder.ts';
import { Id } from '../schemas/wire.ts';

const DAY_MS = 86_400_000;

/** The call of a look. */
export const RECHECK = { name: 'domain.recheck', input: Type.Object({ claim_id: Id }) } as const;

/** Asks for the next look. */
export function recheckLater(claim_id: string, now_ms: number): RemindEffect {
  return remind(RECHECK, { claim_id }, { at: now_ms + DAY_MS, key: claim_id, now_ms });
}

/** The agent after it proved `domain`, with the effects; a first proof also starts the daily looks. */
export function claimDomain(
  ctx: Ctx,
  agent: Row<'agents'>,
  own: Pick<Own, 'claims' | 'facts'>,
  domain: string,
): { row: Row<'agents'>; claims: readonly Row<'claims'>[]; effects: Effect<'credential_in_use'>[] } {
  const { row, claims, claim, effects } = proven(ctx, agent, own, {
    provider: 'domain',
    external_id: domain,
    replaces: false,
  });
  const isNew = claim !== undefined && !own.claims.some(({ id }) => id === claim.id);
  return { row, claims, effects: isNew ? [...effects, recheckLater(claim.id, ctx.now_ms)] : effects };
}
