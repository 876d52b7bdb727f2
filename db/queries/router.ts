// Reads of providers, of the calls routed to them, and of their attempts. Lists are newest first: ids are UUIDs of version 7.
import { and, asc, desc, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';
import type { Tables } from '../schema/tables.ts';

export const providerById = byId('providers');
export const routerCallById = byId('router_calls');
export const routerResultById = byId('router_results', null);

export const providerOf = one<{ agent_id: string; capability: string }>()('providers', (db, t) =>
  db
    .select()
    .from(t.providers)
    .where(and(eq(t.providers.agent_id, arg('agent_id')), eq(t.providers.capability, arg('capability'))))
    .limit(1),
);

/** All offers of an agent, oldest first. */
export const providersOfAgent = many<{ agent_id: string }>()('providers', (db, t) =>
  db
    .select()
    .from(t.providers)
    .where(eq(t.providers.agent_id, arg('agent_id')))
    .orderBy(asc(t.providers.id)),
);

const figures = ({ providers: p }: Tables) => ({
  attempts: p.attempts,
  served: p.served,
  weighed_attempts: p.weighed_attempts,
  weighed_served: p.weighed_served,
  p50_ms: p.p50_ms,
  p95_ms: p.p95_ms,
});

/** The providers of a capability, the cheapest first: in rotation, and of an active agent. */
export const providersInRotation = many<{ capability: string; limit: number }>()(null, (db, t) =>
  db
    .select({
      ...figures(t),
      id: t.providers.id,
      agent_id: t.providers.agent_id,
      account_id: t.providers.account_id,
      handle: t.agents.handle,
      price_cents: t.providers.price_cents,
    })
    .from(t.providers)
    .innerJoin(t.agents, eq(t.agents.id, t.providers.agent_id))
    .where(
      and(
        eq(t.providers.capability, arg('capability')),
        eq(t.providers.active, 1),
        isNull(t.providers.suspended_at),
        isNull(t.agents.deactivated_at),
      ),
    )
    .orderBy(asc(t.providers.price_cents), asc(t.providers.id))
    .limit(arg('limit')),
);

/** The payload contract of a capability's first provider. */
export const firstContract = one<{ capability: string }>()(null, (db, t) =>
  db
    .select({ required_fields: t.providers.required_fields, accepted_fields: t.providers.accepted_fields })
    .from(t.providers)
    .where(and(eq(t.providers.capability, arg('capability')), sql`${t.providers.required_fields} IS NOT NULL`))
    .orderBy(asc(t.providers.id))
    .limit(1),
);

const count = sql`count(*)`.mapWith(Number);
/** Of an aggregate that may be of nothing; null is left as it is. */
const numberOrNull = (value: SQL) => value.mapWith(Number) as SQL<number | null>;
const whole = (column: unknown) => sql`coalesce(sum(${column}), 0)`.mapWith(Number);

/** Each capability that was ever offered, by name, with the figures of its providers as they are gathered. */
export const capabilitiesOffered = many<{ after: string; limit: number }>()(null, (db, t) => {
  const { providers: p, agents } = t;
  const rotates = sql`${p.active} = 1 AND ${p.suspended_at} IS NULL AND ${agents.deactivated_at} IS NULL`;
  return db
    .select({
      capability: p.capability,
      providers: sql`sum(CASE WHEN ${rotates} THEN 1 ELSE 0 END)`.mapWith(Number).as('rotating'),
      from_price_cents: numberOrNull(sql`min(CASE WHEN ${rotates} THEN ${p.price_cents} END)`).as('from_price'),
      attempts: whole(p.attempts).as('all_attempts'),
      served: whole(p.served).as('all_served'),
      /** Of those that have any, weighed by what they served. */
      p50_ms: numberOrNull(
        sql`sum(${p.p50_ms} * ${p.served}) / nullif(sum(CASE WHEN ${p.p50_ms} IS NULL THEN 0 ELSE ${p.served} END), 0)`,
      ).as('typical'),
      p95_ms: numberOrNull(sql`max(${p.p95_ms})`).as('slow'),
    })
    .from(p)
    .innerJoin(agents, eq(agents.id, p.agent_id))
    .where(gt(p.capability, arg('after')))
    .groupBy(p.capability)
    .orderBy(asc(p.capability))
    .limit(arg('limit'));
});

/** Attempts since a capability's figures were gathered. */
export const freshOfCapabilities = many<Record<string, never>>()(null, (db, t) =>
  db
    .select({
      capability: t.router_attempts.capability,
      attempts: count.as('n'),
      served: sql`sum(CASE WHEN ${t.router_attempts.outcome} = 'served' THEN 1 ELSE 0 END)`.mapWith(Number).as('ok'),
    })
    .from(t.router_attempts)
    .where(and(isNull(t.router_attempts.gathered_at), eq(t.router_attempts.counted, 1)))
    .groupBy(t.router_attempts.capability),
);

/** How long the newest of these took that were served. */
export const freshLatencies = many<{ capability: string; limit: number }>()(null, (db, t) =>
  db
    .select({ latency_ms: t.router_attempts.latency_ms })
    .from(t.router_attempts)
    .where(
      and(
        isNull(t.router_attempts.gathered_at),
        eq(t.router_attempts.counted, 1),
        eq(t.router_attempts.outcome, 'served'),
        eq(t.router_attempts.capability, arg('capability')),
      ),
    )
    .orderBy(desc(t.router_attempts.id))
    .limit(arg('limit')),
);

export const freshOfProvider = one<{ provider_id: string }>()(null, (db, t) =>
  db
    .select({
      attempts: count.as('n'),
      served: sql`coalesce(sum(CASE WHEN ${t.router_attempts.outcome} = 'served' THEN 1 ELSE 0 END), 0)`
        .mapWith(Number)
        .as('ok'),
      charged: sql`coalesce(sum(CASE WHEN ${t.router_attempts.price_cents} > 0 THEN 1 ELSE 0 END), 0)`
        .mapWith(Number)
        .as('paid'),
      latency_sum_ms: whole(
        sql`CASE WHEN ${t.router_attempts.outcome} = 'served' THEN ${t.router_attempts.latency_ms} ELSE 0 END`,
      ).as('took'),
    })
    .from(t.router_attempts)
    .where(
      and(
        eq(t.router_attempts.provider_id, arg('provider_id')),
        isNull(t.router_attempts.gathered_at),
        eq(t.router_attempts.counted, 1),
      ),
    ),
);

/** Attempts that no provider's figures hold yet. */
export const freshAttempts = many<{ limit: number }>()('router_attempts', (db, t) =>
  db.select().from(t.router_attempts).where(isNull(t.router_attempts.gathered_at)).limit(arg('limit')),
);

/** The newest attempts of a provider, counted or not. */
export const lastAttempts = many<{ provider_id: string; limit: number }>()(null, (db, t) =>
  db
    .select({
      caller_account_id: t.router_attempts.caller_account_id,
      outcome: t.router_attempts.outcome,
      latency_ms: t.router_attempts.latency_ms,
      http_status: t.router_attempts.http_status,
      counted: t.router_attempts.counted,
    })
    .from(t.router_attempts)
    .where(eq(t.router_attempts.provider_id, arg('provider_id')))
    .orderBy(desc(t.router_attempts.id))
    .limit(arg('limit')),
);

/** Attempts since a time that came to no answer over HTTP at all. */
export const unansweredSince = many<{ since: number; limit: number }>()('router_attempts', (db, t) =>
  db
    .select()
    .from(t.router_attempts)
    .where(
      and(
        isNull(t.router_attempts.http_status),
        gt(t.router_attempts.created_at, arg('since')),
        eq(t.router_attempts.outcome, 'failed'),
      ),
    )
    .orderBy(desc(t.router_attempts.created_at))
    .limit(arg('limit')),
);

export const routerCallByClaim = one<{ claim: string }>()('router_calls', (db, t) =>
  db
    .select()
    .from(t.router_calls)
    .where(eq(t.router_calls.claim, arg('claim')))
    .limit(1),
);

/** The calls of an agent before the cursor's id. */
export const routerCallsOf = many<{ agent_id: string; before: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.router_calls)
    .where(and(eq(t.router_calls.agent_id, arg('agent_id')), lt(t.router_calls.id, arg('before'))))
    .orderBy(desc(t.router_calls.id))
    .limit(arg('limit')),
);

/** The attempts that came to an agent as a provider, before the cursor's id. */
export const attemptsServedBy = many<{ agent_id: string; before: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.router_attempts)
    .where(and(eq(t.router_attempts.provider_agent_id, arg('agent_id')), lt(t.router_attempts.id, arg('before'))))
    .orderBy(desc(t.router_attempts.id))
    .limit(arg('limit')),
);
