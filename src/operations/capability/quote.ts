// The price of a call of a capability now, and whether the caller could make it. It is not binding: prices and candidates are fixed
// when the call begins, and only `max_price_cents` limits the price.
import { type Static, Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { codeWord, fault } from '../../domain/fault.ts';
import { PLANS } from '../../domain/identity/plan.ts';
import { takeFee } from '../../domain/money/fee.ts';
import { describe } from '../../domain/next-step.ts';
import { rank } from '../../domain/router/ranking.ts';
import { namedObject } from '../../schemas/named.ts';
import { guidanceShape } from '../../schemas/next-step.ts';
import { CapabilityName, ROUTED_PROCEEDS } from '../../schemas/router.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Cents } from '../../schemas/wire.ts';
import { readSpending } from '../../steps/money/budget.ts';
import { budgetFault, spend } from '../../steps/money/spend.ts';
import { readOffers } from '../../steps/router/candidates.ts';

const Quote = namedObject('CapabilityQuote', 'the current price of a call', {
  capability: Type.String(),
  provider_handle: Type.String({ description: 'the provider that would be called first' }),
  price_cents: Cents,
  ...ROUTED_PROCEEDS,
  from_price_cents: { ...Cents, description: 'of the cheapest provider' },
  to_price_cents: { ...Cents, description: 'of the most expensive provider' },
  providers: Type.Integer({ minimum: 1, description: 'providers that may be called' }),
  currency: Type.Literal('USD'),
  gate: Type.Object({
    passes: Type.Boolean(),
    refusal: Type.Union([
      Type.Null(),
      Type.Object({
        error: Type.String(),
        message: guidanceShape(),
        shortfall_cents: Type.Optional(Cents),
      }),
    ]),
  }),
});

export const capabilityQuote = query({
  name: 'capability.quote',
  summary: 'Quote a call',
  description: describe`The price of the provider that would be called first, fee included, and whether limits, bounds and balance allow the call now. Nothing is reserved. Prices may change before the call; set \`max_price_cents\` to get ${codeWord('price_above_max')} then.`,
  input: Type.Object({ capability: CapabilityName }),
  output: Quote,
  example: { capability: SAMPLE.capability },
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/router/quote' }],
  tools: [
    {
      name: 'mesh_get_quote',
      title: 'Quote a listing or a call',
      set: 'market',
      when: { argument: 'capability', given: true },
    },
  ],
  run: async (read, { capability }, ctx): Promise<Static<typeof Quote> | ReturnType<typeof fault<'not_found'>>> => {
    const { id: agent_id, account_id } = actor(ctx);
    // Without randomness, new providers rank behind those with a record.
    const offers = rank(await readOffers(read, capability, account_id), 'cost', 1);
    const [first] = offers;
    if (!first) return fault('not_found', 'No provider serves this capability to you.');
    const { agent_id: to_id, price_cents } = first;
    const plan = (await read(accountById, { id: first.account_id }))?.plan ?? 'free';
    const state = await readSpending(read, agent_id, ctx.now_ms);
    const { budget } = ctx.principal;
    const asked = { amount_cents: price_cents, to_id, capability, operation: 'router_call.make' } as const;
    const spent = price_cents > 0 ? spend(ctx, state, asked) : budget && budgetFault(budget, asked);
    const barred = spent !== null && 'fault' in spent ? spent : null;
    const shortfall_cents = Math.max(0, price_cents - (state.payer?.balance_cents ?? 0));
    const short = shortfall_cents > 0 ? fault('payment_required') : null;
    const refusal = barred ?? short;
    const { fee_cents, rest_cents: net_cents } = takeFee(price_cents, PLANS[plan].router_fee_bps);
    const prices = offers.map((offer) => offer.price_cents);
    return {
      capability,
      provider_handle: first.handle,
      price_cents,
      fee_cents,
      net_cents,
      from_price_cents: Math.min(...prices),
      to_price_cents: Math.max(...prices),
      providers: offers.length,
      currency: 'USD',
      gate: {
        passes: !refusal,
        refusal: refusal
          ? { error: refusal.fault, message: refusal.message, ...(refusal === short && { shortfall_cents }) }
          : null,
      },
    };
  },
});
