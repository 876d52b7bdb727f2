// Autocomplete over the labels that listings carry, the well-known ones, and the capabilities of the router. A text is folded and resolved like a label,
// so `C++` finds `c-plus-plus`.
import { Type } from 'typebox';
import { labelsLike } from '../../../db/queries/label.ts';
import { usesOfLabel } from '../../../db/queries/match.ts';
import { CAPABILITIES } from '../../domain/capability.ts';
import { hyphenate } from '../../domain/fold.ts';
import { canonicalHits, type LabelUse, rankLabels, resolveLabel } from '../../domain/label.ts';
import { query } from '../operation.ts';
import { PAGE, PAGE_DEFAULT } from '../schemas/wire.ts';

/** Folded labels have at most 40 characters, so a longer query finds nothing. */
const QUERY_MAX = 200;

export const labelSearch = query({
  name: 'label.search',
  summary: 'Complete a label',
  description:
    'Best first: exact, prefix, word prefix, substring; the most used first among equals. Empty q: the most used.',
  input: Type.Object({
    q: Type.Optional(Type.String({ maxLength: QUERY_MAX, description: 'what was typed so far' })),
    limit: PAGE.limit,
  }),
  output: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.Enum(['label', 'capability']),
      uses: Type.Integer({ minimum: 0, description: 'live listings that carry it; providers that serve it' }),
    }),
  ),
  access: 'public',
  any_origin: true,
  cache_seconds: 60,
  faults: [],
  rest: [{ method: 'GET', path: '/api/labels' }],
  run: async (read, { q = '', limit = PAGE_DEFAULT }) => {
    const folded = hyphenate(q);
    if (folded === '' && q.trim() !== '') return [];
    const wellKnown = canonicalHits(q);
    const alike = { prefix: `${folded}%`, word: `%-${folded}%`, anywhere: `%${folded}%`, limit };
    const [named, found] = await Promise.all([
      Promise.all([...new Set([resolveLabel(q), ...wellKnown])].map((id) => read(usesOfLabel, { id }))),
      read(labelsLike, alike),
    ]);
    const uses = new Map(wellKnown.map((name) => [name, 0]));
    for (const row of [...named, ...found]) if (row) uses.set(row.id, row.uses);
    const known = [...uses].map(([name, n]): LabelUse => ({ name, kind: 'label', uses: n }));
    const capabilities = CAPABILITIES.map(({ name }): LabelUse => ({ name, kind: 'capability', uses: 0 }));
    return rankLabels(q, [...known, ...capabilities], limit);
  },
});
