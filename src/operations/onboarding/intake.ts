// Takes the intake: the profile, the listings of both sides, when to wake the agent. Sent again, it updates and never
// deletes (questions.md 134). Matching runs before the answer, which holds the first matches.
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { listingByHeadline } from '../../../db/queries/listing.ts';
import { webhooksOfAgent } from '../../../db/queries/webhook.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { togetherFault } from '../../domain/disclosure/disclosure.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { readWake, type Wake } from '../../domain/inbox/wake.ts';
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
import { Intake, type IntakeInput, type IntakeItem } from '../../schemas/intake.ts';
import { Listing } from '../../schemas/listing.ts';
import { MatchShape } from '../../schemas/match.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id } from '../../schemas/wire.ts';
import { loadOwn } from '../../steps/agent/load.ts';
import { changeAgent } from '../../steps/agent/own.ts';
import { profileColumns } from '../../steps/agent/profile.ts';
import { countedOut } from '../../steps/count-ahead.ts';
import { countIntake } from '../../steps/listing/cap.ts';
import { type ContentFault, contentOf, type ListingContent, saysContent } from '../../steps/listing/content.ts';
import { followChange } from '../../steps/listing/derived.ts';
import { readReviewing, slugFor } from '../../steps/listing/find.ts';
import { factsOf, type Owner, ownListing } from '../../steps/listing/gates.ts';
import { nicheFault, queueEffects, type Reviewing, saysSame } from '../../steps/listing/review.ts';
import { type Embedding, embed } from '../../steps/listing/vectors.ts';
import { openMatches } from '../../steps/match/find.ts';
import { show } from '../../steps/match.ts';
import { nextRound } from '../../steps/next-round.ts';
import { OnboardingStatus, progressOf } from '../../steps/onboarding/progress.ts';
import { urlFault } from '../../steps/outside.ts';
import { toldTogether } from '../../steps/told.ts';
import { agentWebhook, type MadeWebhook } from '../../steps/webhook.ts';

