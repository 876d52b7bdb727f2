// Recomputes the vectors of an agent's live listings, or stores the agent's own vector for them. Vectors of different
// models cannot be compared, so a vector of another model is not stored (questions.md 44).
import { Type } from 'typebox';
import { listingById, liveListingsOfAgent } from '../../../db/queries/listing.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { invalid, isFault } from '../../domain/fault.ts';
import { embeddingText } from '../../domain/listing/listing.ts';
import { EMBEDDING_DIMENSIONS, toInt8 } from '../../outbound/embedder/embedder.ts';
import { namedObject } from '../../schemas/named.ts';
import { indexListing, reembedNow, rematch } from '../../steps/listing/derived.ts';
import { embedsHere, ownVector, vectorsInTime } from '../../steps/listing/vectors.ts';

/** Listings a turn, matched again before the next. */
const PER_TURN = 50;

/** Stores vectors for matching; a missing one follows later, as when a listing changes. Vectors of the built-in model are
 * made in the turn, with the current weights of words. */
async function placeVectors(
  read: Read,
  ctx: Ctx,
  ports: Pick<FlowPorts, 'embedder'>,
  rows: readonly Row<'listings'>[],
  vectors: readonly Int8Array[] | null,
): Promise<Decision<number>> {
  const now = await Promise.all(rows.map(({ id }) => read(listingById, { id })));
  // A listing that was edited meanwhile got its vector by the edit.
  const same = rows.flatMap((row, at) => {
    const after = now[at];
    return after?.status === 'live' && embeddingText(after) === embeddingText(row) ? [{ row: after, at }] : [];
  });
  const live = await Promise.all(
    same.map(async ({ row, at }) => ({
      row,
      vector:
        vectors === null && embedsHere(ports)
          ? await ownVector(read, row.card_type, embeddingText(row))
          : vectors?.[at],
    })),
  );
  const { model } = ports.embedder;
  const effects = live.flatMap(({ row, vector }) =>
    vector ? [indexListing(row, { model, vector }), rematch(ctx, row.id)] : [reembedNow(row.id, ctx.now_ms)],
  );
  return { reply: live.length, effects };
}

/** Vectors of the outside embedder; null where the turn makes them, or where it gave none in time. */
async function outsideVectors(
  ports: Pick<FlowPorts, 'embedder' | 'tasks'>,
  rows: readonly Row<'listings'>[],
): Promise<readonly Int8Array[] | null> {
  return embedsHere(ports) ? null : vectorsInTime(ports, rows.map(embeddingText));
}

export const listingEmbed = flow({
  name: 'listing.embed',
  summary: 'Recompute the vectors of your listings',
  description:
    `An empty body recomputes the vectors of all live listings of the agent; a vector of ${EMBEDDING_DIMENSIONS} numbers replaces ` +
    "them, if it comes from the service's own model: vectors of another model cannot be compared, " +
    'and updated is then 0. The listings are matched again at once; editing a listing also recomputes its vector.',
  input: Type.Object({
    // The length is checked below, so that the error names both the expected and the given length.
    vector: Type.Optional(Type.Array(Type.Number(), { maxItems: 4_096 })),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'the model that made the vector' })),
  }),
  output: namedObject('EmbeddedListings', 'the number of recomputed vectors, and their model', {
    handle: Type.String(),
    model: Type.String({ description: "the service's model, the only one whose vectors are compared" }),
    dimensions: Type.Integer(),
    updated: Type.Integer({ description: 'listings whose vector was recomputed' }),
  }),
  effect: 'changes',
  access: 'key',
  scope: 'listings:write',
  agent: 'required',
  faults: ['invalid_request'],
  rest: [{ method: 'POST', path: '/api/agents/{handle}/embeddings', acting: 'handle' }],
  no_tool: 'An edit recomputes the vector; this is for programs that bring their own.',
  run: async ({ vector, model: given }, ctx, ports) => {
    const { id: agent_id, handle } = actor(ctx);
    const { model } = ports.embedder;
    if (vector && vector.length !== EMBEDDING_DIMENSIONS) {
      const message = `Give ${EMBEDDING_DIMENSIONS} numbers, not ${vector.length}.`;
      return invalid({ path: 'vector', message });
    }
    const supplied = vector ? toInt8(Float32Array.from(vector)) : null;
    let updated = 0;
    for (let before = given === undefined || given === model ? HIGHEST_ID : ''; before !== ''; ) {
      // The call is made between two turns, so that no turn waits for the embedder.
      const rows = await ctx.read(liveListingsOfAgent, { agent_id, before, limit: PER_TURN });
      const made = supplied ? rows.map(() => supplied) : await outsideVectors(ports, rows);
      const outcome = await ctx.turn({ attempt: (read) => placeVectors(read, ctx, ports, rows, made) });
      if (isFault(outcome)) return outcome;
      updated += outcome.reply;
      before = rows.at(PER_TURN - 1)?.id ?? '';
    }
    const reply = { handle, model, dimensions: EMBEDDING_DIMENSIONS, updated };
    return ctx.turn({ final: true, attempt: async () => ({ reply }) });
  },
});
