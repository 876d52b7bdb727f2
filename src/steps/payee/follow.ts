// An account's payee at the processor. Its state is copied into the account's row, and, with real money, proves the agent that asked: a
// payee that a payment processor has checked is a credential (interface.md item 7). A revoked one fails from then on, like any other
// failed proof.
import { Type } from 'typebox';
import { type Effect, patch, type RemindEffect, remove } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { DECAY_MS } from '../../domain/agent/trust.ts';
import { DAY_MS } from '../../domain/time.ts';
import { Id } from '../../schemas/wire.ts';
import { changeAgent, type Own } from '../agent/own.ts';
import { isVerifiedBy } from '../agent/trust.ts';
import { holdListings } from '../listing/hide.ts';
import { remind, unremind } from '../reminder.ts';

export type Payee = Row<'payees'>;

/** The call that polls the state of an account's connection. */
export const FOLLOW_PAYEE = { name: 'payee.follow', input: Type.Object({ account_id: Id }) } as const;

const FIRST_MS = 600_000;
/** Unfinished onboarding is polled no longer than this; the next connect or status call polls again. */
const ONBOARDING_MS = 14 * DAY_MS;

/** The next poll: soon during onboarding, daily for a connection that proves its agent. Null for none. */
export function followPayeeLater(row: Payee, proves: boolean, now_ms: number): RemindEffect | null {
  const { id, created_at, payouts_enabled } = row;
  const since_ms = now_ms - created_at;
  if (payouts_enabled === 1 ? !proves : since_ms >= ONBOARDING_MS) return null;
  const pause = payouts_enabled === 1 ? DAY_MS : Math.min(Math.max(since_ms, FIRST_MS), DAY_MS);
  return remind(FOLLOW_PAYEE, { account_id: id }, { at: now_ms + pause, key: id, now_ms });
}

/** The columns of an unconnected row. */
export const NOT_CONNECTED = {
  external_id: null,
  details_submitted: 0,
  payouts_enabled: 0,
  told_of: null,
  bank: null,
  bank_mark: null,
  connected_at: null,
} as const;

/** The processor of what its person disconnected. */
const NOWHERE = 'none';

/** Whether there is something to disconnect. */
export function isConnecting(payee: Payee | null): payee is Payee {
  return payee !== null && payee.processor !== NOWHERE;
}

export const proofOf = ({ claims }: Own): Row<'claims'> | undefined =>
  claims.find(({ provider }) => provider === 'stripe');

/** The effects on the proof of an ended connection: it fails and is removed later, or at once when its person ended it. */
export function unproven(ctx: Ctx, own: Own, at_once: boolean): Effect<never>[] {
  const { agent, claims, facts } = own;
  const claim = proofOf(own);
  if (!agent || !claim) return [];
  const failing_since = claim.failing_since ?? ctx.now_ms;
  const over = at_once || ctx.now_ms - failing_since >= DECAY_MS;
  const left = claims.flatMap((each) => (each !== claim ? [each] : over ? [] : [{ ...claim, failing_since }]));
  const standing = { ...facts, claims: left };
  const verified_at = isVerifiedBy(standing, ctx.now_ms) ? agent.verified_at : null;
  return [
    over ? remove('claims', claim) : patch('claims', claim, { failing_since }),
    ...changeAgent(ctx, agent, { verified_at }, standing, []).effects,
    // Its listings are hidden while it has no valid proof.
    ...(agent.verified_at !== null && verified_at === null ? [holdListings({ agent_id: agent.id }, ctx.now_ms)] : []),
  ];
}

/** Ends a connection here. The processor keeps its account, because a bank may still return a payout; the next connection creates
 * another one. */
export function disconnectPayee(ctx: Ctx, payee: Payee, own: Own): Effect<never>[] {
  const nothing = { ...NOT_CONNECTED, processor: NOWHERE, connected_by: null, updated_at: ctx.now_ms };
  return [patch('payees', payee, nothing), unremind(FOLLOW_PAYEE, payee.id), ...unproven(ctx, own, true)];
}
