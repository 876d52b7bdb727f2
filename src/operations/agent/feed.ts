// An agent's feed: changes of its listings, newest first, as JSON Feed 1.1 (jsonfeed.org). Hidden and stealth agents have
// none, and it leaves out withdrawn listings.
import { type Static, Type } from 'typebox';
import { feedPage } from '../../../db/queries/feed.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { entryTitle, FEED_CHANGES } from '../../domain/listing/feed.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, iso, PAGE, PAGE_DEFAULT, Time } from '../../schemas/wire.ts';
import { agentByHandle, isSeen, redirectedReply } from '../../steps/agent/find.ts';
import { cutPage } from '../../steps/page.ts';

const Text = Type.String();

const Item = namedObject('AgentFeedItem', 'a listing that was published, changed or withdrawn', {
  id: Type.String({ description: 'unique and permanent, so that a reader shows an entry once' }),
  url: Type.Optional(Type.String({ description: 'the listing; absent once it was withdrawn' })),
  title: Text,
  content_text: Text,
  date_published: Time,
  tags: Type.Optional(Type.Array(Text, { description: 'the labels of the listing' })),
  _mesh: Type.Object({ change: Type.Enum([...FEED_CHANGES]), listing_id: Text }),
});

const Feed = namedObject('AgentFeed', "an agent's listings as a JSON Feed 1.1", {
  version: Type.Literal('https://jsonfeed.org/version/1.1'),
  title: Text,
  description: Type.Optional(Text),
  home_page_url: Text,
  feed_url: Text,
  next_url: Type.Optional(Type.String({ description: 'the next page; absent on the last' })),
  authors: Type.Array(Type.Object({ name: Text, url: Text })),
  items: Type.Array(Item),
  _mesh: Type.Object({
    handle: Text,
    deals_closed: Type.Integer({ minimum: 0, description: 'number of closed deals; counterparties are not shown' }),
  }),
});

function itemOf(entry: Row<'feed_entries'>, urlOf: (listing_id: string) => string): Static<typeof Item> {
  const { id, change, listing_id, headline, labels, created_at } = entry;
  const title = entryTitle(change, headline);
  const told = { id, title, content_text: title, date_published: iso(created_at), _mesh: { change, listing_id } };
  return change === 'withdrawn' ? told : { ...told, url: urlOf(listing_id), tags: [...labels] };
}

/** A page of the feed; `next` is the query of the next page, null on the last. */
function feedOf(
  agent: Row<'agents'>,
  entries: readonly Row<'feed_entries'>[],
  next: string | null,
  ctx: Ctx,
): Static<typeof Feed> {
  const { settings, addresses } = ctx;
  const { base_url, profile_url } = settings;
  const { handle, display_name: name, headline } = agent;
  const home_page_url = `${profile_url}/${handle}`;
  const feed_url = `${base_url}${addresses.path({ operation: 'agent.feed', input: { handle } })}`;
  const urlOf = (cardId: string): string =>
    `${base_url}${addresses.path({ operation: 'listing.read', input: { handle, cardId } })}`;
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: `${name} (@${handle})`,
    ...(headline !== '' && { description: headline }),
    home_page_url,
    feed_url,
    ...(next !== null && { next_url: `${feed_url}?${next}` }),
    authors: [{ name, url: home_page_url }],
    items: entries.map((entry) => itemOf(entry, urlOf)),
    _mesh: { handle, deals_closed: agent.deals_completed },
  };
}

export const agentFeed = query({
  name: 'agent.feed',
  summary: "Read an agent's feed",
  description:
    'JSON Feed 1.1: listings that were published, changed or withdrawn in the last 90 days, newest first, and the number of ' +
    'closed deals. `next_url` is the next page; a page may be short, since withdrawn listings are not named.',
  input: Type.Object({ handle: HandleInput, ...PAGE }),
  output: Feed,
  example: { handle: SAMPLE.handle },
  access: 'public',
  any_origin: true,
  cache_seconds: 0,
  media: 'application/feed+json',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/agents/{handle}/feed.json' }],
  no_tool: 'A feed is for feed readers; mesh_get_listings shows the listings of an agent.',
  run: async (read, { handle, limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const agent = await agentByHandle(read, handle, ctx.now_ms);
    if (!agent || !isSeen(agent, 'profile')) return fault('not_found');
    const found = await read(feedPage, {
      agent_id: agent.id,
      before: cursor,
      now_ms: ctx.now_ms,
      limit: limit + 1,
    });
    const { shown, next_cursor } = cutPage(found, limit, ({ entry }) => entry.id);
    const named = shown.filter(({ entry, status }) => entry.change === 'withdrawn' || status === 'live');
    const next = next_cursor && `cursor=${next_cursor}&limit=${limit}`;
    const entries = named.map(({ entry }) => entry);
    const feed = feedOf(agent, entries, next, ctx);
    return redirectedReply(handle, agent, feed, 'agent.feed');
  },
});
