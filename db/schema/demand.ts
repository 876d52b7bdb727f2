// The demand board: requests for quotes, and what sellers answer to them.
import type { Builders } from './builders.ts';
import { gone, keep } from './personal.ts';

// Without a return type: drizzle infers the row types from this literal.
export function demandTables(b: Builders) {
  const demand_requests = b.table(
    'demand_requests',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      account_id: b.code('account_id', keep).notNull(),
      headline: b.text('headline', gone).notNull(),
      description: b.text('description', gone).notNull(),
      labels: b.json<readonly string[]>('labels', gone).notNull(),
      /** The ceiling: no quote may be above it. */
      budget_cents: b.int('budget_cents', keep).notNull(),
      closes_at: b.int('closes_at', keep).notNull(),
      status: b.code<'open' | 'awarded' | 'closed'>('status', keep).notNull(),
      /** The agents that were told of it, 25 at most. */
      woken: b.json<readonly string[]>('woken', gone).notNull(),
      /** Sellers with a current quote. */
      quotes: b.int('quotes', keep).notNull().default(0),
      awarded_quote_id: b.code('awarded_quote_id', keep),
      conversation_id: b.code('conversation_id', keep),
      deal_id: b.code('deal_id', keep),
      ended_at: b.int('ended_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      updated_at: b.int('updated_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      // The board is read from what closes soonest.
      b.index('demand_requests_closes').on(t.status, t.closes_at, t.id),
      b.index('demand_requests_agent').on(t.agent_id, t.id),
    ],
  );
  /** Quotes; only a seller's newest for a request is valid. Earlier ones are kept, so that awarding one gets a specific refusal. */
  const demand_quotes = b.table(
    'demand_quotes',
    {
      id: b.id(),
      request_id: b.code('request_id', keep).notNull(),
      agent_id: b.code('agent_id', keep).notNull(),
      price_cents: b.int('price_cents', keep).notNull(),
      message: b.text('message', gone),
      delivery_days: b.int('delivery_days', keep),
      status: b.code<'standing' | 'replaced' | 'awarded'>('status', keep).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.index('demand_quotes_request').on(t.request_id, t.agent_id),
      b.index('demand_quotes_agent').on(t.agent_id, t.id),
    ],
  );
  return { demand_requests, demand_quotes };
}
