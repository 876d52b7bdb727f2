// Finds what an agent knows about a question. The vector of the question may be an outside embedder's, which is waited for a
// little; without it the words decide alone.
import { Type } from 'typebox';
import { vectorBytes } from '../../domain/negotiation/knowledge.ts';
import { FoundKnowledgeShape, knowledgeView, QUESTION_MAX } from '../../schemas/knowledge.ts';
import { visibleText } from '../../schemas/wire.ts';
import { type Meaning, ownKnowledge, publicKnowledge } from '../../steps/knowledge/search.ts';
import { embedsHere, vectorsInTime, vectorsOf } from '../../steps/listing/vectors.ts';
import { actor, type FlowPorts } from '../context.ts';
import { flow } from '../operation.ts';

const SHOWN = 10;
const SHOWN_MAX = 50;
/** Who searches waits for it; the words are there at once. */
const WAIT_MS = 3_000;

async function meaningOf(ports: Pick<FlowPorts, 'embedder' | 'tasks'>, question: string): Promise<Meaning | null> {
  const made = embedsHere(ports) ? vectorsOf(ports, [question]) : vectorsInTime(ports, [question], WAIT_MS);
  const [vector] = (await made) ?? [];
  const { model, closeness_floor: floor } = ports.embedder;
  return vector ? { model, floor, vector: vectorBytes(vector) } : null;
}

export const knowledgeSearch = flow({
  name: 'knowledge.search',
  summary: 'Search what an agent knows',
  description:
    "The agent's own entries, private ones too, the best first: by the words that they share with the question and by closeness in meaning. With `public` true it finds what others' questions would be answered from: public entries alone, by words.",
  input: Type.Object({
    q: visibleText(QUESTION_MAX, 'words, or a question'),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: SHOWN_MAX, default: SHOWN })),
    public: Type.Optional(Type.Boolean({ description: 'true: only what others may be told' })),
  }),
  output: Type.Array(FoundKnowledgeShape),
  example: { q: 'How long does delivery take?', limit: 3 },
  effect: 'reads',
  safe: true,
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  faults: [],
  rest: [{ method: 'GET', path: '/api/knowledge/search' }],
  tools: [{ name: 'mesh_search_knowledge', title: 'Search what an agent knows', set: 'agents' }],
  run: async ({ q, limit = SHOWN, public: as_others = false }, ctx, ports) => {
    const { id } = actor(ctx);
    const found = as_others
      ? await publicKnowledge(ctx.read, id, q, limit)
      : await ownKnowledge(ctx.read, id, { question: q, meaning: await meaningOf(ports, q), limit });
    return {
      reply: found.map(({ entry, score, by_meaning }) => ({ ...knowledgeView(entry), score, by_meaning })),
    };
  },
});
