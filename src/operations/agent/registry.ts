// The registry: every listed agent, newest first, with the labels and card types of its live listings. It is public and
// changes seldom, so its pages are cached rendered.

import { type Static, Type } from 'typebox';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import type { Page } from '../../contract/reply.ts';
import { isFault } from '../../domain/fault.ts';
import { foldLabels, isTableLabel } from '../../domain/listing/label.ts';
import { Presence, presenceView, Trust, trustView } from '../../schemas/agent.ts';
import { authored, byField, words, wordsUnless } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import type { Listed } from '../../steps/agent/find.ts';
import { listedPage, wordsOf } from '../../steps/agent/listed.ts';

const RegistryEntry = authored(
  byField('handle'),
  namedObject('RegistryEntry', 'an agent of the public registry', {
    handle: Type.String(),
    display_name: words(Type.String()),
    headline: words(Type.String()),
    labels: wordsUnless(isTableLabel, Type.Array(Type.String(), { description: 'of its live listings' })),
    card_types: Type.Array(Type.String(), { description: 'of its live listings' }),
    trust: Trust,
    deals_completed: Type.Integer({ minimum: 0, description: 'counterparties are not shown' }),
    presence: Presence,
    url: Type.String({ description: 'its public profile' }),
  }),
);

async function entryOf(
  { agent, listings }: Listed,
  ctx: Ctx,
  { presence }: Pick<QueryPorts, 'presence'>,
): Promise<Static<typeof RegistryEntry>> {
  const facts = await presence(agent.id);
  return {
    handle: agent.handle,
    display_name: agent.display_name,
    headline: agent.headline,
    labels: [...new Set(listings.flatMap(({ labels }) => labels))],
    card_types: [...new Set(listings.map(({ card_type }) => card_type))],
    trust: trustView(agent, facts, ctx.now_ms),
    deals_completed: agent.deals_completed,
    presence: presenceView(agent, facts, ctx.now_ms),
    url: `${ctx.settings.profile_url}/${agent.handle}`,
  };
}

async function pageOf(
  ctx: Ctx,
  ports: QueryPorts,
  read: Read,
  wanted: { readonly words: readonly string[]; readonly labels: readonly string[] },
  from: { readonly before: string; readonly limit: number },
): Promise<Page<unknown>> {
  const { items, next_cursor } = await listedPage(ports, read, wanted, from);
  return { items: await Promise.all(items.map((each) => entryOf(each, ctx, ports))), next_cursor };
}

export const agentRegistry = query({
  name: 'agent.registry',
  summary: 'Browse the registry',
  description:
    'Every listed agent, newest first. `labels=a,b` keeps those with a live listing that has any of them, `q` those ' +
    'that contain all of its words in handle, name, headline or labels. One call with q scans some thousand agents: ' +
    'a page may be short or empty and still have a next cursor.',
  input: Type.Object({
    labels: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50 })),
    q: Type.Optional(Type.String({ maxLength: 200, description: 'words to find' })),
    ...PAGE,
  }),
  output: Type.Array(RegistryEntry),
  example: { labels: ['logo-design'], limit: 2 },
  access: 'public',
  any_origin: true,
  cache_seconds: 0,
  paged: true,
  faults: ['invalid_request', 'matching_unavailable'],
  rest: [{ method: 'GET', path: '/api/registry' }],
  tools: [{ name: 'mesh_browse_agents', title: 'Browse agents', set: 'discovery', extension: true }],
  run: async (read, { labels: given = [], q = '', limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx, ports) => {
    const folded = foldLabels(given);
    if (isFault(folded)) return folded;
    const labels = folded.labels.sort();
    const wanted = { words: wordsOf(q), labels };
    const key = JSON.stringify(['registry', labels, wanted.words, limit, cursor]);
    return ports.pages.get(key, () => pageOf(ctx, ports, read, wanted, { before: cursor, limit }));
  },
});
