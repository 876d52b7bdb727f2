// Stores which words weigh less in the vectors of a card type, when that set has changed, and recomputes the affected
// vectors. The set is stored first: from then on every commit uses it, and a reminder stands until the older vectors are
// done. They are not matched again for this: their scores change little, and follow with their next run.

import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { listingById } from '../../../db/queries/listing.ts';
import { vectorOfListing } from '../../../db/queries/match.ts';
import { templateWordsOf, vectorTermsAfter } from '../../../db/queries/template-words.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { isFault } from '../../domain/fault.ts';
import { CARD_TYPES, embeddingText } from '../../domain/listing/listing.ts';
import { changedWords } from '../../domain/listing/template-words.ts';
import { hashesOf } from '../../domain/text/signature.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { indexListing, isIndexed } from '../../steps/listing/derived.ts';
import { embedsHere, ownVector } from '../../steps/listing/vectors.ts';
import { reweighLater, unremindReweigh, WEIGH } from '../../steps/listing/weigh.ts';
import { nextRound } from '../../steps/next-round.ts';

/** Vectors whose words are checked before the event loop gets a turn. */
const LOOKED_AT = 200;
/** Vectors made in one turn: fifty blocked the loop for up to 20 ms, these for 13. */
const PER_TURN = 25;
/** For all listings; the reminder continues with the rest. */
const ALL_MS = HOUR_MS;

/** The changed words; null when they are not known (any word may have changed). */
type Changed = ReadonlySet<number> | null;

interface Stored {
  readonly changed: Changed;
  /** The version of the row that holds the set. */
  readonly version: number;
}

/** Stores the current set of a card type; null where no vector has to be recomputed. */
async function storeWords(
  read: Read,
  ctx: Ctx,
  ports: Pick<FlowPorts, 'templates'>,
  card_type: string,
  lost: boolean,
): Promise<Decision<Stored | null>> {
  const row = await read(templateWordsOf, { id: card_type });
  const shares = ports.templates(card_type);
  const changed = changedWords(row?.shares ?? {}, shares);
  if (changed.size === 0 && !lost) return { reply: null };
  const effects: Effect<never>[] = [reweighLater(card_type, ctx.now_ms)];
  if (!row) effects.push(insert('template_words', { id: card_type, shares }, 'ignore'));
  else if (changed.size > 0) effects.push(patch('template_words', row, { shares }));
  const version = (row?.version ?? 0) + (changed.size > 0 ? 1 : 0);
  return { reply: { changed: lost ? null : changed, version }, effects };
}

/** Recomputes the vectors of some listings that the set changes. */
async function remakeSome(read: Read, model: string, ids: readonly string[]): Promise<Decision<null>> {
  const effects: Effect<never>[] = [];
  for (const id of ids) {
    const row = await read(listingById, { id });
    const stored = await read.peek(vectorOfListing, { id });
    if (!row || !stored || stored.model !== model || !isIndexed(row)) continue;
    const vector = await ownVector(read, row.card_type, embeddingText(row));
    if (Buffer.compare(new Uint8Array(vector.buffer), stored.vector) === 0) continue;
    effects.push(indexListing(row, { model, vector }));
  }
  return { reply: null, effects };
}

async function remake(
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'embedder'>,
  card_type: string,
  { changed, version }: Stored,
  gone: AbortSignal,
): Promise<void> {
  const { model } = ports.embedder;
  for (let after = ''; ; ) {
    const page = await ctx.read(vectorTermsAfter, { after, limit: LOOKED_AT });
    const touched = page.filter(
      (row) =>
        row.card_type === card_type &&
        (!changed || !row.terms || hashesOf(row.terms).some((hash) => changed.has(hash))),
    );
    for (let at = 0; at < touched.length; at += PER_TURN) {
      const ids = touched.slice(at, at + PER_TURN).map(({ id }) => id);
      const outcome = await ctx.turn({ attempt: (read) => remakeSome(read, model, ids) });
      if (isFault(outcome)) throw new Error(`vectors could not be stored: ${outcome.fault}`);
      await nextRound();
      if (gone.aborted) return;
    }
    after = page.at(LOOKED_AT - 1)?.id ?? '';
    if (after === '') break;
    await nextRound();
    if (gone.aborted) return;
  }
  await ctx.turn({
    attempt: async (read) => {
      // A newer set has a reminder of its own.
      const row = await read(templateWordsOf, { id: card_type });
      return { reply: null, effects: row?.version === version ? [unremindReweigh(card_type)] : [] };
    },
  });
}

export const listingWeighWords = flow({
  ...WEIGH,
  summary: 'Weight the words that many listings share',
  output: Type.Object({ begun: Type.Array(Type.String(), { description: 'card types whose vectors are recomputed' }) }),
  effect: 'changes',
  access: 'internal',
  run: async ({ card_type: lost }, ctx, ports) => {
    const begun: string[] = [];
    // An outside model gives no access to the weights of words.
    const types = !embedsHere(ports) ? [] : lost === undefined ? CARD_TYPES : [lost];
    for (const card_type of types) {
      const outcome = await ctx.turn({
        attempt: (read) => storeWords(read, ctx, ports, card_type, lost !== undefined),
      });
      if (isFault(outcome)) throw new Error(`words could not be weighted: ${outcome.fault}`);
      const stored = outcome.reply;
      if (stored === null) continue;
      begun.push(card_type);
      const work = (gone: AbortSignal): Promise<void> => remake(ctx, ports, card_type, stored, gone);
      ports.tasks.run(`${WEIGH.name}:${card_type}`, { hosts: [], deadline_ms: ALL_MS, looks: true, work });
      await nextRound();
    }
    return { reply: { begun } };
  },
});