/** One parsed item, with the listing that it updates. */
interface Stated {
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

/** The items of both sides; of two with the same headline the later wins, as if sent one after the other. */
function mergedItems(offers: readonly IntakeItem[], seeks: readonly IntakeItem[]): Said[] {
  const all = [
    ...offers.map((item, at): Said => ({ item, direction: 'offer', path: `offers.${at}` })),
    ...seeks.map((item, at): Said => ({ item, direction: 'seek', path: `seeks.${at}` })),
  ];
  const byHeadline = new Map(all.map((one) => [`${one.direction}:${one.item.headline}`, one]));
  return [...byHeadline.values()];
}

// The paths of fields are those of the intake, not of a listing.
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

/** Checks the headlines as one text, since they are shown together. */
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

/** A seek without a budget asks for quotes, so that it goes live. */
function openToQuotes(content: ListingContent): ListingContent {
  const { fields } = content;
  if (fields.pricing_model !== undefined || !completenessOf(content).missing.includes('budget_cents')) return content;
  return { ...content, fields: { ...fields, pricing_model: 'quote' } };
}

/** Parses every item and reads what it updates; the first invalid one refuses all. `geo` is the default of new ones. */
async function readStated(
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

// A draft that the intake completes is published; a paused listing stays paused.
function statusOf(before: Row<'listings'> | null, facts: ListingFacts): ListingStatus {
  if (before === null || before.status === 'draft') return statusAtCreation(true, facts);
  if (before.status === 'pending_verification') return statusAfterVerify(before.status, facts);
  const next = statusAfterPatch(before.status, undefined, facts);
  return isFault(next) ? before.status : next.status;
}

/** The rows of the items, and their effects. */
function upsertStated(
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
    const unmeasured = { goals: null, verified_attributes: null, measured_at: null };
    const row: Row<'listings'> = { ...set, ...made, ...unmeasured, created_at: ctx.now_ms };
    rows.push(row);
    effects.push(insert('listings', row, fault('conflict')), ...queueEffects(ctx, row, doubts));
    effects.push(...followChange(ctx, null, row, embedding));
  }
  const added = items.filter(({ before }) => before === null).length;
  return { rows, effects: added > 0 ? [countIntake(agent.id, added), ...effects] : effects };
}

/** As many as the feed shows. */
const MATCHES_MAX = 20;

interface Written {
  readonly agent: Row<'agents'>;
  readonly listings: ReturnType<typeof ownListing>[];
  readonly account: Row<'accounts'> | null;
  readonly webhook: MadeWebhook | null;
}

type IntakeFault =
  | 'not_found'
  | 'invalid_request'
  | 'disclosure_refused'
  | 'restricted_niche'
  | 'direction_mismatch'
  | 'unsupported_currency'
  | 'plan_limit'
  | 'conflict';

/** One turn that writes the profile and the listings. */
async function writeIntake(
  read: Read,
  ctx: Ctx,
  ports: LoadPorts,
  input: IntakeInput,
  wake: Wake | undefined,
): Promise<Decision<Written, IntakeFault>> {
  const { agent, account, claims, facts } = await loadOwn(read, ctx, ports);
  if (!agent) return fault('not_found');
  const { display_name, headline, offers, seeks, geo, industry } = input;
  const columns = await profileColumns({ display_name, headline, offers, seeks, geo, industry }, agent);
  if (isFault(columns)) return columns;
  const items = await readStated(read, ctx, ports, agent.id, input);
  if (isFault(items)) return items;
  const { rows, effects } = upsertStated(ctx, items, { agent, claims });
  const { webhook_url: url } = input;
  const webhook =
    url === undefined ? null : agentWebhook(ctx, agent.id, url, await read(webhooksOfAgent, { agent_id: agent.id }));
  const set = { ...columns, ...(wake && { wake }), intake_at: agent.intake_at ?? ctx.now_ms };
  const profile = changeAgent(ctx, agent, set, facts, [...Object.keys(columns), ...(wake ? ['wake'] : []), 'intake']);
  const listings = rows.map((row) => ownListing(row, { agent, claims }, ctx.secrets.code_key));
  return {
    reply: { agent: profile.row, listings, account, webhook },
    effects: [...profile.effects, ...effects, ...(webhook ? [webhook.effect] : [])],
  };
}

export const onboardingIntake = flow({
  name: 'onboarding.intake',
  noun: 'The steps that activate an account.',
  summary: 'Send the intake',
  description:
    'Both offers and seeks are required, each with labels. An item updates the listing with the same headline and direction, ' +
    'else creates one; nothing is deleted, and an agent can have at most 40. Listings of an unverified agent are held until its first verification, but ' +
    "are matched at once. webhook_url becomes the agent's own webhook, which gets every event; its secret is in " +
    'the response once, and again when the address changes.',
  input: Intake,
  output: namedObject('IntakeResult', 'the result of the intake', {
    handle: Type.String(),
    listings: Type.Array(Listing),
    matches: Type.Array(MatchShape, { description: 'the best open matches that your plan shows' }),
    onboarding: OnboardingStatus,
    webhook: Type.Optional(
      Type.Object(
        { id: Id, signing_secret: Type.String() },
        { description: "the agent's own webhook, if webhook_url created or changed it" },
      ),
    ),
  }),
  secret: true,
  example: {
    offers: [{ headline: 'Logo design in two days', labels: ['logo-design', 'branding'], price_cents: 50_000 }],
    seeks: [{ headline: 'A logo for my bakery', labels: ['logo-design'], budget_cents: 90_000 }],
    wake: { min_match_score: 60 },
  },
  effect: 'changes',
  open_world: true,
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: [
    'not_found',
    'invalid_request',
    'disclosure_refused',
    'restricted_niche',
    'direction_mismatch',
    'unsupported_currency',
    'plan_limit',
    'conflict',
  ],
  rest: [{ method: 'POST', path: '/api/onboarding/intake' }],
  tools: [{ name: 'mesh_intake', title: 'Send the intake', set: 'agents' }],
  run: async (input, ctx, ports) => {
    const wake = input.wake && readWake(input.wake);
    if (isFault(wake)) return wake;
    const unusable = await urlFault(ports, input.webhook_url, 'webhook_url');
    if (unusable) return unusable;
    const outcome = await ctx.turn({ attempt: (read) => writeIntake(read, ctx, ports, input, wake) });
    if (isFault(outcome)) return outcome;
    const { agent, listings, account, webhook } = outcome.reply;
    const progress = progressOf(account, agent, ctx.settings.app_url);
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const { views, effects } = show(
          ctx,
          await openMatches(read, ctx, { listing_id: null, limit: MATCHES_MAX }),
          MATCHES_MAX,
        );
        const secret = webhook && { id: webhook.row.id, signing_secret: webhook.signing_secret };
        const shown = { handle: agent.handle, listings, matches: views, onboarding: progress };
        const reply = { ...shown, ...(secret && { webhook: secret }) };
        return { reply, effects };
      },
    });
  },
});
