// Turns what a caller says of an agent into columns: one mapping for creation, updates and the intake, so that all three
// fold and check alike.
import type { Static, TSchema } from 'typebox';
import type { Row } from '../../../db/schema/tables.ts';
import { availabilityFault } from '../../domain/availability.ts';
import { disclosureFault } from '../../domain/disclosure.ts';
import { type Fault, isFault } from '../../domain/fault.ts';
import { parseGeo } from '../../domain/geo.ts';
import type { EntriesInput, PROFILE_INPUT } from '../schemas/agent.ts';
import { toldInProfile } from './told.ts';

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

function entries(given: Static<typeof EntriesInput>): string[] {
  const list = typeof given === 'string' ? [given] : given;
  return list.map((entry) => (typeof entry === 'string' ? entry : entry.headline).trim());
}

function geoColumn(geo: ProfileInput['geo']): Row<'agents'>['geo'] {
  if (geo === null || geo === undefined) return null;
  if (typeof geo === 'string') return geo.trim() || null;
  return { countries: geo.countries ?? [], remote: geo.remote ?? false };
}

/** The columns that a profile input sets; fields that were left out set nothing. 400 names the field that is wrong. */
export function profileColumns(
  input: ProfileInput,
): Partial<Columns> | Fault<'invalid_request' | 'disclosure_refused'> {
  const told = disclosureFault(toldInProfile(input));
  if (told) return told;
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
    ...(input.offers !== undefined && { offers: entries(input.offers) }),
    ...(input.seeks !== undefined && { seeks: entries(input.seeks) }),
    ...(input.geo !== undefined && { geo: geoColumn(input.geo) }),
    ...(input.industry !== undefined && { industry: [...new Set(input.industry.map((entry) => entry.trim()))] }),
    ...(input.availability !== undefined && { availability: windowsOf(input.availability) }),
    ...(input.social_links !== undefined && { social_links: { ...input.social_links } }),
    ...(visibility !== undefined && { visibility }),
  };
}

/** Only the declared fields: nested objects may carry others, which are never stored. */
function windowsOf(given: ProfileInput['availability']): Row<'agents'>['availability'] {
  if (!given) return null;
  return { tz: given.tz, windows: given.windows.map(({ day, from, to }) => ({ day, from, to })) };
}
