// The effects of a listing's change on everything derived from it: the counts of its labels, its feed entry, its place in the
// indexes, its matches. One function for every write, so that none is forgotten.
import { Type } from 'typebox';
import { apply, type Effect, insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { FEED_MS, feedChange } from '../../domain/listing/feed.ts';
import { embeddingText } from '../../domain/listing/listing.ts';
import { packSignature } from '../../domain/text/signature.ts';
import { signatureOf } from '../../outbound/embedder/signature.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, remindNow, unremind } from '../reminder.ts';
import { measureAt, measuredSite } from './measure.ts';
import type { Embedding } from './vectors.ts';

/** The calls that match a listing again, that tell its owner of no match, and that end its open matches. */
export const RUN_LISTING = {
  name: 'match.run_listing',
  input: Type.Object({
    listing_id: Id,
    below: Type.Optional(Type.Number({ description: 'where an earlier look for counterparts ended' })),
  }),
} as const;
export const TELL_UNMATCHED = { name: 'match.tell_unmatched', input: Type.Object({ listing_id: Id }) } as const;
export const SUPERSEDE = { name: 'match.supersede', input: Type.Object({ listing_id: Id }) } as const;

/** Whether a listing is in the indexes: live, or an intake listing that waits for its agent's verification (Q8). */
export function isIndexed(row: Pick<Row<'listings'>, 'status' | 'origin'> | null): boolean {
  if (row === null) return false;
  return row.status === 'live' || (row.status === 'pending_verification' && row.origin === 'intake');
}

function publicLabels(row: Row<'listings'> | null): readonly string[] {
  return row?.status === 'live' ? row.labels : [];
}

// A label enters the table when a live listing first carries it: labels of drafts stay private.
function labelEffects(before: Row<'listings'> | null, after: Row<'listings'> | null, now_ms: number): Effect<never>[] {
  const [old, now] = [publicLabels(before), publicLabels(after)];
  const added = now.filter((label) => !old.includes(label));
  const dropped = old.filter((label) => !now.includes(label));
  return [
    ...added.flatMap((label) => [
      insert('labels', { id: label, uses: 0, created_at: now_ms }, 'ignore'),
      apply('labels', label, (row) => ({ uses: row.uses + 1 })),
    ]),
    ...dropped.map((label) => apply('labels', label, (row) => ({ uses: Math.max(0, row.uses - 1) }))),
  ];
}

/** The entry of the agent's feed that a listing's change makes. */
function feedEffects(ctx: Ctx, before: Row<'listings'> | null, after: Row<'listings'> | null): Effect<never>[] {
  const row = after ?? before;
  const change = feedChange(before, after);
  if (!row || change === null) return [];
  const { agent_id, id: listing_id, slug, headline, labels } = row;
  const told = { agent_id, change, listing_id, slug, headline, labels };
  return [insert('feed_entries', { id: ctx.id(), ...told, created_at: ctx.now_ms, expires_at: ctx.now_ms + FEED_MS })];
}

/** Runs matching for a listing right after this commit, before the reply. */
export function rematch(ctx: Ctx, listing_id: string): Effect<never> {
  return remindNow(RUN_LISTING, { listing_id }, { key: listing_id, now_ms: ctx.now_ms });
}

/** Goes on matching a listing in the background where a run had to stop: from its beginning when `below` is null. Its key is
 * its own, since a listing that is edited has to be matched before the reply. */
export function lookOn(listing_id: string, below: number | null, now_ms: number): Effect<never> {
  const input = { listing_id, ...(below !== null && { below }) };
  return remind(RUN_LISTING, input, { at: now_ms, key: `on:${listing_id}`, now_ms });
}

/** A freed place is filled this long after the last answer, so that ten declines cause one run. */
const REFILL_MS = 10_000;

/** Matches a listing again in the background, since one of its places is free. */
export function refill(listing_id: string, now_ms: number): Effect<never> {
  return remind(RUN_LISTING, { listing_id }, { at: now_ms + REFILL_MS, key: `freed:${listing_id}`, now_ms });
}

/** A listing and its matches often arrive shortly after each other; the owner is told when there is no match after this time. */
const UNMATCHED_MS = 120_000;

/** Tells a listing's owner that nothing fits it, unless something does by then. */
export function tellUnmatched(listing_id: string, now_ms: number): Effect<never> {
  return remind(TELL_UNMATCHED, { listing_id }, { at: now_ms + UNMATCHED_MS, key: listing_id, now_ms });
}

/** Ends the open matches of a deleted or paused listing. Linked conversations continue (questions.md 76). */
function supersede(ctx: Ctx, listing_id: string): Effect<never> {
  return remindNow(SUPERSEDE, { listing_id }, { key: listing_id, now_ms: ctx.now_ms });
}

/** The effect that puts a listing's vector and words where matching finds them. */
export function indexListing(row: Row<'listings'>, { model, vector }: Omit<Embedding, 'pending'>): Effect<never> {
  const { id: listing_id, agent_id, direction: side, labels, card_type } = row;
  const terms = packSignature(signatureOf(embeddingText(row)));
  return { do: 'embed', listing_id, agent_id, side, labels, card_type, model, vector, terms };
}

/**
 * The effects of a listing's change; `before` is null for a new one, `after` for a deleted one. `embedding` is that of
 * `after`.
 */
export function followChange(
  ctx: Ctx,
  before: Row<'listings'> | null,
  after: Row<'listings'> | null,
  embedding: Embedding | undefined,
): Effect<never>[] {
  const effects = [...labelEffects(before, after, ctx.now_ms), ...feedEffects(ctx, before, after)];
  const site = measuredSite(after);
  if (after && site !== null && site !== measuredSite(before)) {
    effects.push(measureAt(after.id, ctx.now_ms, ctx.now_ms));
  }
  if (after && isIndexed(after)) {
    if (!embedding) throw new Error('a listing that enters the index was not embedded');
    if (embedding.pending) effects.push(reembedNow(after.id, ctx.now_ms));
    return [...effects, indexListing(after, embedding), rematch(ctx, after.id)];
  }
  if (before && isIndexed(before)) {
    const { id: listing_id, agent_id, direction: side, card_type } = before;
    effects.push({
      do: 'embed',
      listing_id,
      agent_id,
      side,
      labels: [],
      card_type,
      model: '',
      vector: null,
      terms: null,
    });
    effects.push(supersede(ctx, before.id));
  }
  return effects;
}

/** The pause before a failed call of the embeddings endpoint is repeated. */
const REEMBED_AFTER_MS = 300_000;

/** The call that embeds again; without a listing it goes through all. */
export const REEMBED = { name: 'listing.reembed', input: Type.Object({ listing_id: Type.Optional(Id) }) } as const;

type Of = string | undefined;

const inputOf = (listing_id: Of): { listing_id?: string } => (listing_id === undefined ? {} : { listing_id });

/** Sends out for the vector of a listing (of all without one) before the reply, which does not wait for it. */
export function reembedNow(listing_id: Of, now_ms: number): Effect<never> {
  return remindNow(REEMBED, inputOf(listing_id), { key: listing_id ?? '', now_ms });
}

/** Schedules another attempt, as the current one may fail or be lost in a crash. */
export function reembedLater(listing_id: Of, now_ms: number): ReturnType<typeof remind> {
  return remind(REEMBED, inputOf(listing_id), { at: now_ms + REEMBED_AFTER_MS, key: listing_id ?? '', now_ms });
}

/** Cancels it once the vectors are stored. */
export function unremindReembed(listing_id: Of): Effect<never> {
  return unremind(REEMBED, listing_id ?? '');
}
