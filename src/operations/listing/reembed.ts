// Makes anew the vectors of another model: after the embedder was switched, or after the endpoint failed and the built-in
// one stood in for it. Until then such a listing is found by its labels only, since two models' vectors do not compare.
import { Type } from 'typebox';
import { listingsOfOtherModels } from '../../../db/queries/listing.ts';
import { isFault } from '../../domain/fault.ts';
import { type FlowCtx, flow } from '../operation.ts';
import type { World } from '../world.ts';
import { embed, index, rematch } from './place.ts';
import { REEMBED_AFTER_MS, reembedAt } from './reembed-reminder.ts';

/** Listings a turn; an outside endpoint takes them in one batch. */
const PER_TURN = 50;
/** At start: whether the stored vectors are those of the embedder that is set. */
export async function reembedStale(world: World): Promise<void> {
  const stale = await world.store.read(listingsOfOtherModels, { model: world.embedder.model, limit: 1 });
  if (stale.length === 0) return;
  const now_ms = world.clock.now();
  await world.store.turn({ attempt: async () => ({ reply: null, effects: [reembedAt(now_ms, now_ms)] }) });
}

interface Slice {
  readonly done: number;
  readonly failing: boolean;
}

async function slice(ctx: FlowCtx): Promise<Slice | null> {
  const { model } = ctx.world.embedder;
  const outcome = await ctx.turn<Slice, never>({
    attempt: async (read) => {
      const rows = (await read(listingsOfOtherModels, { model, limit: PER_TURN })).map(({ listing }) => listing);
      const made = await embed(ctx, rows);
      const failing = made.some((embedding) => embedding.model !== model);
      if (failing) return { reply: { done: 0, failing }, effects: [] };
      const effects = rows.flatMap((row, at) => {
        const embedding = made[at];
        return embedding ? [index(row, embedding), rematch(ctx, row.id)] : [];
      });
      return { reply: { done: rows.length, failing }, effects };
    },
  });
  return isFault(outcome) ? null : outcome.reply;
}

export const listingReembed = flow({
  name: 'listing.reembed',
  summary: 'Make the vectors of another model anew',
  input: Type.Object({}),
  output: Type.Object({ updated: Type.Integer() }),
  access: 'internal',
  faults: [],
  rest: [],
  run: async (_input, ctx) => {
    let updated = 0;
    for (;;) {
      const one = await slice(ctx);
      if (one === null || one.done === 0) {
        // The endpoint still fails: this reminder ends, and another one comes later.
        const effects = one?.failing ? [reembedAt(ctx.now_ms + REEMBED_AFTER_MS, ctx.now_ms)] : [];
        await ctx.turn({ attempt: async () => ({ reply: null, effects }) });
        return { reply: { updated } };
      }
      updated += one.done;
    }
  },
});
