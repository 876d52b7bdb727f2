// Sends money from the acting agent's wallet to another agent's at once. The store checks the balance; `spend` checks the limits of
// the person and the key, and debts after chargebacks.
import { Type } from 'typebox';
import { count, type Effect, insert } from '../../../db/effects.ts';
import type { Party } from '../../../db/queries/agent.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { blockGate } from '../../domain/conversation/conversation.ts';
import { codeWord, fault } from '../../domain/fault.ts';
import { post } from '../../domain/money/ledger.ts';
import { describe } from '../../domain/next-step.ts';
import { Amount, DryRunInput } from '../../schemas/money.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { NOTE_MAX, SentPayment, sendJournal, sentView } from '../../schemas/wallet.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { partyByHandle } from '../../steps/agent/find.ts';
import { tell } from '../../steps/event.ts';
import { readSpending } from '../../steps/money/budget.ts';
import { paymentRequired } from '../../steps/money/obligation.ts';
import { isSpendFault, spend } from '../../steps/money/spend.ts';

const BLOCKED = fault('blocked', 'One of you has blocked the other; nothing was sent.');

/** Whether an agent can be paid: any active one, also hidden or provisional; the latter cannot spend it before it is claimed. */
function takesMoney(agent: Party | null): agent is Party {
  return agent !== null && agent.deactivated_at === null && agent.kind !== 'platform';
}

/** Gates that refuse the payment at commit if either side blocks the other, without a read before. */
function unblocked(a: string, b: string): Effect<'blocked'>[] {
  return [blockGate(a, b), blockGate(b, a)].map((key) => count(key, 0, BLOCKED, null, 0));
}

/** The events for both sides. */
function payment(ctx: Ctx, payer: Party, payee: Party, sent: Pick<Row<'sends'>, 'id' | 'amount_cents'>) {
  const { id, amount_cents } = sent;
  const data = { kind: 'send' as const, amount_cents, reference_id: id, journal_id: sendJournal(id) };
  return [
    tell(ctx, payer, 'payment.succeeded', { ...data, counterparty_handle: payee.handle, your_role: 'payer' }),
    tell(ctx, payee, 'payment.succeeded', { ...data, counterparty_handle: payer.handle, your_role: 'payee' }),
  ];
}

export const walletSend = command({
  name: 'wallet.send',
  noun: 'Wallets: balance, spending limits and statement of an agent.',
  summary: 'Send money to an agent',
  description: describe`Final; credited to the other agent at once, listed or not. Both get \`payment.succeeded\`. Refused with ${codeWord('payment_required')} and the amounts if the balance is too low, and with ${codeWord('spending_limit')} or ${codeWord('outside_bounds')} if a limit, the bounds or the key's budget forbid it. With \`dry_run\` nothing moves, and the response shows what would.`,
  input: namedObject('PaymentInput', 'a payment to another agent', {
    to_handle: HandleInput,
    amount_cents: Amount,
    note: Type.Optional(Type.String({ maxLength: NOTE_MAX, description: 'to the payee; shown in both statements' })),
    currency: Type.Optional(Type.String({ maxLength: 8, description: 'only USD' })),
    dry_run: DryRunInput,
  }),
  output: SentPayment,
  example: { to_handle: SAMPLE.other_handle, amount_cents: 1_250, note: 'For the ropes' },
  effect: 'spends',
  access: 'key',
  scope: 'payments:write',
  gate: 'verified',
  agent: 'required',
  dry_run: true,
  status: 'created',
  faults: [
    'not_found',
    'own_agent',
    'unsupported_currency',
    'blocked',
    'payment_required',
    'spending_limit',
    'outside_bounds',
    'account_restricted',
    'conflict',
  ],
  strict: true,
  rest: [{ method: 'POST', path: '/api/wallet/send' }],
  tools: [{ name: 'mesh_send_payment', title: 'Send money to an agent', set: 'wallet' }],
  load: async (read, { to_handle }, ctx) => {
    const payee = await partyByHandle(read, to_handle, ctx.now_ms);
    return { payee, spending: await readSpending(read, actor(ctx).id, ctx.now_ms) };
  },
  decide: ({ payee, spending }, input, ctx) => {
    const { amount_cents, note, currency } = input;
    const payer = actor(ctx);
    if (currency !== undefined && currency.toUpperCase() !== 'USD') return fault('unsupported_currency');
    if (!takesMoney(payee)) return fault('not_found');
    if (payee.account_id === payer.account_id) return fault('own_agent');
    const spent = spend(ctx, spending, { amount_cents, to_id: payee.id, operation: 'wallet.send', input });
    if (isSpendFault(spent)) return spent;
    const sent = {
      id: ctx.id(),
      from_id: payer.id,
      to_id: payee.id,
      amount_cents,
      note: note?.trim() || null,
      created_at: ctx.now_ms,
    };
    const journal = { id: sendJournal(sent.id), kind: 'send', subject_id: sent.id, created_at: ctx.now_ms };
    const leg = { debit: `wallet:${payer.id}` as const, credit: `wallet:${payee.id}` as const, amount_cents };
    return {
      reply: sentView(sent, payer.handle, payee.handle),
      effects: [
        ...unblocked(payer.id, payee.id),
        spent.gate,
        post(journal, [leg], paymentRequired(amount_cents), fault('conflict')),
        ...spent.counts,
        insert('sends', sent),
        ...payment(ctx, payer, payee, sent),
      ],
    };
  },
});
