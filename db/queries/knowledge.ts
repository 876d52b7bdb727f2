// Reads of what agents know. An entry is its agent's alone, but for those that others' questions may be answered from.
import { and, asc, desc, eq, gt, isNull, lt, ne, or } from 'drizzle-orm';
import { arg, byId, many } from '../query.ts';

export const knowledgeById = byId('knowledge');

/** A slice of an agent's entries before an id, newest first. */
type OfAgent = { agent_id: string; before: string; limit: number };

export const knowledgeOfAgent = many<OfAgent>()('knowledge', (db, t) =>
  db
    .select()
    .from(t.knowledge)
    .where(and(eq(t.knowledge.agent_id, arg('agent_id')), lt(t.knowledge.id, arg('before'))))
    .orderBy(desc(t.knowledge.id))
    .limit(arg('limit')),
);

/** Those that others' questions may be answered from. */
export const publicKnowledgeOfAgent = many<OfAgent>()('knowledge', (db, t) =>
  db
    .select()
    .from(t.knowledge)
    .where(and(eq(t.knowledge.agent_id, arg('agent_id')), lt(t.knowledge.id, arg('before')), eq(t.knowledge.public, 1)))
    .orderBy(desc(t.knowledge.id))
    .limit(arg('limit')),
);

/** Entries after an id whose vector another model made, or none has yet, oldest first. */
export const knowledgeOfOtherModels = many<{ model: string; after: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.knowledge)
    .where(and(gt(t.knowledge.id, arg('after')), or(isNull(t.knowledge.model), ne(t.knowledge.model, arg('model')))))
    .orderBy(asc(t.knowledge.id))
    .limit(arg('limit')),
);
