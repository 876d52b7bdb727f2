// The demand board: requests for quotes, and what sellers answer to them.
import type { Builders } from './builders.ts';

// Without a return type: drizzle infers the row types from this literal.
export function demandTables(b: Builders) {
  const demand_requests = b.table(
    'demand_requests',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      account_id: b.text('account_id').notNull(),
      headline: b.text('headline').notNull(),
      description: b.text('description').notNull(),
      labels: b.json<readonly string[]>('labels').notNull(),
      /** The ceiling: no quote may be above it. */
      budget_cents: b.int('budget_cents').notNull(),
      closes_at: b.int('closes_at').notNull(),
      status: b.text('status').$type<'open' | 'awarded' | 'closed'>().notNull(),
      /** The agents that were told of it, 25 at most. */
      woken: b.json<readonly string[]>('woken').notNull(),
      /** Sellers whose quote stands. */
      quotes: b.int('quotes').notNull().default(0),
      awarded_quote_id: b.text('awarded_quote_id'),
      conversation_id: b.text('conversation_id'),
      deal_id: b.text('deal_id'),
      ended_at: b.int('ended_at'),
      created_at: b.int('created_at').notNull(),
      updated_at: b.int('updated_at').notNull(),
      version: b.version(),
    },
    (t) => [
      // The board is read from what closes soonest.
      b.index('demand_requests_closes').on(t.status, t.closes_at, t.id),
      b.index('demand_requests_agent').on(t.agent_id, t.id),
    ],
  );
  /** A seller's newest quote of a request stands; those before it are kept, so that an award of one is told what became of it. */
  const demand_quotes = b.table(
    'demand_quotes',
    {
      id: b.id(),
      request_id: b.text('request_id').notNull(),
      agent_id: b.text('agent_id').notNull(),
      price_cents: b.int('price_cents').notNull(),
      message: b.text('message'),
      delivery_days: b.int('delivery_days'),
      status: b.text('status').$type<'standing' | 'replaced' | 'awarded'>().notNull(),
      created_at: b.int('created_at').notNull(),
      version: b.version(),
    },
    (t) => [
      b.index('demand_quotes_request').on(t.request_id, t.agent_id),
      b.index('demand_quotes_agent').on(t.agent_id, t.id),
    ],
  );
  return { demand_requests, demand_quotes };
}
