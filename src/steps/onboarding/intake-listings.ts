// The listings that an intake says: each is updated by headline and direction, or made; none is ever deleted
// (questions.md 134). They do not count to the plan's cap. While the agent is unverified they are held, and find
// matches that only their owner sees (questions.md 8).
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { listingByHeadline } from '../../../db/queries/listing.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { togetherFault } from '../../domain/disclosure/disclosure.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { completenessOf, type Direction } from '../../domain/listing/listing.ts';
import {
  type ListingFacts,
  type ListingStatus,
  statusAfterPatch,
  statusAfterVerify,
  statusAtCreation,
} from '../../domain/listing/state.ts';
import { subcategoryNamed } from '../../domain/listing/taxonomy.ts';
import { prefixed } from '../../domain/next-step.ts';
import type { IntakeItem } from '../../schemas/intake.ts';
import { countedOut } from '../count-ahead.ts';
import { countIntake } from '../listing/cap.ts';
import { type ContentFault, contentOf, type ListingContent, saysContent } from '../listing/content.ts';
import { followChange } from '../listing/derived.ts';
import { factsOf, type Owner } from '../listing/gates.ts';
import { nicheFault, queueEffects, type Reviewing, readReviewing, saysSame } from '../listing/review.ts';
import { slugFor } from '../listing/slug.ts';
import { type Embedding, embed } from '../listing/vectors.ts';
import { nextRound } from '../next-round.ts';
import { toldTogether } from '../told.ts';

/** One item read, with the listing that it updates. */
export interface Stated {
  readonly content: ListingContent;
  readonly before: Row<'listings'> | null;
  readonly slug: string;
  readonly embedding: Embedding | undefined;
  readonly doubts: Reviewing;
}

interface Said {
  readonly path: string;
  readonly direction: Direction;
  readonly item: IntakeItem;
}

/** The items of both sides; of two with one headline the later wins, as if they had been sent one after the other. */
function mergedItems(offers: readonly IntakeItem[], seeks: readonly IntakeItem[]): Said[] {
  const all = [
    ...offers.map((item, at): Said => ({ item, direction: 'offer', path: `offers.${at}` })),
    ...seeks.map((item, at): Said => ({ item, direction: 'seek', path: `seeks.${at}` })),
  ];
  const byHeadline = new Map(all.map((one) => [`${one.direction}:${one.item.headline}`, one]));
  return [...byHeadline.values()];
}

// The fields are named where they stand in the intake, not where they would in a listing.
function underPath<C extends ContentFault | 'restricted_niche'>(refusal: Fault<C>, path: string): Fault<C> {
  const { matches, fields: told } = refusal.data;
  if (Array.isArray(matches)) {
    const moved = matches.map((match: { field: string }) => ({ ...match, field: `${path}.${match.field}` }));
    return { ...refusal, message: prefixed(`${path}: `, refusal.message), data: { ...refusal.data, matches: moved } };
  }
  if (told === undefined) return { ...refusal, message: prefixed(`${path}: `, refusal.message) };
  const fields = told.map((field) => ({ ...field, path: `${path}.${field.path}` }));
  return { ...refusal, message: prefixed(`${path}: `, refusal.message), data: { ...refusal.data, fields } };
}

/** What the headlines tell one behind the other: they are shown so, as one agent's. */
async function headlinesFault(input: {
  readonly offers: readonly IntakeItem[];
  readonly seeks: readonly IntakeItem[];
}): Promise<Fault<'disclosure_refused'> | null> {
  for (const side of ['offers', 'seeks'] as const) {
    const texts = input[side].map(({ headline }, at) => ({ field: `${side}.${at}.headline`, text: headline }));
    const told = togetherFault(await toldTogether(texts));
    if (told) return told;
  }
  return null;
}

/** The items with the listings that they update. */
async function withBefore(
  read: Read,
  agent_id: string,
  said: readonly Said[],
): Promise<(Said & Pick<Stated, 'before'>)[]> {
  const found: (Said & Pick<Stated, 'before'>)[] = [];
  for (const one of said) {
    const { direction, item } = one;
    found.push({ ...one, before: await read(listingByHeadline, { agent_id, direction, headline: item.headline }) });
  }
  return found;
}

/** A seek that names no budget asks for quotes, so that it goes live. */
function openToQuotes(content: ListingContent): ListingContent {
  const { fields } = content;
  if (fields.pricing_model !== undefined || !completenessOf(content).missing.includes('budget_cents')) return content;
  return { ...content, fields: { ...fields, pricing_model: 'quote' } };
}

