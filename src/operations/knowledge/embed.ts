// Makes the vector of something that an agent knows. The call waits for nobody: it is a background task, and the reminder that it
// leaves stands until the vector does. Until then the entry is found by its words.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { knowledgeById } from '../../../db/queries/knowledge.ts';
import { isFault } from '../../domain/fault.ts';
import { vectorBytes } from '../../domain/negotiation/knowledge.ts';
import {
  EMBED_KNOWLEDGE,
  embedKnowledgeLater,
  knowledgeText,
  unremindKnowledge,
} from '../../steps/knowledge/vector.ts';
import { EMBED_MS, EMBEDDINGS_HOST, embedsHere, vectorsOf } from '../../steps/listing/vectors.ts';
import type { FlowCtx, FlowPorts } from '../context.ts';
import { flow } from '../operation.ts';

/** Writes the vector beside its entry, if that is still there. */
async function place(ctx: FlowCtx, id: string, made: { model: string; vector: Buffer } | null): Promise<void> {
  const outcome = await ctx.turn({
    attempt: async (read) => {
      const entry = await read(knowledgeById, { id });
      const written = entry && made ? [patch('knowledge', entry, made)] : [];
      return { reply: null, effects: [...written, unremindKnowledge(id)] };
    },
  });
  if (isFault(outcome)) throw new Error(`a vector could not be written: ${outcome.fault}`);
}

async function makeVector(
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'embedder'>,
  id: string,
  gone: AbortSignal,
): Promise<void> {
  const entry = await ctx.read(knowledgeById, { id });
  if (!entry) return place(ctx, id, null);
  const [vector] = (await vectorsOf(ports, [knowledgeText(entry)], gone)) ?? [];
  if (gone.aborted || !vector) return undefined;
  return place(ctx, id, { model: ports.embedder.model, vector: Buffer.from(vectorBytes(vector)) });
}

export const knowledgeEmbed = flow({
  ...EMBED_KNOWLEDGE,
  summary: 'Make the vector of something that an agent knows',
  output: Type.Object({ begun: Type.Boolean() }),
  effect: 'changes',
  access: 'internal',
  faults: [],
  rest: [],
  run: async ({ id }, ctx, ports) => {
    const again = embedKnowledgeLater(id, ctx.now_ms);
    const armed = await ctx.turn({ attempt: async () => ({ reply: null, effects: [again] }) });
    if (isFault(armed)) throw new Error(`a vector could not be asked for: ${armed.fault}`);
    const hosts = embedsHere(ports) ? [] : [EMBEDDINGS_HOST];
    const work = (gone: AbortSignal): Promise<void> => makeVector(ctx, ports, id, gone);
    ports.tasks.run(again.id, { hosts, deadline_ms: EMBED_MS, looks: true, work });
    return { reply: { begun: true } };
  },
});
