// Starts a deposit: opens a checkout page of the payment processor on which a person pays into the agent's wallet. The row is written
// before the call, and its id is the call's idempotency key; after a call without an answer the row stays and is followed.
// Only funding.follow credits the wallet, after the payment.
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { fundingById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx, type FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { Amount } from '../../schemas/money.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id } from '../../schemas/wire.ts';
import { FOLLOW_FUNDING, followFundingLater } from '../../steps/money/follow.ts';
import { endFunding, openFunding } from '../../steps/money/open-pages.ts';
import { askProcessor } from '../../steps/outside.ts';
import { unremind } from '../../steps/reminder.ts';

interface Asked {
  readonly amount?: number;
  readonly amount_cents?: number;
  readonly currency?: string;
}

/** The amount, under either of its names. */
function amountOf({
  amount,
  amount_cents,
  currency,
}: Asked): number | Fault<'invalid_request' | 'unsupported_currency'> {
  if (currency !== undefined && currency.toUpperCase() !== 'USD') return fault('unsupported_currency');
  const cents = amount_cents ?? amount;
  if (cents === undefined) return invalid({ path: 'amount_cents', message: 'is needed' });
  if (amount !== undefined && amount !== cents) {
    return invalid({ path: 'amount', message: 'differs from amount_cents; give one of them' });
  }
  return cents;
}

function pendingRow(ctx: Ctx, amount_cents: number, processor: string): Row<'fundings'> {
  const { id: agent_id, account_id } = actor(ctx);
  const open = { status: 'pending' as const, reason: null, external_id: null, payment_id: null, url: null };
  const unpaid = { taken_back_cents: 0, withdrawable_at: null, paid_at: null, ended_at: null };
  return {
    ...{ id: ctx.id(), agent_id, account_id, amount_cents, processor },
    ...open,
    ...unpaid,
    created_at: ctx.now_ms,
    version: 1,
  };
}

/** Ends a funding of an amount that the processor refuses, so that its place is free again. */
function ofNoSize(ctx: FlowCtx, { id, agent_id }: Row<'fundings'>) {
  const refusal = invalid({
    path: 'amount_cents',
    message: 'The payment processor does not accept a payment of that size.',
  });
  return ctx.turn<never, 'invalid_request'>({
    attempt: async (read) => {
      const row = await read(fundingById, { id });
      const ended = { status: 'failed', reason: 'amount', ended_at: ctx.now_ms } as const;
      const effects = [endFunding(agent_id), unremind(FOLLOW_FUNDING, id)];
      return { ...refusal, effects: row?.status === 'pending' ? [patch('fundings', row, ended), ...effects] : [] };
    },
  });
}

export const fundingStart = flow({
  name: 'funding.start',
  noun: 'Money that people pay into wallets.',
  summary: 'Request a funding of the wallet',
  description:
    'Returns the URL of a payment page; pass it to your person. The wallet is credited only after they pay, ' +
    'and payment.succeeded reports it.',
  input: namedObject('FundingInput', 'the amount to pay', {
    amount_cents: Type.Optional(Amount),
    amount: Type.Optional(Type.Integer({ ...Amount, description: 'alias of amount_cents' })),
    currency: Type.Optional(Type.String({ maxLength: 10, description: 'USD' })),
  }),
  output: namedObject('FundingPage', 'the payment page of a funding', {
    checkout_url: Type.String({ description: 'for the person only: anyone who has it can pay or cancel' }),
    funding_id: Id,
  }),
  example: { amount_cents: 2500 },
  effect: 'adds',
  access: 'session',
  agent: 'required',
  faults: [
    'invalid_request',
    'unsupported_currency',
    'too_many_open',
    'processor_not_configured',
    'processor_unavailable',
  ],
  rest: [{ method: 'POST', path: '/api/wallet/fund' }],
  tools: [
    {
      name: 'mesh_fund_wallet',
      title: 'Ask your person to fund the wallet',
      set: 'wallet',
      takes: ['amount_cents'],
      access: 'key',
      scope: 'agents:read',
    },
  ],
  run: async (input, ctx, ports) => {
    const { processor } = ports;
    if (!processor) return fault('processor_not_configured');
    const amount_cents = amountOf(input);
    if (typeof amount_cents !== 'number') return amount_cents;
    const row = pendingRow(ctx, amount_cents, processor.name);
    const { id } = row;
    const effects: Effect<'too_many_open'>[] = [
      insert('fundings', row),
      openFunding(row.agent_id),
      followFundingLater(row, ctx.now_ms),
    ];
    const placed = await ctx.turn({ attempt: async () => ({ reply: null, effects }) });
    if (isFault(placed)) return placed;
    const { email = null } = (await ctx.read(accountById, { id: row.account_id })) ?? {};
    const return_url = `${ctx.settings.app_url}/wallet`;
    const { handle } = actor(ctx);
    const called = await askProcessor(ports, processor, (open) =>
      open.openFunding({ id, amount_cents, handle, email, return_url }),
    );
    if (called.outcome === 'refused' && called.reason === 'amount') return ofNoSize(ctx, row);
    if (called.outcome !== 'done') return fault('processor_unavailable');
    const { external_id, url } = called.value;
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const now = await read(fundingById, { id });
        const known = now ? [patch('fundings', now, { external_id, url })] : [];
        return { reply: { checkout_url: url, funding_id: id }, effects: known };
      },
    });
  },
});
