// The texts of a profile as its owner sent them, each with its path: what scoped disclosure looks at (interface.md item 9).
import type { Disclosable } from '../../domain/disclosure.ts';
import type { ProfileInput } from './profile.ts';

function* lines(field: string, given: ProfileInput['offers']): Generator<Disclosable> {
  if (typeof given === 'string') yield { field, text: given };
  else
    for (const [at, entry] of (given ?? []).entries()) {
      yield { field: `${field}.${at}`, text: typeof entry === 'string' ? entry : entry.headline };
    }
}

/** What a caller says in a profile, as far as it is free text. */
export function* toldInProfile(input: ProfileInput): Generator<Disclosable> {
  for (const field of ['display_name', 'headline', 'description'] as const) {
    const text = input[field];
    if (text) yield { field, text };
  }
  yield* lines('offers', input.offers);
  yield* lines('seeks', input.seeks);
  if (typeof input.geo === 'string') yield { field: 'geo', text: input.geo };
  for (const [at, text] of (input.industry ?? []).entries()) yield { field: `industry.${at}`, text };
  for (const [network, text] of Object.entries(input.social_links ?? {}))
    yield { field: `social_links.${network}`, text };
}
