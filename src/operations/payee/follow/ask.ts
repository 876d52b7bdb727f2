// Asks the payment processor for the state of an account's connection, and stores it.
import { type Effect, patch } from '../../../../db/effects.ts';
import { agentById } from '../../../../db/queries/agent.ts';
import { accountById } from '../../../../db/queries/identity.ts';
import { payeeById } from '../../../../db/queries/processor.ts';
import type { Row } from '../../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../../contract/context.ts';
import type { FlowPorts, LoadPorts } from '../../../contract/ports.ts';
import { isFault } from '../../../domain/fault.ts';
import { connectionName } from '../../../domain/money/payout.ts';
import { DAY_MS } from '../../../domain/time.ts';
import { payoutConnectedLetter } from '../../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../../outbound/mailer/words/words.ts';
import type { PayeeState, Processor } from '../../../outbound/processor/processor.ts';
import { loadAgent } from '../../../steps/agent/load.ts';
import type { Own } from '../../../steps/agent/own.ts';
import { markAgent, markOf } from '../../../steps/agent/partners.ts';
import { proveClaim } from '../../../steps/claim.ts';
import { tell } from '../../../steps/event.ts';
import { sendLetter } from '../../../steps/letter.ts';
import { askProcessor } from '../../../steps/outside.ts';
import {
  FOLLOW_PAYEE,
  followPayeeLater,
  NOT_CONNECTED,
  type Payee,
  proofOf,
  unproven,
} from '../../../steps/payee/follow.ts';
import { unremind } from '../../../steps/reminder.ts';

/** Asks and stores; answers the updated row, null for an account that never connected. */
export async function lookAtPayee(ctx: FlowCtx, ports: FlowPorts, account_id: string): Promise<Row<'payees'> | null> {
  const { processor, clock } = ports;
  const row = await ctx.read(payeeById, { id: account_id });
  if (!row || processor?.name !== row.processor) return null;
  const { agent_id } = row;
  const found = await askProcessor(ports, processor, (asked) => asked.findPayee({ ...row, id: connectionName(row) }));
  if (found.outcome !== 'done') {
    const again = followPayeeLater(row, processor.livemode, clock.now());
    await ctx.turn({ agent_id, attempt: async () => ({ reply: null, effects: again ? [again] : [] }) });
    return row;
  }
  const state = found.value;
  const now = { ...ctx, now_ms: clock.now() };
  const outcome = await ctx.turn({
    agent_id,
    attempt: (read) => settlePayee(read, now, ports, { asked: row, state, processor }),
  });
  // The processor's account already backs another agent: nothing is stored.
  return isFault(outcome) ? row : outcome.reply;
}

/** Adds or ends the proof that the connection gives. */
function proofEffects(ctx: Ctx, { external_id, payouts_enabled }: Payee, own: Own): Effect<'credential_in_use'>[] {
  if (!own.agent) return [];
  if (payouts_enabled === 0 || external_id === null) return unproven(ctx, own, false);
  const claim = proofOf(own);
  const stands = claim?.external_id === external_id && claim.failing_since === null;
  const proof = { provider: 'stripe', external_id, replaces: true } as const;
  return stands ? [] : proveClaim(ctx, own.agent, own, proof).effects;
}

/** The destination of money: the connected account, with its bank once that is known. */
function destinationOf({ external_id, bank_mark }: Payee): string | null {
  return bank_mark === null ? external_id : `${external_id} ${bank_mark}`;
}

/** The destination that the person was told of. One with payouts enabled counts as told, also in rows from before `told_of`. */
function toldOf(row: Payee): string | null {
  return row.payouts_enabled === 1 ? destinationOf(row) : row.told_of;
}

/** Whether money can now go to a new destination; re-enabling the same destination is no news. */
function isNews(before: Payee, now: Payee): boolean {
  return now.payouts_enabled === 1 && destinationOf(now) !== toldOf(before);
}

/** The known bank; one that the processor no longer names stays. */
function bankAfter(row: Payee, { bank: told, external_id }: PayeeState, ctx: Ctx): Pick<Payee, 'bank' | 'bank_mark'> {
  const { bank, bank_mark } = row.external_id === external_id ? row : NOT_CONNECTED;
  if (told === null) return { bank, bank_mark };
  const { name, country, last4, fingerprint } = told;
  const known_by = fingerprint ?? [country, name, last4].join(' ');
  return { bank: { name, country, last4 }, bank_mark: markOf('bank', known_by, ctx) };
}

