// Accepts a quote. One turn closes the request, opens a conversation and a deal at the quoted price, and cancels the pending answers
// of the other notified sellers. No money moves: an escrow in the conversation pays for the deal.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { demandQuoteById, standingQuote } from '../../../db/queries/demand.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { quoteFault } from '../../domain/demand/demand.ts';
import { codeWord, fault, invalid } from '../../domain/fault.ts';
import type { PlanName } from '../../domain/identity/plan.ts';
import { proceedsOf } from '../../domain/money/fee.ts';
import { describe } from '../../domain/next-step.ts';
import { PROCEEDS } from '../../schemas/money.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Cents, HandleInput, Id, PathId } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { canBePaid } from '../../steps/agent/payable.ts';
import { findDemand } from '../../steps/demand/board.ts';
import { CLOSE_DUE, demandRefusal, endDemand, type FoundDemand } from '../../steps/demand/close.ts';
import { tell } from '../../steps/event.ts';
import { openConversation } from '../../steps/message/post.ts';
import { readBlocking } from '../../steps/message/thread.ts';
import { readSpending } from '../../steps/money/budget.ts';
import { boundFault } from '../../steps/money/spend.ts';
import { agreeOn } from '../../steps/negotiation/agree.ts';
import { unremind } from '../../steps/reminder.ts';
import { readSellerPlan } from '../../steps/subscription/party.ts';

interface Named {
  readonly request_id: string;
  readonly quote_id?: string;
  readonly handle?: string;
}

/** The quote that the caller names: by its id, or an agent's standing one. */
async function quoteMeant(read: Read, { request_id, quote_id, handle }: Named, now_ms: number) {
  if (quote_id !== undefined) {
    const quote = await read(demandQuoteById, { id: quote_id });
    return quote?.request_id === request_id ? quote : null;
  }
  const seller = handle === undefined ? null : await agentByHandle(read, handle, now_ms);
  return seller && read(standingQuote, { request_id, agent_id: seller.id });
}

/** The seller of a quote, and the quote that replaced it, if any. */
async function loadSeller(read: Read, { request_id, agent_id }: Row<'demand_quotes'>, me: string) {
  const [seller, blocks, standing] = await Promise.all([
    read(agentById, { id: agent_id }),
    readBlocking(read, me, agent_id),
    read(standingQuote, { request_id, agent_id }),
  ]);
  return { seller, blocks, standing, plan: seller ? await readSellerPlan(read, seller) : 'free' } as const;
}

function award(
  ctx: Ctx,
  { request }: FoundDemand,
  quote: Row<'demand_quotes'>,
  opened: Opened,
  { seller, plan }: { readonly seller: Row<'agents'>; readonly plan: PlanName },
) {
  const { conversation_id } = opened;
  const { deal, effects } = agreeOn(ctx, {
    buyer: actor(ctx),
    seller,
    amount_cents: quote.price_cents,
    title: request.headline,
    conversation_id,
    listing: null,
  });
  const deal_id = deal.id;
  const won = { request_id: request.id, quote_id: quote.id, conversation_id, deal_id };
  const { headline } = request;
  const { price_cents } = quote;
  const sums = { price_cents, ...proceedsOf([{ amount_cents: price_cents }], plan) };
  const ended = { status: 'awarded' as const, awarded_quote_id: quote.id, conversation_id, deal_id };
  return {
    reply: { ...won, status: 'awarded' as const, seller_handle: seller.handle, ...sums },
    effects: [
      ...opened.effects,
      ...effects,
      patch('demand_quotes', quote, { status: 'awarded' }),
      ...endDemand(request, ended, ctx.now_ms),
      unremind(CLOSE_DUE, request.id),
      tell(ctx, seller, 'demand.awarded', { ...won, headline, ...sums, counterparty_handle: actor(ctx).handle }),
    ],
  };
}

type Opened = ReturnType<typeof openConversation>;

export const demandAward = command({
  name: 'demand.award',
  summary: 'Award a request to a quote',
  description: describe`Once, by the requester, with the quote's id or the seller's handle. Opens a conversation with the seller, who gets \`demand.awarded\`, and a deal at the quoted price, to be paid by an escrow in that conversation; no money moves now. A replaced quote is ${codeWord('quote_replaced')}, with the id of the newer one; a closed request is ${codeWord('request_closed')}.`,
  input: namedObject('AwardInput', 'the quote to accept', {
    request_id: PathId,
    quote_id: Type.Optional(PathId),
    handle: Type.Optional(HandleInput),
  }),
  output: namedObject('Award', 'the result of an award', {
    request_id: Id,
    quote_id: Id,
    status: Type.Literal('awarded'),
    seller_handle: Type.String(),
    price_cents: Cents,
    ...PROCEEDS,
    conversation_id: Id,
    deal_id: Id,
  }),
  example: { request_id: SAMPLE.quoted_request_id, quote_id: SAMPLE.quote_id },
  effect: 'destroys',
  access: 'key',
  scope: 'deals:write',
  gate: 'verified',
  agent: 'required',
  faults: [
    'invalid_request',
    'not_found',
    'own_request',
    'request_closed',
    'quote_replaced',
    'seller_cannot_be_paid',
    'blocked',
    'outside_bounds',
    'plan_limit',
  ],
  rest: [{ method: 'POST', path: '/api/demand/{request_id}/award' }],
  tools: [{ name: 'mesh_award_demand', title: 'Award a request to a quote', set: 'market', extension: true }],
  load: async (read, named, ctx) => {
    const me = actor(ctx).id;
    const [found, quote] = await Promise.all([findDemand(read, named.request_id), quoteMeant(read, named, ctx.now_ms)]);
    const spending = await readSpending(read, me, ctx.now_ms);
    const side = quote && (await loadSeller(read, quote, me));
    return { found, quote, spending, side };
  },
  decide: ({ found, quote, spending, side }, input, ctx) => {
    const { quote_id, handle } = input;
    const refusal = demandRefusal(found, 'award', ctx);
    if (refusal) return refusal;
    if ((quote_id === undefined) === (handle === undefined)) {
      return invalid({ path: 'quote_id', message: 'Name one quote: by quote_id, or by the handle of its seller.' });
    }
    if (!found || !quote || !side?.seller) return fault('not_found', 'The request has no such quote.');
    const { seller, blocks, standing, plan } = side;
    const replaced = quoteFault(quote.status, standing?.id ?? null);
    if (replaced) return replaced;
    if (!canBePaid(seller)) return fault('seller_cannot_be_paid');
    if (blocks.other || blocks.opener) return fault('blocked', 'One of you has blocked the other.');
    const spend = { amount_cents: quote.price_cents, to_id: seller.id, operation: 'demand.award', input } as const;
    const outside = boundFault(ctx, spending, 'max_pay_cents', spend);
    if (outside) return outside;
    const subject = found.request.headline;
    const about = { opener: actor(ctx), other: seller, match_id: null, subject, blocks, metered: false };
    return award(ctx, found, quote, openConversation(ctx, about), { seller, plan });
  },
});
