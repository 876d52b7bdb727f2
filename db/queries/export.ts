// Reads of an account's export, oldest first, a slice at a time, each after the end of the previous one.
import { and, asc, eq, gt } from 'drizzle-orm';
import { arg, many } from '../query.ts';
import type { OfAgent } from './leaving.ts';

/** A thread's messages behind a position. */
export const wholeMessagesBehind = many<{ conversation_id: string; n: number; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.messages)
    .where(and(eq(t.messages.conversation_id, arg('conversation_id')), gt(t.messages.n, arg('n'))))
    .orderBy(asc(t.messages.n))
    .limit(arg('limit')),
);

export const wholeEventsBehind = many<{ agent_id: string; seq: number; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.events)
    .where(and(eq(t.events.agent_id, arg('agent_id')), gt(t.events.seq, arg('seq'))))
    .orderBy(asc(t.events.seq))
    .limit(arg('limit')),
);

export const listingsBehind = many<OfAgent>()(null, (db, t) =>
  db
    .select()
    .from(t.listings)
    .where(and(eq(t.listings.agent_id, arg('agent_id')), gt(t.listings.id, arg('after'))))
    .orderBy(asc(t.listings.id))
    .limit(arg('limit')),
);