/** The row after the processor's answer; a connection that no longer exists there starts again. */
function after(row: Payee, state: PayeeState | null, ctx: Ctx): Payee {
  const updated = { ...row, updated_at: ctx.now_ms };
  if (state === null) return updated;
  if (state.gone) return { ...updated, ...NOT_CONNECTED, created_at: ctx.now_ms };
  const now = {
    ...updated,
    ...bankAfter(row, state, ctx),
    external_id: state.external_id,
    details_submitted: state.details_submitted ? 1 : 0,
    payouts_enabled: state.payouts_enabled ? 1 : 0,
    told_of: toldOf(row),
  };
  return isNews(row, now) ? { ...now, told_of: destinationOf(now), connected_at: ctx.now_ms } : now;
}

/** The news of another destination. A key may have asked for it, so no setting of a key can suppress the person's letter. */
async function newsOf(read: Read['peek'], ctx: Ctx, before: Payee, now: Payee): Promise<Effect<never>[]> {
  if (!isNews(before, now)) return [];
  const [agent, account] = await Promise.all([
    read(agentById, { id: now.agent_id }),
    read(accountById, { id: now.id }),
  ]);
  if (!agent) return [];
  const { bank, connected_by } = now;
  const url = `${ctx.settings.app_url}/payouts`;
  const words = letterWordsFor(account);
  const letter = payoutConnectedLetter(agent.handle, { bank, by: connected_by }, url, words);
  return [
    ...(agent.deactivated_at === null ? [tell(ctx, agent, 'payout.connected', { processor: now.processor })] : []),
    ...(account?.email ? [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] : []),
  ];
}

/** Marks accounts that are paid to the same bank as related, whatever processor accounts they use. */
function tied(before: Payee, now: Payee, state: PayeeState | null, ctx: Ctx): Effect<never>[] {
  const fingerprint = state?.bank?.fingerprint ?? null;
  if (fingerprint === null || now.bank_mark === before.bank_mark) return [];
  return markAgent({ id: now.agent_id, account_id: now.id }, 'bank', fingerprint, ctx);
}

/** The turn that stores the processor's answer about the connection as it was when the processor was asked; answers the updated row. */
async function settlePayee(
  read: Read,
  ctx: Ctx,
  ports: LoadPorts,
  { asked, state, processor }: { asked: Payee; state: PayeeState | null; processor: Processor },
): Promise<Decision<Payee | null, 'credential_in_use'>> {
  const { id: account_id } = asked;
  const row = await read(payeeById, { id: account_id });
  // The answer does not apply to a connection at another processor.
  if (!row || row.processor !== processor.name) return { reply: row, effects: [unremind(FOLLOW_PAYEE, account_id)] };
  // It was disconnected meanwhile, and another one started.
  if (row.n !== asked.n) return { reply: row };
  const now = after(row, state, ctx);
  const { external_id, details_submitted, payouts_enabled, told_of, created_at, updated_at } = now;
  const { bank, bank_mark, connected_at } = now;
  const own = processor.livemode ? await loadAgent(read, ports, row.agent_id) : null;
  const failing = own !== null && proofOf(own) !== undefined;
  const next = followPayeeLater(now, processor.livemode, ctx.now_ms);
  // A failing proof is checked each day until it is removed.
  const still =
    next ?? (failing ? followPayeeLater({ ...now, created_at: ctx.now_ms - DAY_MS }, true, ctx.now_ms) : null);
  return {
    reply: now,
    effects: [
      patch('payees', row, {
        ...{ external_id, details_submitted, payouts_enabled, told_of, created_at, updated_at },
        ...{ bank, bank_mark, connected_at },
      }),
      still ?? unremind(FOLLOW_PAYEE, account_id),
      ...(own ? proofEffects(ctx, now, own) : []),
      ...tied(row, now, state, ctx),
      ...(await newsOf(read.peek, ctx, row, now)),
    ],
  };
}
