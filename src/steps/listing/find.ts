// Reads for listings besides their rows: the reviews of their words, pages, a free slug.

import type { Static } from 'typebox';
import { claimsOfAgent } from '../../../db/queries/agent.ts';
import { listingsOfAgent, slugsFrom } from '../../../db/queries/listing.ts';
import { reviewOfListing } from '../../../db/queries/review.ts';
import { endOfPrefix, HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import type { Page } from '../../contract/reply.ts';
import { isListingSeenOn } from '../../domain/agent/profile.ts';
import { togetherFault } from '../../domain/disclosure/disclosure.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { freeSlug, slugOf } from '../../domain/listing/listing.ts';
import { nicheOf } from '../../domain/listing/niche.ts';
import { seenAs } from '../../schemas/agent.ts';
import { type ListingSeen, publicListing } from '../../schemas/listing.ts';
import type { ListingGiven } from '../../schemas/listing-input.ts';
import { PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../page.ts';
import { toldTogether } from '../told.ts';
import { type ListingContent, listingDisclosables } from './content.ts';
import { ownListing } from './gates.ts';
import { type Doubt, PRIVATE, type Reviewing } from './review.ts';

/** The listing as the caller may see it; 404 when hidden from the caller. Views by others than the owner are
 * counted. `owner` is its agent; null when it is gone. */
export async function listingSeenBy(
  read: Read,
  row: Row<'listings'>,
  owner: Row<'agents'> | null,
  ctx: Ctx,
  { views }: Pick<QueryPorts, 'views'>,
): Promise<ReturnType<typeof publicListing> | ReturnType<typeof ownListing> | Fault<'not_found'>> {
  const { kind, scopes } = ctx.principal;
  if (ctx.agent?.id === row.agent_id && (kind === 'session' || scopes.has('agents:read'))) {
    const [claims, reviews] = await Promise.all([
      read(claimsOfAgent, { agent_id: row.agent_id }),
      reviewsOf(read, [row]),
    ]);
    return ownListing(row, { agent: ctx.agent, claims }, ctx.secrets.code_key, reviews.get(row.id));
  }
  if (owner?.id !== row.agent_id || !isListingSeenOn(row.status, seenAs(owner), 'profile')) return fault('not_found');
  views.note({ ...row, listing_id: row.id }, ctx);
  return publicListing(row, owner.handle);
}

interface PageInput {
  readonly limit?: number;
  readonly cursor?: string;
}

/** A page of the views of rows, of which one more than `limit` was read. */
export function listingPage<T>(
  rows: readonly Row<'listings'>[],
  limit: number,
  view: (row: Row<'listings'>) => T,
): Page<T> {
  const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
  return { items: shown.map(view), next_cursor };
}

/** A page of one's own listings, newest first, in every state. */
export async function readOwnPage(
  read: Read,
  agent: Row<'agents'>,
  { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }: PageInput,
  ctx: Ctx,
): Promise<Page<Static<typeof ListingSeen>>> {
  const [rows, claims] = await Promise.all([
    read(listingsOfAgent, { agent_id: agent.id, before: cursor, limit: limit + 1 }),
    read(claimsOfAgent, { agent_id: agent.id }),
  ]);
  const reviews = await reviewsOf(read, rows);
  return listingPage(rows, limit, (row) =>
    ownListing(row, { agent, claims }, ctx.secrets.code_key, reviews.get(row.id)),
  );
}

/** Far more listings of one headline than are ever needed; an intake of forty listings reads this many for each. */
const LOOKED_AT_MAX = 500;

/** The random end of an id. */
const TAIL_CHARS = 12;

/** A slug that is free in the agent's listings and in `besides`. When more slugs have its prefix than are read, the next number is
 * unknown, and it gets the end of an id instead. */
export async function slugFor(
  read: Read,
  agent_id: string,
  headline: string,
  newId: () => string,
  besides: ReadonlySet<string> = new Set(),
): Promise<string> {
  const base = slugOf(headline);
  const begun = await read(slugsFrom, { agent_id, from: base, until: endOfPrefix(base), limit: LOOKED_AT_MAX });
  const taken = new Set(begun.map(({ slug }) => slug));
  const isTaken = (slug: string): boolean => taken.has(slug) || besides.has(slug);
  if (begun.length < LOOKED_AT_MAX || !isTaken(base)) return freeSlug(base, isTaken);
  return `${base}-${newId().slice(-TAIL_CHARS)}`;
}

/** The longest evidence an administrator reads; an approval is for this text. */
const EVIDENCE_MAX = 2_000;

/** Judges a listing as a whole, with its agent's handle. Unchanged text is not refused again. */
async function judgeContent(
  content: ListingContent,
  before: ListingContent | null,
  handle: string,
): Promise<Pick<Reviewing, 'told'> & { readonly doubt: Doubt | null }> {
  const texts = [{ field: 'handle', text: handle }, ...listingDisclosables(givenOf(content))];
  const old = new Set(
    before ? [...listingDisclosables(givenOf(before))].map(({ field, text }) => `${field} ${text}`) : [],
  );
  const fresh = new Set(
    texts
      .slice(1)
      .filter(({ field, text }) => !old.has(`${field} ${text}`))
      .map(({ field }) => field),
  );
  const together = await toldTogether(texts, (field) => fresh.has(field));
  const told = togetherFault(together);
  if (together.doubted.length === 0) return { told, doubt: null };
  const fields = new Set(together.doubted.map(({ field }) => field));
  const words = texts.filter(({ field }) => fields.has(field)).map(({ text }) => text);
  return { told, doubt: { verdict: 'unsure', niche: PRIVATE, evidence: words.join('\n').slice(0, EVIDENCE_MAX) } };
}

/** A stored listing as its author would have sent it. */
function givenOf({ headline, description, geo, labels, conditions, fields }: ListingContent): ListingGiven {
  const { tiers, dealbreakers, preferences } = conditions;
  // The service makes most tier ids; their digits are no text of the author.
  const named = tiers.map(({ name, price_cents }) => ({ name, price_cents }));
  return {
    headline,
    description,
    geo,
    labels: [...labels],
    conditions: { tiers: named, dealbreakers: [...dealbreakers], preferences: [...preferences] },
    fields,
  };
}

/** The verdict on a listing's words and what was decided about them; `before` is null for a new listing. `handle` is its agent's. */
export async function readReviewing(
  read: Read,
  content: ListingContent,
  before: Row<'listings'> | null,
  handle: string,
): Promise<Reviewing> {
  const trade = nicheOf(content);
  const { told, doubt } = await judgeContent(content, before, handle);
  const niche = trade.verdict === 'clean' && doubt ? doubt : trade;
  const counts = before !== null && (niche.verdict !== 'clean' || before.status === 'pending_review');
  return { niche, told, review: counts ? await read(reviewOfListing, { listing_id: before.id }) : null };
}

/** The newest reviews of paused listings: one of them may say why it does not go live. By the listing's id. */
async function reviewsOf(read: Read, rows: readonly Row<'listings'>[]): Promise<ReadonlyMap<string, Row<'reviews'>>> {
  const paused = rows.filter((row) => row.status === 'inactive');
  const found = await Promise.all(paused.map(({ id }) => read(reviewOfListing, { listing_id: id })));
  return new Map(found.flatMap((review) => (review?.listing_id ? [[review.listing_id, review]] : [])));
}
