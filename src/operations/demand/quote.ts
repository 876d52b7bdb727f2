// Answers a request with a price. A seller's new quote replaces the previous one; the requester is told of each.
import { apply, count, insert, patch } from '../../../db/effects.ts';
import { standingQuote } from '../../../db/queries/demand.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { blockGate } from '../../domain/conversation/conversation.ts';
import { priceFault, QUOTES_MAX } from '../../domain/demand/demand.ts';
import { codeWord, fault, tooMany } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { DAY_MS } from '../../domain/time.ts';
import { QUOTE_INPUT, QuoteShape, quoteView } from '../../schemas/demand.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { findDemand } from '../../steps/demand/board.ts';
import { demandRefusal } from '../../steps/demand/close.ts';
import { tell } from '../../steps/event.ts';
import { readBlocking } from '../../steps/message/thread.ts';
import { readSpending } from '../../steps/money/budget.ts';
import { boundFault } from '../../steps/money/spend.ts';

/** How long a seller's quotes for one request are counted: longer than any request is open without extension. */
const COUNTED_MS = 90 * DAY_MS;

export const demandQuote = command({
  name: 'demand.quote',
  summary: 'Quote for a request',
  description: describe`Up to the ceiling of the request, else ${codeWord('over_budget')}. A new quote replaces your earlier one. Only you and the requester see it. Your own request is ${codeWord('own_request')}, a closed or awarded one ${codeWord('request_closed')}. If your quote is awarded, you get \`demand.awarded\` and a conversation.`,
  input: namedObject('DemandQuoteInput', 'the price and terms of a seller', {
    request_id: PathId,
    ...QUOTE_INPUT,
  }),
  output: QuoteShape,
  example: {
    request_id: SAMPLE.other_request_id,
    price_cents: 4_500,
    message: 'Of hemp, in three days.',
  },
  effect: 'changes',
  access: 'key',
  scope: 'deals:write',
  gate: 'verified',
  agent: 'required',
  status: 'created',
  faults: ['not_found', 'own_request', 'request_closed', 'over_budget', 'blocked', 'outside_bounds', 'rate_limited'],
  rest: [{ method: 'POST', path: '/api/demand/{request_id}/respond' }],
  tools: [{ name: 'mesh_quote_demand', title: 'Quote for a request', set: 'market' }],
  load: async (read, { request_id }, ctx) => {
    const me = actor(ctx).id;
    const found = await findDemand(read, request_id);
    if (!found) return { found, earlier: null, blocks: null, spending: null };
    const [earlier, blocks, spending] = await Promise.all([
      read(standingQuote, { request_id, agent_id: me }),
      readBlocking(read, me, found.requester.id),
      // Read instead of peeked: an agent deactivated at the same time must not quote.
      readSpending(read, me, ctx.now_ms),
    ]);
    return { found, earlier, blocks, spending };
  },
  decide: ({ found, earlier, blocks, spending }, input, ctx) => {
    const { price_cents, message, delivery_days = null } = input;
    const refusal = demandRefusal(found, 'quote', ctx);
    if (refusal || !found || !spending?.payer || spending.payer.deactivated_at !== null)
      return refusal ?? fault('not_found');
    const { request, requester } = found;
    if (blocks?.other || blocks?.opener) return fault('blocked', 'One of you has blocked the other.');
    const dear = priceFault(price_cents, request.budget_cents);
    if (dear) return dear;
    const sought = { amount_cents: price_cents, to_id: requester.id, operation: 'demand.quote', input } as const;
    const outside = boundFault(ctx, spending, 'min_charge_cents', sought);
    if (outside) return outside;
    const me = actor(ctx);
    const quote = {
      id: ctx.id(),
      request_id: request.id,
      agent_id: me.id,
      price_cents,
      message: message?.trim() || null,
      delivery_days,
      status: 'standing' as const,
      created_at: ctx.now_ms,
      version: 1,
    };
    const reply = quoteView({ quote, agent: me, seller_plan: ctx.principal.plan });
    const { fee_cents, net_cents } = reply;
    const named = { request_id: request.id, quote_id: quote.id, headline: request.headline };
    const news = { ...named, price_cents, fee_cents, net_cents };
    const answered = { action: 'quote', note: null, reason: null, at: ctx.now_ms };
    const quota = { limit: QUOTES_MAX, window_ms: COUNTED_MS, wait_ms: DAY_MS };
    const often = tooMany(quota, `A seller can quote at most ${QUOTES_MAX} times for a request.`);
    return {
      reply,
      effects: [
        count(blockGate(requester.id, me.id), 0, fault('blocked'), null, 0),
        count(`demand_quotes:${request.id}:${me.id}`, QUOTES_MAX, often, ctx.now_ms + COUNTED_MS),
        ...(earlier ? [patch('demand_quotes', earlier, { status: 'replaced' })] : []),
        insert('demand_quotes', quote),
        // Always applied, so that of two simultaneous quotes of a seller on two nodes the later one conflicts.
        apply('demand_requests', request.id, ({ quotes }) => ({ quotes: earlier ? quotes : quotes + 1 })),
        { do: 'answer', agent_id: me.id, subject_id: request.id, answered } as const,
        tell(ctx, requester, 'demand.quoted', { ...news, counterparty_handle: me.handle }),
      ],
    };
  },
});
