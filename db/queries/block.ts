// Reads of blocks, and of what two agents already have with each other.
import { and, desc, eq, lt, or, sql } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';
import type { Tables } from '../schema/tables.ts';

/** One agent's block of another; the id is blockId's. */
export const blockById = byId('blocks');

/** The agents that an agent blocks, and those that block it. */
export const blocksAround = many<{ agent_id: string }>()(null, (db, t) =>
  db
    .select({ agent_id: t.blocks.agent_id, blocked_id: t.blocks.blocked_id })
    .from(t.blocks)
    .where(or(eq(t.blocks.agent_id, arg('agent_id')), eq(t.blocks.blocked_id, arg('agent_id')))),
);

/** Two agents, in either order. */
type Pair = { a: string; b: string };

const blocksBetween = ({ conversations }: Tables) =>
  or(
    and(eq(conversations.opener_id, arg('a')), eq(conversations.other_id, arg('b'))),
    and(eq(conversations.opener_id, arg('b')), eq(conversations.other_id, arg('a'))),
  );

export const threadsBetween = many<Pair>()(null, (db, t) =>
  db
    .select({ id: t.conversations.id, opener_id: t.conversations.opener_id })
    .from(t.conversations)
    .where(blocksBetween(t)),
);

/** The thread of two agents that takes words, the newest; else the newest of those that are over. */
export const liveThreadBetween = one<Pair>()(null, (db, t) =>
  db
    .select({ id: t.conversations.id })
    .from(t.conversations)
    .where(blocksBetween(t))
    .orderBy(
      sql`case when ${t.conversations.status} in ('open', 'escalated') then 0 else 1 end`,
      desc(t.conversations.id),
    )
    .limit(1),
);

/** Whether two agents were ever matched so that `a` could see it. */
export const matchBetween = one<Pair>()(null, (db, { matches }) =>
  db
    .select({ id: matches.id })
    .from(matches)
    .where(
      or(
        and(eq(matches.offer_agent_id, arg('a')), eq(matches.seek_agent_id, arg('b')), eq(matches.offer_visible, 1)),
        and(eq(matches.offer_agent_id, arg('b')), eq(matches.seek_agent_id, arg('a')), eq(matches.seek_visible, 1)),
      ),
    )
    .limit(1),
);

/** The agents that an agent blocks, before an agent's id, newest agent first. */
export const blocksOf = many<{ agent_id: string; before: string; limit: number }>()(null, (db, t) =>
  db
    .select({ blocked_id: t.blocks.blocked_id, handle: t.agents.handle, created_at: t.blocks.created_at })
    .from(t.blocks)
    .innerJoin(t.agents, eq(t.agents.id, t.blocks.blocked_id))
    .where(and(eq(t.blocks.agent_id, arg('agent_id')), lt(t.blocks.blocked_id, arg('before'))))
    .orderBy(desc(t.blocks.blocked_id))
    .limit(arg('limit')),
);
