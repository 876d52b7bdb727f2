// Why turns were taken for a deleted agent goes: it names what its person would have paid or charged. That it took them stays with the
// messages, which are the other side's record too, as do proposals; and what was approved, which is sealed, keeps bare ids and amounts.
import { apply, type Effect } from '../../../db/effects.ts';
import { threadJoinedFrom, threadOpenedFrom } from '../../../db/queries/leaving.ts';
import { turnsOf } from '../../../db/queries/negotiation.ts';
import { blanked } from '../../../db/schema/personal-columns.ts';
import type { AgentStage, Stages } from './erase.ts';

/** Conversations a turn; in few the service took any turns. */
const THREADS = 20;
/** Turns of an agent in one conversation; it takes twelve. */
const TURNS_MAX = 100;

/** Those in the conversations that it opened, or that were opened with it. */
function turns(side: 'opener' | 'other'): AgentStage {
  const query = side === 'opener' ? threadOpenedFrom : threadJoinedFrom;
  return async (read, { id: agent_id }, after) => {
    const effects: Effect<never>[] = [];
    let from = after;
    for (let looked = 0; looked < THREADS; looked += 1) {
      const thread = await read.peek(query, { agent_id, from });
      if (!thread) return () => ({ effects, after: null });
      const rows = await read.peek(turnsOf, { conversation_id: thread.id, agent_id, limit: TURNS_MAX });
      effects.push(...rows.map(({ id }) => apply('turns', id, (row) => blanked('turns', row, agent_id))));
      // No id stands between one and its own with a letter more.
      from = `${thread.id}~`;
    }
    return () => ({ effects, after: from });
  };
}

export const TURNS_TAKEN = { turns: [turns('opener'), turns('other')] } satisfies Stages;