/** Reads every item and what it updates; the first that is wrong refuses all of them. `geo` is for new ones without. */
export async function readStated(
  read: Read,
  ctx: Ctx,
  ports: Pick<LoadPorts, 'embedder'>,
  agent_id: string,
  input: {
    readonly offers: readonly IntakeItem[];
    readonly seeks: readonly IntakeItem[];
    readonly geo?: IntakeItem['geo'];
  },
): Promise<Stated[] | Fault<ContentFault | 'restricted_niche' | 'plan_limit'>> {
  const said = await withBefore(read, agent_id, mergedItems(input.offers, input.seeks));
  const added = said.filter(({ before }) => before === null).length;
  const full = added > 0 ? await countedOut(read.peek, [countIntake(agent_id, added)]) : null;
  if (full) return full;
  const split = await headlinesFault(input);
  if (split) return split;
  const items: Omit<Stated, 'embedding'>[] = [];
  const taken = new Set<string>();
  for (const { item, direction, path, before } of said) {
    await nextRound();
    const typed = item.card_type ?? subcategoryNamed(item.subcategory ?? '')?.card_type;
    const card_type = typed ?? before?.card_type ?? (direction === 'offer' ? 'selling' : 'buying');
    const geo = item.geo === undefined && !before?.geo ? input.geo : item.geo;
    const content = await contentOf({ ...item, card_type, direction, geo }, before, ctx.id);
    if (isFault(content)) return underPath(content, path);
    const doubts = await readReviewing(read, content, before, actor(ctx).handle);
    const restricted = doubts.told ?? (before && saysSame(content, before) ? null : nicheFault(doubts));
    if (restricted) return underPath(restricted, path);
    const slug = before?.slug ?? (await slugFor(read, agent_id, content.headline, ctx.id, taken));
    taken.add(slug);
    items.push({ content: openToQuotes(content), before, slug, doubts });
  }
  const embeddings = await embed(read, ports, items);
  return items.map((item, at) => ({ ...item, embedding: embeddings[at] }));
}

// A draft that the intake completes is meant to be published; what its owner paused stays so.
function statusOf(before: Row<'listings'> | null, facts: ListingFacts): ListingStatus {
  if (before === null || before.status === 'draft') return statusAtCreation(true, facts);
  if (before.status === 'pending_verification') return statusAfterVerify(before.status, facts);
  const next = statusAfterPatch(before.status, undefined, facts);
  return isFault(next) ? before.status : next.status;
}

/** The rows that the items become, and the effects of it. */
export function upsertStated(
  ctx: Ctx,
  items: readonly Stated[],
  owner: Owner & { readonly agent: Row<'agents'> },
): { rows: Row<'listings'>[]; effects: Effect<'conflict' | 'plan_limit'>[] } {
  const { agent } = owner;
  const rows: Row<'listings'>[] = [];
  const effects: Effect<'conflict'>[] = [];
  for (const { content, before, slug, embedding, doubts } of items) {
    const facts = factsOf(content, owner, doubts);
    const verified = agent.verified_at !== null || before?.status === 'live';
    const status = statusOf(before, { ...facts, gates_passed: facts.gates_passed && verified });
    const set = { ...content, status, updated_at: ctx.now_ms };
    if (before) {
      const after = { ...before, ...set };
      const same = status === before.status && saysContent(content, before);
      rows.push(same ? before : after);
      if (same) continue;
      effects.push(patch('listings', before, set), ...queueEffects(ctx, after, doubts));
      effects.push(...followChange(ctx, before, after, embedding));
      continue;
    }
    const { id: agent_id, account_id } = agent;
    const made = { id: ctx.id(), agent_id, account_id, slug, origin: 'intake' as const, version: 1 };
    const unmeasured = { verified_attributes: null, measured_at: null };
    const row: Row<'listings'> = { ...set, ...made, ...unmeasured, created_at: ctx.now_ms };
    rows.push(row);
    effects.push(insert('listings', row, fault('conflict')), ...queueEffects(ctx, row, doubts));
    effects.push(...followChange(ctx, null, row, embedding));
  }
  const added = items.filter(({ before }) => before === null).length;
  return { rows, effects: added > 0 ? [countIntake(agent.id, added), ...effects] : effects };
}
