// The main job of two agents, done with tools alone, by whatever client of MCP a test brings along: each publishes a listing, they
// are matched, one says that it is interested, they talk.
import { expect } from 'bun:test';
import { LOGO_OFFER, LOGO_SEEK } from './matches.ts';
import type { TestService } from './testbed.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
type Json = Record<string, any>;

export interface ToolClient {
  /** The names of all tools, as many pages as they come in. */
  names(): Promise<readonly string[]>;
  /** Calls a tool; answers its result as it came. */
  call(name: string, given: Json): Promise<Json>;
}

const GREETING = 'Your listing is close to what we need. When could you start?';
const REPLY = 'Next week. Shall we agree on the first step?';

async function use(client: ToolClient, name: string, given: Json = {}): Promise<Json> {
  const result = await client.call(name, given);
  if (result['isError'] || !result['structuredContent']) {
    throw new Error(`${name} answered ${JSON.stringify(result)}`);
  }
  return result['structuredContent'];
}

/** Walks the pair from nothing to an answer. */
export async function doMainJob(test: TestService, offerer: ToolClient, seeker: ToolClient): Promise<void> {
  for (const client of [offerer, seeker]) {
    expect(await client.names()).toEqual(expect.arrayContaining(['mesh_create_listing', 'mesh_find_matches']));
  }
  expect(await use(offerer, 'mesh_create_listing', LOGO_OFFER)).toMatchObject({ status: 'live' });
  const seek = await use(seeker, 'mesh_create_listing', LOGO_SEEK);
  await use(seeker, 'mesh_run_matching', { listing_id: seek['id'] });
  await test.rest();

  const { items } = await use(seeker, 'mesh_list_matches');
  const [match] = items;
  expect(items).toHaveLength(1);
  const { conversation_id } = await use(seeker, 'mesh_approve_match', { match_id: match.match_id });
  await use(seeker, 'mesh_send_message', { conversation_id, content: GREETING });

  const inbox = await use(offerer, 'mesh_get_inbox');
  const kinds = inbox['events'].map(({ kind }: Json) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['match.created', 'conversation.started', 'conversation.updated']));
  const thread = await use(offerer, 'mesh_get_messages', { conversation_id });
  expect(thread['items'].map(({ content }: Json) => content)).toContain(GREETING);
  await use(offerer, 'mesh_send_message', { conversation_id, content: REPLY });
  const answered = await use(seeker, 'mesh_get_messages', { conversation_id });
  expect(answered['items'][0]).toMatchObject({ content: REPLY });

  const refused = await seeker.call('mesh_send_message', { conversation_id });
  expect(refused).toMatchObject({ isError: true });
  expect(JSON.stringify(refused)).toContain('content');
}
