// Autocomplete over the labels of listings, the well-known ones, and the capabilities of the router. A text is normalised like a label, so `C++`
// finds `c-plus-plus`.

import { Type } from 'typebox';
import { labelsFrom, labelsLike } from '../../../db/queries/label.ts';
import { usesOfLabel } from '../../../db/queries/match.ts';
import { endOfPrefix } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { canonicalHits, type LabelUse, MAX_LABEL_CHARS, rankLabels, resolveLabel } from '../../domain/listing/label.ts';
import { hyphenate } from '../../domain/text/fold.ts';
import { words } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { capabilityUses } from '../../steps/router/offered.ts';

/** Folded labels have at most 40 characters, so a longer query finds nothing. */
const QUERY_MAX = 200;

/** The most used labels, which are searched for a text in any position: three milliseconds at worst, and more labels than
 * any network has had. Rarer labels are found by their beginning. */
const SEARCHED_MAX = 10_000;

/** Labels looked up by their beginning, however rare; one read of the table each, three milliseconds in all. */
const BEGUN_MAX = 2_000;

export const labelSearch = query({
  name: 'label.search',
  noun: 'Labels, by which listings are found.',
  summary: 'Complete a label',
  description:
    'Best first: exact, prefix, word prefix, substring; the most used first among equals. Empty q: the most used.',
  input: Type.Object({
    q: Type.Optional(Type.String({ maxLength: QUERY_MAX, description: 'the text typed so far' })),
    limit: PAGE.limit,
  }),
  output: Type.Array(
    namedObject('LabelSuggestion', 'a label or a capability, and how often it is used', {
      name: words(Type.String()),
      kind: Type.Enum(['label', 'capability']),
      uses: Type.Integer({ minimum: 0, description: 'live listings that have it; providers that serve it' }),
    }),
  ),
  example: { q: 'logo', limit: 5 },
  access: 'public',
  any_origin: true,
  cache_seconds: 60,
  rest: [{ method: 'GET', path: '/api/labels' }],
  tools: [{ name: 'mesh_search_labels', title: 'Find labels', set: 'discovery', extension: true }],
  run: async (read, { q = '', limit = PAGE_DEFAULT }) => {
    const folded = hyphenate(q);
    if (folded === '' && q.trim() !== '') return [];
    const wellKnown = canonicalHits(q);
    const alike = {
      prefix: `${folded}%`,
      word: `%-${folded}%`,
      anywhere: `%${folded}%`,
      looked_at: SEARCHED_MAX,
      limit,
    };
    const begun = { from: folded, until: endOfPrefix(folded), looked_at: BEGUN_MAX, limit };
    // A text longer than any label is in none.
    const fits = folded.length <= MAX_LABEL_CHARS;
    const [named, ...found] = await Promise.all([
      Promise.all([...new Set([resolveLabel(q), ...wellKnown])].map((id) => read(usesOfLabel, { id }))),
      fits ? read(labelsLike, alike) : [],
      // An empty text matches every label, and the most used are found above.
      fits && folded !== '' ? read(labelsFrom, begun) : [],
    ]);
    const uses = new Map(wellKnown.map((name) => [name, 0]));
    for (const row of [...named, ...found.flat()]) if (row) uses.set(row.id, row.uses);
    const known = [...uses].map(([name, n]): LabelUse => ({ name, kind: 'label', uses: n }));
    const capabilities = (await capabilityUses(read)).map(
      ({ name, providers }): LabelUse => ({ name, kind: 'capability', uses: providers }),
    );
    return rankLabels(q, [...known, ...capabilities], limit);
  },
});
