// Makes vectors with the configured embedder: for a listing stored without one, after a change of the embedder, or after a
// failure of the endpoint. Until then the listing is found by labels and words, since vectors of different models cannot be
// compared. It runs as a background task, so that no call waits; a reminder stands until the vector is stored.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import { listingById, listingsOfOtherModels } from '../../../db/queries/listing.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { isFault } from '../../domain/fault.ts';
import { embeddingText } from '../../domain/listing/listing.ts';
import { HOUR_MS } from '../../domain/time.ts';
import {
  indexListing,
  isIndexed,
  REEMBED,
  reembedLater,
  rematch,
  unremindReembed,
} from '../../steps/listing/derived.ts';
import { EMBED_MS, EMBEDDINGS_HOST, embedsHere, ownVector, vectorsOf } from '../../steps/listing/vectors.ts';

/** Listings a turn, one batch of an outside endpoint. */
const PER_TURN = 50;
/** For all listings after a change of the embedder; the reminder continues with the rest. */
const ALL_MS = HOUR_MS;

/** Stores vectors and matches again; a listing that changed meanwhile has a new reminder. Vectors of the built-in model are
 * made in the turn, with the current weights of words. */
async function placeVectors(
  read: Read,
  ctx: Ctx,
  ports: Pick<FlowPorts, 'embedder'>,
  rows: readonly Row<'listings'>[],
  vectors: readonly Int8Array[] | null,
): Promise<Decision<number>> {
  const effects: Effect<never>[] = [];
  let count = 0;
  for (const [at, row] of rows.entries()) {
    const now = await read(listingById, { id: row.id });
    if (!now || !isIndexed(now) || embeddingText(now) !== embeddingText(row)) continue;
    const vector = vectors === null ? await ownVector(read, now.card_type, embeddingText(now)) : vectors[at];
    if (!vector) continue;
    count += 1;
    effects.push(
      indexListing(now, { model: ports.embedder.model, vector }),
      rematch(ctx, row.id),
      unremindReembed(row.id),
    );
  }
  return { reply: count, effects };
}

/** Makes and stores the vectors of some listings; answers how many, 0 when the endpoint fails. */
async function makeVectors(
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'embedder'>,
  rows: readonly Row<'listings'>[],
  gone: AbortSignal,
): Promise<number> {
  const vectors = embedsHere(ports) ? null : await vectorsOf(ports, rows.map(embeddingText), gone);
  if (gone.aborted || (vectors === null && !embedsHere(ports))) return 0;
  const outcome = await ctx.turn({ attempt: (read) => placeVectors(read, ctx, ports, rows, vectors) });
  if (isFault(outcome)) throw new Error(`vectors could not be stored: ${outcome.fault}`);
  return outcome.reply;
}

async function makeVectorOf(
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'embedder'>,
  listing_id: string,
  gone: AbortSignal,
): Promise<void> {
  const row = await ctx.read(listingById, { id: listing_id });
  if (row && isIndexed(row)) await makeVectors(ctx, ports, [row], gone);
  else await ctx.turn({ attempt: async () => ({ reply: null, effects: [unremindReembed(listing_id)] }) });
}

async function makeMissing(ctx: FlowCtx, ports: Pick<FlowPorts, 'embedder'>, gone: AbortSignal): Promise<void> {
  const { model } = ports.embedder;
  for (;;) {
    const stale = await ctx.read(listingsOfOtherModels, { model, limit: PER_TURN });
    const rows = stale.map(({ listing }) => listing);
    if (rows.length === 0) break;
    if ((await makeVectors(ctx, ports, rows, gone)) === 0) return;
  }
  await ctx.turn({ attempt: async () => ({ reply: null, effects: [unremindReembed(undefined)] }) });
}

export const listingReembed = flow({
  ...REEMBED,
  summary: 'Recompute the vectors of another model',
  output: Type.Object({ begun: Type.Boolean() }),
  effect: 'changes',
  access: 'internal',
  run: async ({ listing_id }, ctx, ports) => {
    const again = reembedLater(listing_id, ctx.now_ms);
    const armed = await ctx.turn({ attempt: async () => ({ reply: null, effects: [again] }) });
    if (isFault(armed)) throw new Error(`vectors could not be requested: ${armed.fault}`);
    const hosts = embedsHere(ports) ? [] : [EMBEDDINGS_HOST];
    const work = (gone: AbortSignal): Promise<void> =>
      listing_id === undefined ? makeMissing(ctx, ports, gone) : makeVectorOf(ctx, ports, listing_id, gone);
    const deadline_ms = listing_id === undefined ? ALL_MS : EMBED_MS;
    ports.tasks.run(again.id, { hosts, deadline_ms, looks: true, work });
    return { reply: { begun: true } };
  },
});
