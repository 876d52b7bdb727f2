// Turns what a caller says of an agent into columns: one mapping for creation, updates and the intake, so that all three
// fold and check alike.
import type { Static, TSchema } from 'typebox';
import type { Row } from '../../../db/schema/tables.ts';
import { availabilityFault } from '../../domain/agent/profile.ts';
import { togetherFault } from '../../domain/disclosure/disclosure.ts';
import type { Disclosable } from '../../domain/disclosure/finding.ts';
import { type Fault, isFault } from '../../domain/fault.ts';
import { parseGeo } from '../../domain/place/geo.ts';
import type { EntriesInput, PROFILE_INPUT } from '../../schemas/agent.ts';
import { disclosureFault, toldTogether } from '../told.ts';

type Given<T extends Record<string, TSchema>> = { [K in keyof T]?: Static<T[K]> };
export type ProfileInput = Given<typeof PROFILE_INPUT> & { readonly display_name?: string };

type Columns = Pick<
  Row<'agents'>,
  | 'display_name'
  | 'kind'
  | 'headline'
  | 'description'
  | 'offers'
  | 'seeks'
  | 'geo'
  | 'industry'
  | 'availability'
  | 'social_links'
  | 'visibility'
>;

function trimmedEntries(given: Static<typeof EntriesInput>): string[] {
  const list = typeof given === 'string' ? [given] : given;
  return list.map((entry) => (typeof entry === 'string' ? entry : entry.headline).trim());
}

function geoColumn(geo: ProfileInput['geo']): Row<'agents'>['geo'] {
  if (geo === null || geo === undefined) return null;
  if (typeof geo === 'string') return geo.trim() || null;
  return { countries: geo.countries ?? [], remote: geo.remote ?? false };
}

/** The previous profile, with the handle that is shown with it. */
export type ProfileBefore = Partial<Columns> & { readonly handle: string };

/** The refusal of private data in the profile together with all that is shown beside it. */
async function disclosedFault(input: ProfileInput, before: ProfileBefore): Promise<Fault<'disclosure_refused'> | null> {
  const given = [...profileDisclosables(input)];
  const alone = await disclosureFault(given);
  if (alone) return alone;
  const { handle, display_name, headline, description, offers = [], seeks = [], industry = [], geo } = before;
  const place = typeof geo === 'string' ? geo : null;
  const stood = {
    display_name,
    headline,
    description,
    geo: place,
    offers: [...offers],
    seeks: [...seeks],
    industry: [...industry],
  };
  const texts = [{ field: 'handle', text: handle }, ...profileDisclosables({ ...stood, ...input })];
  const fields = new Set(given.map(({ field }) => field));
  return togetherFault(await toldTogether(texts, (field) => fields.has(field)));
}

/**
 * The columns that a profile input sets; omitted fields set nothing. 400 names the invalid field. `before` is the current
 * profile, so that private data cannot be split over two edits.
 */
export async function profileColumns(
  input: ProfileInput,
  before: ProfileBefore,
): Promise<Partial<Columns> | Fault<'invalid_request' | 'disclosure_refused'>> {
  const refused = await disclosedFault(input, before);
  if (refused) return refused;
  const geo = parseGeo(input.geo);
  if (isFault(geo)) return geo;
  const unavailable = input.availability ? availabilityFault(input.availability) : null;
  if (unavailable) return unavailable;
  const { kind, visibility } = input;
  return {
    ...(input.display_name !== undefined && { display_name: input.display_name.trim() }),
    ...(kind !== undefined && { kind }),
    ...(input.headline !== undefined && { headline: input.headline.trim() }),
    ...(input.description !== undefined && { description: input.description.trim() }),
    ...(input.offers !== undefined && { offers: trimmedEntries(input.offers) }),
    ...(input.seeks !== undefined && { seeks: trimmedEntries(input.seeks) }),
    ...(input.geo !== undefined && { geo: geoColumn(input.geo) }),
    ...(input.industry !== undefined && { industry: [...new Set(input.industry.map((entry) => entry.trim()))] }),
    ...(input.availability !== undefined && { availability: availabilityColumn(input.availability) }),
    ...(input.social_links !== undefined && { social_links: { ...input.social_links } }),
    ...(visibility !== undefined && { visibility }),
  };
}

/** Only the declared fields: nested objects may carry others, which are never stored. */
function availabilityColumn(given: ProfileInput['availability']): Row<'agents'>['availability'] {
  if (!given) return null;
  return { tz: given.tz, windows: given.windows.map(({ day, from, to }) => ({ day, from, to })) };
}

// The texts of a profile as its owner sent them, each with its path, for scoped disclosure (interface.md item 9).

function* disclosableLines(field: string, given: ProfileInput['offers']): Generator<Disclosable> {
  if (typeof given === 'string') yield { field, text: given };
  else
    for (const [at, entry] of (given ?? []).entries()) {
      yield { field: `${field}.${at}`, text: typeof entry === 'string' ? entry : entry.headline };
    }
}

/** The free texts of a profile input. */
function* profileDisclosables(input: ProfileInput): Generator<Disclosable> {
  for (const field of ['display_name', 'headline', 'description'] as const) {
    const text = input[field];
    if (text) yield { field, text };
  }
  yield* disclosableLines('offers', input.offers);
  yield* disclosableLines('seeks', input.seeks);
  if (typeof input.geo === 'string') yield { field: 'geo', text: input.geo };
  for (const [at, text] of (input.industry ?? []).entries()) yield { field: `industry.${at}`, text };
  for (const [network, text] of Object.entries(input.social_links ?? {}))
    yield { field: `social_links.${network}`, text };
}
