// The listing taxonomy: every subcategory with its typed fields, allowed pricing and gates (decisions.md 11).
import { Type } from 'typebox';
import { TAXONOMY } from '../../domain/listing/taxonomy.ts';
import { CardType, Direction } from '../../schemas/listing-words.ts';
import { namedObject } from '../../schemas/named.ts';
import { query } from '../operation.ts';

export const listingTaxonomy = query({
  name: 'listing.taxonomy',
  summary: 'Read the listing taxonomy',
  input: Type.Object({}),
  output: Type.Array(
    namedObject('TaxonomyEntry', 'a subcategory, and what its listings may say', {
      subcategory: Type.String(),
      label: Type.String(),
      card_type: CardType,
      directions: Type.Array(Direction),
      fields: Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema of the listing's fields" }),
      pricing: Type.Array(Type.String(), { description: 'what fields.pricing_model may be' }),
      gates: Type.Array(Type.String(), { description: 'what must be proven before such a listing is public' }),
    }),
  ),
  example: {},
  effect: 'reads',
  access: 'public',
  any_origin: true,
  cache_seconds: 300,
  faults: [],
  rest: [{ method: 'GET', path: '/api/listings/taxonomy' }],
  tools: [{ name: 'mesh_get_taxonomy', title: 'Read the listing taxonomy', set: 'discovery', extension: true }],
  run: async () =>
    TAXONOMY.map(({ fields, directions, pricing, gates, ...entry }) => ({
      ...entry,
      directions: [...directions],
      pricing: [...pricing],
      gates: [...gates],
      fields: { ...fields },
    })),
});
