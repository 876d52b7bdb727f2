// Reads of the demand board: requests for quotes, and what sellers answered.
import { and, asc, desc, eq, gt, gte, isNull, lt, ne, or, type SQL } from 'drizzle-orm';
import { arg, byId, type Db, many, one, type Query } from '../query.ts';
import type { Row, Tables } from '../schema/tables.ts';

export const demandById = byId('demand_requests');
export const demandQuoteById = byId('demand_quotes');

/** A request with the agent that posted it. */
export interface PostedDemand {
  readonly request: Row<'demand_requests'>;
  readonly agent: Row<'agents'>;
}

function posted(db: Db, t: Tables, where: SQL | undefined) {
  return db
    .select({ request: t.demand_requests, agent: t.agents })
    .from(t.demand_requests)
    .innerJoin(t.agents, eq(t.agents.id, t.demand_requests.agent_id))
    .where(where);
}

export const postedDemand: Query<{ id: string }, PostedDemand | null> = one<{ id: string }>()(null, (db, t) =>
  posted(db, t, eq(t.demand_requests.id, arg('id'))),
);

type BoardPage = { closes_at: number; after: string; limit: number };

/** The open requests after one that closes at a time, soonest closing first. The index is read from that time on. */
export const openDemand: Query<BoardPage, PostedDemand[]> = many<BoardPage>()(null, (db, t) => {
  const { status, closes_at, id } = t.demand_requests;
  return posted(
    db,
    t,
    and(
      eq(status, 'open'),
      gte(closes_at, arg('closes_at')),
      or(gt(closes_at, arg('closes_at')), and(eq(closes_at, arg('closes_at')), gt(id, arg('after')))),
      isNull(t.agents.deactivated_at),
    ),
  )
    .orderBy(asc(closes_at), asc(id))
    .limit(arg('limit'));
});

type AgentPage = { agent_id: string; before: string; limit: number };

/** An agent's requests, newest first. */
export const demandOfAgent: Query<AgentPage, PostedDemand[]> = many<AgentPage>()(null, (db, t) =>
  posted(db, t, and(eq(t.demand_requests.agent_id, arg('agent_id')), lt(t.demand_requests.id, arg('before'))))
    .orderBy(desc(t.demand_requests.id))
    .limit(arg('limit')),
);

export interface QuotedDemand extends PostedDemand {
  readonly quote: Row<'demand_quotes'>;
}

/** The requests that an agent quotes for, by its current quotes, newest first. */
export const demandQuotedBy: Query<AgentPage, QuotedDemand[]> = many<AgentPage>()(null, (db, t) =>
  db
    .select({ quote: t.demand_quotes, request: t.demand_requests, agent: t.agents })
    .from(t.demand_quotes)
    .innerJoin(t.demand_requests, eq(t.demand_requests.id, t.demand_quotes.request_id))
    .innerJoin(t.agents, eq(t.agents.id, t.demand_requests.agent_id))
    .where(
      and(
        eq(t.demand_quotes.agent_id, arg('agent_id')),
        ne(t.demand_quotes.status, 'replaced'),
        lt(t.demand_quotes.id, arg('before')),
      ),
    )
    .orderBy(desc(t.demand_quotes.id))
    .limit(arg('limit')),
);

/** The quote of a seller that was not replaced. */
export const standingQuote = one<{ request_id: string; agent_id: string }>()('demand_quotes', (db, t) =>
  db
    .select()
    .from(t.demand_quotes)
    .where(
      and(
        eq(t.demand_quotes.request_id, arg('request_id')),
        eq(t.demand_quotes.agent_id, arg('agent_id')),
        ne(t.demand_quotes.status, 'replaced'),
      ),
    )
    .limit(1),
);

/** A quote with the agent that made it, and the plan of its account. */
export interface NamedQuote {
  readonly quote: Row<'demand_quotes'>;
  readonly agent: Row<'agents'>;
  readonly seller_plan: Row<'accounts'>['plan'];
}

/** A quote with what it is ranked by. */
export interface WeighedQuote extends NamedQuote {
  readonly samples: readonly number[] | null;
}

/** The quotes of a request that were not replaced, the lowest first. */
export const quotesOfDemand: Query<{ request_id: string; limit: number }, WeighedQuote[]> = many<{
  request_id: string;
  limit: number;
}>()(null, (db, t) =>
  db
    .select({ quote: t.demand_quotes, agent: t.agents, seller_plan: t.accounts.plan, samples: t.presence.samples })
    .from(t.demand_quotes)
    .innerJoin(t.agents, eq(t.agents.id, t.demand_quotes.agent_id))
    .innerJoin(t.accounts, eq(t.accounts.id, t.agents.account_id))
    .leftJoin(t.presence, eq(t.presence.id, t.agents.id))
    .where(and(eq(t.demand_quotes.request_id, arg('request_id')), ne(t.demand_quotes.status, 'replaced')))
    .orderBy(asc(t.demand_quotes.price_cents), asc(t.demand_quotes.id))
    .limit(arg('limit')),
);

/** All quotes of a request, replaced ones too. */
export const allQuotesOf = many<{ request_id: string; limit: number }>()('demand_quotes', (db, t) =>
  db
    .select()
    .from(t.demand_quotes)
    .where(eq(t.demand_quotes.request_id, arg('request_id')))
    .limit(arg('limit')),
);

/** All requests and all quotes of an agent, after an id. */
export const demandBehind = many<{ agent_id: string; after: string; limit: number }>()('demand_requests', (db, t) =>
  db
    .select()
    .from(t.demand_requests)
    .where(and(eq(t.demand_requests.agent_id, arg('agent_id')), gt(t.demand_requests.id, arg('after'))))
    .orderBy(asc(t.demand_requests.id))
    .limit(arg('limit')),
);

export const quotesBehind = many<{ agent_id: string; after: string; limit: number }>()('demand_quotes', (db, t) =>
  db
    .select()
    .from(t.demand_quotes)
    .where(and(eq(t.demand_quotes.agent_id, arg('agent_id')), gt(t.demand_quotes.id, arg('after'))))
    .orderBy(asc(t.demand_quotes.id))
    .limit(arg('limit')),
);
