// Where an account is paid to, as the processor has it. What it says is taken over into the account's row, and, where real money
// moves, proves the agent that asked: an account that a payment processor has looked at is a credential (interface.md item 7).
// One that it takes back fails from then on, as any proof that no longer stands.
import { Type } from 'typebox';
import { type Effect, patch, type RemindEffect, remove } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { payeeById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { DECAY_MS } from '../../domain/agent/trust.ts';
import type { Ctx, LoadPorts } from '../../operations/context.ts';
import { payoutConnectedLetter } from '../../outbound/mailer/letters.ts';
import type { PayeeState, Processor } from '../../outbound/processor/processor.ts';
import { Id } from '../../schemas/wire.ts';
import { changeAgent, loadAgent, type Own } from '../agent/own.ts';
import { isVerifiedBy } from '../agent/trust.ts';
import { proveClaim } from '../claim.ts';
import { tell } from '../event.ts';
import { sendLetter } from '../letter.ts';
import { holdListings } from '../listing/hide.ts';
import { remind, unremind } from '../reminder.ts';

type Payee = Row<'payees'>;

/** The call that asks the processor how an account's connection stands. */
export const FOLLOW_PAYEE = { name: 'payee.follow', input: Type.Object({ account_id: Id }) } as const;

const FIRST_MS = 600_000;
const DAY_MS = 86_400_000;
/** Whoever has not finished by then is not waited for; the next connect or status asks anew. */
const ONBOARDING_MS = 14 * DAY_MS;

/** The next look: soon while a person may be at it, each day at what proves somebody, and then no more. Null for none. */
export function followPayeeLater(row: Payee, proves: boolean, now_ms: number): RemindEffect | null {
  const { id, created_at, payouts_enabled } = row;
  const since_ms = now_ms - created_at;
  if (payouts_enabled === 1 ? !proves : since_ms >= ONBOARDING_MS) return null;
  const pause = payouts_enabled === 1 ? DAY_MS : Math.min(Math.max(since_ms, FIRST_MS), DAY_MS);
  return remind(FOLLOW_PAYEE, { account_id: id }, { at: now_ms + pause, key: id, now_ms });
}

/** The proof that a connection is, or no longer is. */
function proofEffects(ctx: Ctx, payee: Payee, own: Own): Effect<'credential_in_use'>[] {
  const { agent, claims, facts } = own;
  if (!agent) return [];
  const { external_id, payouts_enabled } = payee;
  const claim = claims.find(({ provider }) => provider === 'stripe');
  if (payouts_enabled === 1 && external_id !== null) {
    const stands = claim?.external_id === external_id && claim.failing_since === null;
    const proof = { provider: 'stripe', external_id, replaces: true } as const;
    return stands ? [] : proveClaim(ctx, agent, { claims, facts }, proof).effects;
  }
  if (!claim) return [];
  const failing_since = claim.failing_since ?? ctx.now_ms;
  const over = ctx.now_ms - failing_since >= DECAY_MS;
  const left = claims.flatMap((each) => (each !== claim ? [each] : over ? [] : [{ ...claim, failing_since }]));
  const standing = { ...facts, claims: left };
  const verified_at = isVerifiedBy(standing, ctx.now_ms) ? agent.verified_at : null;
  return [
    over ? remove('claims', claim) : patch('claims', claim, { failing_since }),
    ...changeAgent(ctx, agent, { verified_at }, standing, []).effects,
    // Nothing that it has may be on the market while no proof stands.
    ...(agent.verified_at !== null && verified_at === null ? [holdListings({ agent_id: agent.id }, ctx.now_ms)] : []),
  ];
}

/** The connected account that the person knows of: one that is paid to now was told of, also before that was written down. */
function toldOf({ payouts_enabled, external_id, told_of }: Payee): string | null {
  return payouts_enabled === 1 ? external_id : told_of;
}

/** The row after what the processor said; a connection that is gone there begins anew. */
function after(row: Payee, state: PayeeState | null, now_ms: number): Payee {
  const updated = { ...row, updated_at: now_ms };
  if (state === null) return updated;
  const { external_id, details_submitted, payouts_enabled, gone } = state;
  if (gone) {
    const nothing = { external_id: null, details_submitted: 0, payouts_enabled: 0, told_of: null };
    return { ...updated, ...nothing, created_at: now_ms };
  }
  return {
    ...updated,
    external_id,
    told_of: payouts_enabled ? external_id : toldOf(row),
    details_submitted: details_submitted ? 1 : 0,
    payouts_enabled: payouts_enabled ? 1 : 0,
  };
}

/** What tells of money that can go to another place from now on; the same place, barred by the processor and opened again, is no news.
 * A key may have asked for it, so nothing that a key can set holds the person's letter back. */
async function newsOf(read: Read['peek'], ctx: Ctx, before: Payee, now: Payee): Promise<Effect<never>[]> {
  if (now.payouts_enabled === 0 || now.external_id === toldOf(before)) return [];
  const [agent, account] = await Promise.all([
    read(agentById, { id: now.agent_id }),
    read(accountById, { id: now.id }),
  ]);
  if (!agent) return [];
  const letter = payoutConnectedLetter(agent.handle, `${ctx.settings.app_url}/payouts`);
  return [
    ...(agent.deactivated_at === null ? [tell(ctx, agent, 'payout.connected', { processor: now.processor })] : []),
    ...(account?.email ? [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] : []),
  ];
}

/** The turn that takes over what the processor said of an account's connection; answers the row as it then is. */
export async function settlePayee(
  read: Read,
  ctx: Ctx,
  ports: LoadPorts,
  { account_id, state, processor }: { account_id: string; state: PayeeState | null; processor: Processor },
): Promise<Decision<Payee | null, 'credential_in_use'>> {
  const row = await read(payeeById, { id: account_id });
  // The one that was asked about; another processor's is nothing that this one speaks of.
  if (!row || row.processor !== processor.name) return { reply: row, effects: [unremind(FOLLOW_PAYEE, account_id)] };
  const now = after(row, state, ctx.now_ms);
  const { external_id, details_submitted, payouts_enabled, told_of, created_at, updated_at } = now;
  const own = processor.livemode ? await loadAgent(read, ports, row.agent_id) : null;
  const failing = own?.claims.some(({ provider }) => provider === 'stripe') ?? false;
  const next = followPayeeLater(now, processor.livemode, ctx.now_ms);
  // A proof that fails is looked at each day until it is gone.
  const still =
    next ?? (failing ? followPayeeLater({ ...now, created_at: ctx.now_ms - DAY_MS }, true, ctx.now_ms) : null);
  return {
    reply: now,
    effects: [
      patch('payees', row, { external_id, details_submitted, payouts_enabled, told_of, created_at, updated_at }),
      still ?? unremind(FOLLOW_PAYEE, account_id),
      ...(own ? proofEffects(ctx, now, own) : []),
      ...(await newsOf(read.peek, ctx, row, now)),
    ],
  };
}
