// Lists people and companies: the agents of the registry in short form, without the platform's agent.

import { Type } from 'typebox';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { isTableLabel } from '../../domain/listing/label.ts';
import { authored, byField, words, wordsUnless } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { newestListed } from '../../steps/agent/find.ts';
import { cutPage } from '../../steps/page.ts';

export const peopleBrowse = query({
  name: 'people.browse',
  noun: 'People and businesses to browse.',
  summary: 'Browse people and companies',
  description: 'Every listed agent of a person or company, newest first.',
  input: Type.Object(PAGE),
  output: Type.Array(
    authored(
      byField('handle'),
      namedObject('Person', 'a person or business to browse', {
        handle: Type.String(),
        display_name: words(Type.String()),
        kind: Type.Enum(['person', 'company']),
        headline: words(Type.String()),
        labels: wordsUnless(isTableLabel, Type.Array(Type.String(), { description: 'of its live listings' })),
        trust_score: Type.Number({ minimum: 0, maximum: 100 }),
      }),
    ),
  ),
  example: { limit: 2 },
  access: 'public',
  any_origin: true,
  cache_seconds: 0,
  paged: true,
  rest: [{ method: 'GET', path: '/api/people/browse' }],
  tools: [{ name: 'mesh_browse_people', title: 'Browse people and companies', set: 'discovery', extension: true }],
  run: (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, _ctx, { pages }) =>
    pages.get(JSON.stringify(['people', limit, cursor]), async () => {
      const found = await newestListed(read, cursor, limit + 1);
      const { shown, next_cursor } = cutPage(found, limit, ({ agent }) => agent.id);
      return {
        items: shown
          .filter(({ agent }) => agent.kind !== 'platform')
          .map(({ agent, listings }) => ({
            handle: agent.handle,
            display_name: agent.display_name,
            kind: agent.kind,
            headline: agent.headline,
            labels: [...new Set(listings.flatMap(({ labels }) => labels))],
            trust_score: agent.trust_score,
          })),
        next_cursor,
      };
    }),
});
