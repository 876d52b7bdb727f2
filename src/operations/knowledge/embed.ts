// Makes the vector of a knowledge entry, or of all entries with vectors of another model. It runs as a background task, so that no
// call waits; a reminder stands until the vector is stored. Until then the entry is found by its words.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { knowledgeById, knowledgeOfOtherModels } from '../../../db/queries/knowledge.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { isFault } from '../../domain/fault.ts';
import { vectorBytes } from '../../domain/negotiation/knowledge.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { EMBED_KNOWLEDGE, embedKnowledgeLater, knowledgeText, unremindKnowledge } from '../../steps/knowledge/hold.ts';
import { EMBED_MS, EMBEDDINGS_HOST, embedsHere, vectorsOf } from '../../steps/listing/vectors.ts';

/** Entries that are embedded together: 200,000 characters at most, one batch of an outside endpoint. */
const PER_TURN = 10;
/** For all entries after a change of the embedder; the reminder continues with the rest. */
const ALL_MS = HOUR_MS;

type Entry = Row<'knowledge'>;

/** Makes the vectors of entries and stores each whose entry still exists; false where none could be made. */
async function makeVectors(
  ctx: FlowCtx,
  { embedder }: Pick<FlowPorts, 'embedder'>,
  entries: readonly Entry[],
  gone: AbortSignal,
): Promise<boolean> {
  const vectors = await vectorsOf({ embedder }, entries.map(knowledgeText), gone);
  if (gone.aborted || !vectors) return false;
  const { model } = embedder;
  const outcome = await ctx.turn({
    attempt: async (read) => {
      const effects: Effect<never>[] = [];
      for (const [at, { id }] of entries.entries()) {
        const [now, vector] = [await read(knowledgeById, { id }), vectors[at]];
        if (now && vector) effects.push(patch('knowledge', now, { model, vector: Buffer.from(vectorBytes(vector)) }));
        effects.push(unremindKnowledge(id));
      }
      return { reply: null, effects };
    },
  });
  if (isFault(outcome)) throw new Error(`a vector could not be stored: ${outcome.fault}`);
  return true;
}

/** Ends the reminder. */
async function rest(ctx: FlowCtx, id: string | undefined): Promise<void> {
  await ctx.turn({ attempt: async () => ({ reply: null, effects: [unremindKnowledge(id)] }) });
}

async function makeVectorOf(
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'embedder'>,
  id: string,
  gone: AbortSignal,
): Promise<void> {
  const entry = await ctx.read(knowledgeById, { id });
  if (entry) await makeVectors(ctx, ports, [entry], gone);
  else await rest(ctx, id);
}

async function makeMissing(ctx: FlowCtx, ports: Pick<FlowPorts, 'embedder'>, gone: AbortSignal): Promise<void> {
  const { model } = ports.embedder;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const entries: readonly Entry[] = await ctx.read(knowledgeOfOtherModels, { model, after, limit: PER_TURN });
    if (entries.length > 0 && !(await makeVectors(ctx, ports, entries, gone))) return;
    after = entries.at(-1)?.id;
  }
  await rest(ctx, undefined);
}

export const knowledgeEmbed = flow({
  ...EMBED_KNOWLEDGE,
  summary: 'Compute the vector of a knowledge entry',
  output: Type.Object({ begun: Type.Boolean() }),
  effect: 'changes',
  access: 'internal',
  run: async ({ id }, ctx, ports) => {
    const again = embedKnowledgeLater(id, ctx.now_ms);
    const armed = await ctx.turn({ attempt: async () => ({ reply: null, effects: [again] }) });
    if (isFault(armed)) throw new Error(`a vector could not be requested: ${armed.fault}`);
    const hosts = embedsHere(ports) ? [] : [EMBEDDINGS_HOST];
    const work = (gone: AbortSignal): Promise<void> =>
      id === undefined ? makeMissing(ctx, ports, gone) : makeVectorOf(ctx, ports, id, gone);
    ports.tasks.run(again.id, { hosts, deadline_ms: id === undefined ? ALL_MS : EMBED_MS, looks: true, work });
    return { reply: { begun: true } };
  },
});
