// The listing taxonomy: every subcategory with its typed fields, allowed pricing and gates (rules.md 11).
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { invalid } from '../../domain/fault.ts';
import { TAXONOMY } from '../../domain/listing/taxonomy.ts';
import { CardType, Direction } from '../../schemas/listing-input.ts';
import { namedObject } from '../../schemas/named.ts';

export const listingTaxonomy = query({
  name: 'listing.taxonomy',
  summary: 'Read the listing taxonomy',
  input: Type.Object({
    subcategory: Type.Optional(Type.String({ maxLength: 60, description: 'only this one; all of them are long' })),
  }),
  output: Type.Array(
    namedObject('TaxonomyEntry', 'a subcategory and the fields of its listings', {
      subcategory: Type.String(),
      label: Type.String(),
      card_type: CardType,
      directions: Type.Array(Direction),
      fields: Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema of the listing's fields" }),
      pricing: Type.Array(Type.String(), { description: 'allowed values of fields.pricing_model' }),
      gates: Type.Array(Type.String(), { description: 'proofs required before such a listing is public' }),
    }),
  ),
  access: 'public',
  any_origin: true,
  cache_seconds: 300,
  faults: ['invalid_request'],
  rest: [{ method: 'GET', path: '/api/listings/taxonomy' }],
  tools: [{ name: 'mesh_get_taxonomy', title: 'Read the listing taxonomy', set: 'discovery', extension: true }],
  run: async (_read, { subcategory: asked }) => {
    const found = TAXONOMY.filter(({ subcategory }) => asked === undefined || subcategory === asked);
    if (found.length === 0) {
      const names = TAXONOMY.map(({ subcategory }) => subcategory).join(', ');
      return invalid({ path: 'subcategory', message: `is none of ${names}` });
    }
    return found.map(({ fields, directions, pricing, gates, ...entry }) => ({
      ...entry,
      directions: [...directions],
      pricing: [...pricing],
      gates: [...gates],
      fields: { ...fields },
    }));
  },
});
