// Both sides of one match at once: the place where most turns of different agents meet on one row.
import { type Call, callOf } from './call.ts';
import { ownerOf, type Planned } from './planned.ts';
import type { Sim } from './sim.ts';

const MATCH = `SELECT match_id, conversation_id, offer_agent_id, seek_agent_id FROM matches
  WHERE status IN ('pending', 'approved') ORDER BY status = 'pending', updated_at DESC, match_id LIMIT 6`;

interface Match {
  readonly match_id: string;
  readonly conversation_id: string | null;
  readonly offer_agent_id: string;
  readonly seek_agent_id: string;
}

/** What a side may do about the match, by operation. */
function deed(sim: Sim, { match_id, conversation_id }: Match): [name: string, planned: Omit<Planned, 'as' | 'agent'>] {
  const { choose } = sim;
  const action = choose.pick(['interested', 'interested', 'saved', 'not_a_fit']);
  switch (choose.below(conversation_id === null ? 7 : 9)) {
    case 0:
      return ['match.summary', { path: { match_id } }];
    case 1:
      return ['match.feed', {}];
    case 2:
      return ['match.run', { body: {} }];
    case 7:
      return [
        'message.send',
        { path: { conversation_id: conversation_id ?? '' }, body: { content: `${choose.bits()}` } },
      ];
    case 8:
      return ['conversation.read', { path: { conversation_id: conversation_id ?? '' } }];
    default:
      return ['match.feedback', { body: { match_id, action } }];
  }
}

/** So many calls of the two sides of some match; none while there is no match between people of the simulation. */
export function contest(sim: Sim, count: number): Call[] {
  const match = sim.choose.maybe(sim.db.rows<Match>(MATCH));
  if (!match) return [];
  const sides = [match.offer_agent_id, match.seek_agent_id].flatMap((id) =>
    sim.people.flatMap((person) =>
      person.agents.filter((agent) => agent.id === id).map(({ handle }) => ({ person, handle })),
    ),
  );
  const calls: Call[] = [];
  for (let n = 0; n < count && sides.length > 0; n++) {
    const { person, handle } = sim.choose.pick(sides);
    const as = ownerOf(sim, person);
    const [name, plan] = deed(sim, match);
    const operation = sim.operations.find((each) => each.name === name);
    if (as && operation) calls.push(callOf(sim, operation, person, { ...plan, as, agent: handle }, 0));
  }
  return calls;
}
