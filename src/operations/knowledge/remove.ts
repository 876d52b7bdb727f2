// Removes an entry of an agent's knowledge. It no longer counts toward the limit.
import { Type } from 'typebox';
import { knowledgeById } from '../../../db/queries/knowledge.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';
import { removeKnowledge } from '../../steps/knowledge/hold.ts';

export const knowledgeRemove = command({
  name: 'knowledge.remove',
  summary: 'Remove knowledge from an agent',
  input: Type.Object({ id: PathId }),
  output: Type.Object({ removed: Type.Literal(true), id: Id }),
  example: { id: SAMPLE.knowledge_id },
  effect: 'destroys',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'DELETE', path: '/api/knowledge/{id}' }],
  tools: [{ name: 'mesh_remove_knowledge', title: 'Remove knowledge from an agent', set: 'agents' }],
  load: (read, { id }) => read(knowledgeById, { id }),
  decide: (entry, _input, ctx) => {
    if (entry?.agent_id !== actor(ctx).id) return fault('not_found');
    return { reply: { removed: true as const, id: entry.id }, effects: removeKnowledge(entry) };
  },
});
