// Reads of the outgoing access of an account's agents, which `account.revoke_all` ends with the credentials.
import { and, eq, isNotNull, or } from 'drizzle-orm';
import { arg, many } from '../query.ts';

/** Some of the webhooks of an account's agents that take deliveries, with their agents' handles. */
export const activeWebhooks = many<{ account_id: string; limit: number }>()(null, (db, t) =>
  db
    .select({ webhook: t.webhooks, handle: t.agents.handle })
    .from(t.webhooks)
    .innerJoin(t.agents, eq(t.agents.id, t.webhooks.agent_id))
    .where(and(eq(t.agents.account_id, arg('account_id')), eq(t.webhooks.active, 1)))
    .orderBy(t.webhooks.id)
    .limit(arg('limit')),
);

/** Some of the push configs of an account's agents. */
export const pushConfigsOfAccount = many<{ account_id: string; limit: number }>()(null, (db, t) =>
  db
    .select({ config: t.push_configs, handle: t.agents.handle })
    .from(t.push_configs)
    .innerJoin(t.agents, eq(t.agents.id, t.push_configs.agent_id))
    .where(eq(t.agents.account_id, arg('account_id')))
    .orderBy(t.push_configs.id)
    .limit(arg('limit')),
);

/** Some of an account's agents that have a key pair or an endpoint of their own, deactivated ones among them. */
export const reachedAgents = many<{ account_id: string; limit: number }>()('agents', (db, t) =>
  db
    .select()
    .from(t.agents)
    .where(
      and(eq(t.agents.account_id, arg('account_id')), or(isNotNull(t.agents.public_key), isNotNull(t.agents.a2a_url))),
    )
    .orderBy(t.agents.id)
    .limit(arg('limit')),
);
