// What an agent knows, as its person takes it along: the words, without what the service made of them. And what its programs asked
// their person for.
import { actionsOf } from '../../../db/queries/action.ts';
import { knowledgeOfAgent } from '../../../db/queries/knowledge.ts';
import { exported } from '../../../db/schema/personal-columns.ts';
import type { Read } from '../../../db/store.ts';
import { knowledgeView } from '../../schemas/knowledge.ts';
import type { Taken } from './walk.ts';

/** Entries of a slice; their texts are long. */
const SLICE = 20;

/** A slice of an agent's entries, newest first, before an id. */
export async function takeKnowledge(read: Read, agent_id: string, before: string): Promise<Taken<object>> {
  const rows = await read.peek(knowledgeOfAgent, { agent_id, before, limit: SLICE });
  return { rows: rows.map(knowledgeView), after: rows.length === SLICE ? (rows.at(-1)?.id ?? null) : null };
}

/** The same of what its programs asked for outside its bounds; what a call answered may be long. */
export async function takeActions(read: Read, agent_id: string, before: string): Promise<Taken<object>> {
  const rows = await read.peek(actionsOf, { agent_id, before, limit: SLICE });
  return {
    rows: rows.map((row) => exported('actions', row)),
    after: rows.length === SLICE ? (rows.at(-1)?.id ?? null) : null,
  };
}
