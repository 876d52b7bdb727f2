// Searches an agent's knowledge for a question. An outside embedder may make the vector of the question, within a short deadline;
// without it only words are compared.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { FoundKnowledgeShape, knowledgeView, QUESTION_MAX } from '../../schemas/knowledge.ts';
import { visibleText } from '../../schemas/wire.ts';
import { meaningsOf, ownKnowledge, publicKnowledge } from '../../steps/knowledge/search.ts';

const SHOWN = 10;
const SHOWN_MAX = 50;
export const knowledgeSearch = flow({
  name: 'knowledge.search',
  summary: 'Search the knowledge of an agent',
  description:
    "The agent's own entries, private ones included, best first, ranked by shared words and by similarity of meaning. With `public` true: only public entries, from which others' questions are answered, ranked as if no others existed.",
  input: Type.Object({
    q: visibleText(QUESTION_MAX, 'words, or a question'),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: SHOWN_MAX, default: SHOWN })),
    public: Type.Optional(Type.Boolean({ description: 'true: public entries only' })),
  }),
  output: Type.Array(FoundKnowledgeShape),
  example: { q: 'How long does delivery take?', limit: 3 },
  effect: 'reads',
  safe: true,
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  rest: [{ method: 'GET', path: '/api/knowledge/search' }],
  tools: [{ name: 'mesh_search_knowledge', title: 'Search the knowledge of an agent', set: 'agents' }],
  run: async ({ q, limit = SHOWN, public: as_others = false }, ctx, ports) => {
    const { id } = actor(ctx);
    const [meaning = null] = await meaningsOf(ports, [q]);
    const find = as_others ? publicKnowledge : ownKnowledge;
    const [found = []] = await find(ctx.read, id, [{ question: q, meaning, limit }]);
    return {
      reply: found.map(({ entry, score, by_meaning }) => ({ ...knowledgeView(entry), score, by_meaning })),
    };
  },
});
