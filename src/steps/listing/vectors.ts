// The vectors of listings. An outside embedder is never waited for while a turn is loaded: until its vector is there a
// listing keeps the one that it had, or gets the built-in embedder's, which is compared with nothing and only holds the
// place; the reminder that follows (derived.ts) brings the right one.
import { vectorOfListing } from '../../../db/queries/match.ts';
import { templateWordsOf } from '../../../db/queries/template-words.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { FlowPorts, LoadPorts } from '../../contract/ports.ts';
import { embeddingText } from '../../domain/listing/listing.ts';
import { type WordWeights, wordWeights } from '../../domain/listing/template-words.ts';
import { BUILT_IN_MODEL, embedInSlices, embedText } from '../../outbound/embedder/built-in.ts';
import type { ListingContent } from './content.ts';

/** The name under which calls of the embeddings endpoint share their slots. */
export const EMBEDDINGS_HOST = 'embeddings';
/** For one batch, a slot's wait included; the endpoint's own deadline is shorter. */
export const EMBED_MS = 15_000;

/** A listing's vector and the model that made it; `pending` when another one has to be made of its text. */
export interface Embedding {
  readonly model: string;
  readonly vector: Int8Array;
  readonly pending: boolean;
}

/** A listing's new content, and its row before; null for a new one. */
export interface Worded {
  readonly content: ListingContent;
  readonly before: Row<'listings'> | null;
}

/** Listings whose words stay as they are. */
export function unchangedWords(rows: readonly Row<'listings'>[]): Worded[] {
  return rows.map((row) => ({ content: row, before: row }));
}

/** Which model is the service's own, which is all that a turn asks of an embedder. */
type Models = Pick<LoadPorts, 'embedder'>;

/** Whether vectors are made in this process, without a network call. */
export function embedsHere({ embedder }: Models): boolean {
  return embedder.model === BUILT_IN_MODEL;
}

/** The vector that is stored for a listing, if the service's model made it. */
async function keptVector(read: Read, { embedder }: Models, id: string): Promise<Int8Array | null> {
  const row = await read.peek(vectorOfListing, { id });
  if (row?.model !== embedder.model) return null;
  return new Int8Array(row.vector.buffer, row.vector.byteOffset, row.vector.byteLength);
}

/** The current word weights of a card type. A set that changes before the turn's commit makes the turn decide again. */
async function weightsOf(read: Read['peek'], card_type: string): Promise<WordWeights> {
  const row = await read(templateWordsOf, { id: card_type });
  return wordWeights(row?.shares ?? {});
}

/** The vector that a text has in listings of a card type by the built-in embedder, whether it is stored or only drafted. */
export async function ownVector(read: Read['peek'], card_type: string, text: string): Promise<Int8Array> {
  return embedText(text, await weightsOf(read, card_type));
}

/** The vectors that listings get in this commit, in order. Makes no network call. */
export async function embed(read: Read, ports: Models, listings: readonly Worded[]): Promise<Embedding[]> {
  const texts = listings.map(({ content }) => embeddingText(content));
  if (texts.length === 0) return [];
  const weights = new Map<string, WordWeights>();
  for (const { content } of listings) {
    if (!weights.has(content.card_type)) weights.set(content.card_type, await weightsOf(read, content.card_type));
  }
  const ofType = listings.map(({ content }) => weights.get(content.card_type));
  const vectors = await embedInSlices(texts, (at) => ofType[at]);
  const model = BUILT_IN_MODEL;
  if (embedsHere(ports)) return vectors.map((vector) => ({ model, vector, pending: false }));
  return Promise.all(
    vectors.map(async (vector, at): Promise<Embedding> => {
      const before = listings[at]?.before ?? null;
      const stored = before && (await keptVector(read, ports, before.id));
      if (!before || !stored) return { model, vector, pending: true };
      return { model: ports.embedder.model, vector: stored, pending: embeddingText(before) !== texts[at] };
    }),
  );
}

/** The vectors of texts by the service's own model, in order; null when the outside embedder does not answer. Never asked
 * for inside a turn. */
export async function vectorsOf(
  { embedder }: Pick<FlowPorts, 'embedder'>,
  texts: readonly string[],
  gone?: AbortSignal,
): Promise<readonly Int8Array[] | null> {
  const { model, vectors } = await embedder.embed(texts, gone);
  return model === embedder.model ? vectors : null;
}

/** The same with a deadline and a slot, ended when the service stops, for a caller that waits for an outside embedder. */
export async function vectorsInTime(
  ports: Pick<FlowPorts, 'embedder' | 'tasks'>,
  texts: readonly string[],
  deadline_ms: number = EMBED_MS,
): Promise<readonly Int8Array[] | null> {
  const work = (gone: AbortSignal): ReturnType<typeof vectorsOf> => vectorsOf(ports, texts, gone);
  return ports.tasks.call({ hosts: [EMBEDDINGS_HOST], deadline_ms, looks: true, work });
}

/** At start: has an outside embedder measure its floor of closeness, which the first answer brings along, before anything is
 * matched by vectors that an earlier run left. */
export function learnFloor(ports: Pick<FlowPorts, 'embedder' | 'tasks'>): void {
  if (embedsHere(ports)) return;
  const work = async (gone: AbortSignal): Promise<void> => {
    await ports.embedder.embed(['hello'], gone);
  };
  ports.tasks.run(EMBEDDINGS_HOST, { hosts: [EMBEDDINGS_HOST], deadline_ms: EMBED_MS, looks: true, work });
}
