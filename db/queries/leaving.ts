// Reads of a deleted account's rows, a slice at a time: each continues an index where the last slice ended.
import { and, asc, eq, gt, gte, lt, ne, not } from 'drizzle-orm';
import { arg, many, one, type Query } from '../query.ts';
import type { Row, Tables } from '../schema/tables.ts';

/** A slice of an agent's rows after an id. */
export type OfAgent = { agent_id: string; after: string; limit: number };

/** The first of an account's agents from an id on, deactivated or not. */
export const agentFrom = one<{ account_id: string; from: string }>()('agents', (db, t) =>
  db
    .select()
    .from(t.agents)
    .where(and(eq(t.agents.account_id, arg('account_id')), gte(t.agents.id, arg('from'))))
    .orderBy(asc(t.agents.id))
    .limit(1),
);

/** The names that lead to an agent, but for one. */
export const handlesOfAgent = many<{ agent_id: string; but: string; limit: number }>()('handles', (db, t) =>
  db
    .select()
    .from(t.handles)
    .where(and(eq(t.handles.agent_id, arg('agent_id')), ne(t.handles.id, arg('but'))))
    .limit(arg('limit')),
);

type ThreadQuery = Query<
  { agent_id: string; from: string },
  Pick<Row<'conversations'>, 'id' | 'opener_id' | 'other_id'> | null
>;

function threadAs(side: 'opener_id' | 'other_id'): ThreadQuery {
  return one<{ agent_id: string; from: string }>()(null, (db, { conversations }: Tables) =>
    db
      .select({ id: conversations.id, opener_id: conversations.opener_id, other_id: conversations.other_id })
      .from(conversations)
      .where(and(eq(conversations[side], arg('agent_id')), gte(conversations.id, arg('from'))))
      .orderBy(asc(conversations.id))
      .limit(1),
  );
}

/** The first thread from an id on that an agent opened; and of those that were opened with it. */
export const threadOpenedFrom: ThreadQuery = threadAs('opener_id');
export const threadJoinedFrom: ThreadQuery = threadAs('other_id');

/** A thread's messages after a position, with their authors. */
export const messagesBehind = many<{ conversation_id: string; n: number; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.messages.id, n: t.messages.n, sender_id: t.messages.sender_id })
    .from(t.messages)
    .where(and(eq(t.messages.conversation_id, arg('conversation_id')), gt(t.messages.n, arg('n'))))
    .orderBy(asc(t.messages.n))
    .limit(arg('limit')),
);

export const eventsBehind = many<{ agent_id: string; seq: number; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.events.id, seq: t.events.seq, handle: t.events.handle, data: t.events.data })
    .from(t.events)
    .where(and(eq(t.events.agent_id, arg('agent_id')), gt(t.events.seq, arg('seq'))))
    .orderBy(asc(t.events.seq))
    .limit(arg('limit')),
);

/** The events of an inbox between two ids, which bound a time, because ids begin with theirs. */
export const eventsBetween = many<{ agent_id: string; from: string; to: string; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.events.id, data: t.events.data })
    .from(t.events)
    .where(
      and(
        gte(t.events.id, arg('from')),
        lt(t.events.id, arg('to')),
        // To PostgreSQL this is an equality, and its key begins with the agent. SQLite's begins with the id: an equality
        // would have it read the whole inbox by the index of seqs.
        not(ne(t.events.agent_id, arg('agent_id'))),
      ),
    )
    .limit(arg('limit')),
);

/** The journals of a wallet's debits after a posting's number. */
export const journalsOut = many<{ account: string; n: number; limit: number }>()(null, (db, t) =>
  db
    .select({ journal: t.transfers.journal, n: t.transfers.debit_n })
    .from(t.transfers)
    .where(and(eq(t.transfers.debit, arg('account')), gt(t.transfers.debit_n, arg('n'))))
    .orderBy(asc(t.transfers.debit_n))
    .limit(arg('limit')),
);

type EscrowQuery = Query<OfAgent, Pick<Row<'escrows'>, 'id' | 'terms'>[]>;

function escrowsAs(side: 'buyer_id' | 'seller_id'): EscrowQuery {
  return many<OfAgent>()(null, (db, { escrows }: Tables) =>
    db
      .select({ id: escrows.id, terms: escrows.terms })
      .from(escrows)
      .where(and(eq(escrows[side], arg('agent_id')), gt(escrows.id, arg('after'))))
      .orderBy(asc(escrows.id))
      .limit(arg('limit')),
  );
}

export const escrowsBought: EscrowQuery = escrowsAs('buyer_id');
export const escrowsSold: EscrowQuery = escrowsAs('seller_id');

/** The disputes of an escrow; a side opens three at most. */
export const disputesOfEscrow = many<{ escrow_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.disputes.id, opened_by: t.disputes.opened_by })
    .from(t.disputes)
    .where(eq(t.disputes.escrow_id, arg('escrow_id'))),
);

export const pushConfigsOfAgent = many<{ agent_id: string; limit: number }>()('push_configs', (db, t) =>
  db
    .select()
    .from(t.push_configs)
    .where(eq(t.push_configs.agent_id, arg('agent_id')))
    .limit(arg('limit')),
);

/** Logs of a webhook that have not expired. */
export const freshLogs = many<{ webhook_id: string; after: string; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.webhook_logs.id })
    .from(t.webhook_logs)
    .where(and(eq(t.webhook_logs.webhook_id, arg('webhook_id')), gt(t.webhook_logs.id, arg('after'))))
    .orderBy(asc(t.webhook_logs.id))
    .limit(arg('limit')),
);

export const feedBehind = many<OfAgent>()(null, (db, t) =>
  db
    .select({ id: t.feed_entries.id })
    .from(t.feed_entries)
    .where(and(eq(t.feed_entries.agent_id, arg('agent_id')), gt(t.feed_entries.id, arg('after'))))
    .orderBy(asc(t.feed_entries.id))
    .limit(arg('limit')),
);
