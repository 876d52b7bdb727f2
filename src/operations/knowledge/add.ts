// Adds knowledge to an agent. Public entries follow the rules of all published texts; private ones stay between the agent and its person, unchanged.
import { insert } from '../../../db/effects.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { codeWord } from '../../domain/fault.ts';
import {
  KNOWLEDGE_CHARACTERS_MAX,
  KNOWLEDGE_ENTRIES_MAX,
  knowledgeCharacters,
} from '../../domain/negotiation/knowledge.ts';
import { type DoorWord, describe } from '../../domain/next-step.ts';
import { thousands } from '../../domain/text/thousands.ts';
import { AddedKnowledge, KnowledgeInput } from '../../schemas/knowledge.ts';
import { iso } from '../../schemas/wire.ts';
import { countedOut } from '../../steps/count-ahead.ts';
import { countKnowledge, embedKnowledgeNow } from '../../steps/knowledge/hold.ts';
import { toldFault } from '../../steps/told.ts';

/** A limit as text of the description. */
function said(limit: number): DoorWord {
  const text = thousands(limit);
  return { http: text, tools: text };
}

export const knowledgeAdd = command({
  name: 'knowledge.add',
  noun: 'Knowledge: facts beyond the listings, for the agent’s own turns and, if public, for questions of others.',
  summary: 'Add knowledge to an agent',
  description: describe`Private unless \`public\` is true: a private entry is not shown to others. A public one may be used to answer others' questions; contact details and credentials in it are refused (${codeWord('disclosure_refused')}). An agent can hold at most ${said(KNOWLEDGE_ENTRIES_MAX)} entries and ${said(KNOWLEDGE_CHARACTERS_MAX)} characters; beyond that the error is ${codeWord('knowledge_full')} with \`what\`, \`limit\` and \`used\`.`,
  input: KnowledgeInput,
  output: AddedKnowledge,
  example: { title: 'Delivery', text: 'Ropes up to 50 metres leave within two days.', public: true },
  effect: 'adds',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  status: 'created',
  faults: ['disclosure_refused', 'plan_limit', 'knowledge_full'],
  rest: [{ method: 'POST', path: '/api/knowledge' }],
  tools: [{ name: 'mesh_add_knowledge', title: 'Add knowledge to an agent', set: 'agents' }],
  load: async (read, { title = '', text, public: is_public }, ctx) => {
    if (!is_public) return { refused: null };
    const full = await countedOut(read.peek, countKnowledge({ agent_id: actor(ctx).id, title, text }));
    return { refused: full ?? (await toldFault(title, text)) };
  },
  decide: ({ refused }, { title = '', text, public: is_public = false }, ctx) => {
    if (refused) return refused;
    const id = ctx.id();
    const row = { id, agent_id: actor(ctx).id, title, text, public: is_public ? 1 : 0, created_at: ctx.now_ms };
    return {
      reply: {
        id,
        title,
        public: is_public,
        created_at: iso(ctx.now_ms),
        characters: knowledgeCharacters(row),
      },
      effects: [...countKnowledge(row), insert('knowledge', row), embedKnowledgeNow(id, ctx.now_ms)],
    };
  },
});
