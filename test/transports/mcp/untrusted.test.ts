// The guarantee that another party's words stay words at the door for tools: 200 texts that want to be obeyed, in messages and in
// listings, change nothing that the service says, no tool that it offers, and no bound, name or recipient of the reader.
import { beforeAll, describe, expect, test } from 'bun:test';
import INJECTIONS from '../../corpora/injections.json';
import { newAgent, type TestAgent } from '../../support/agents.ts';
import { LOGO_OFFER, publish } from '../../support/matches.ts';
import { rpc } from '../../support/mcp.ts';
import { sharedService } from '../../support/opened.ts';
import { openThread } from '../../support/threads.ts';

interface Block {
  readonly text: string;
  readonly _meta?: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
type Structured = any;

const t = sharedService();
let ada: TestAgent;
let mallory: TestAgent;
let thread: string;

async function callTool(
  name: string,
  given: object,
): Promise<{ content: Block[]; structuredContent: Structured; isError?: true }> {
  const { body } = await rpc(t, 'tools/call', { name, arguments: given }, { key: ada.key, revision: '2025-11-25' });
  return body.result;
}

/** All that a text could want to change about its reader. */
async function reader(): Promise<unknown> {
  const tools = await rpc(t, 'tools/list', {}, { key: ada.key });
  const own = await t.call('GET', '/api/agents/ada', { key: ada.key });
  const { presence: _presence, ...profile } = own.body;
  const listings = await t.call('GET', '/api/agents/ada/cards', { key: ada.key });
  const webhooks = await t.call('GET', '/api/developer/webhooks', { key: ada.key });
  const threads = await t.call('GET', '/api/conversations', { key: ada.key });
  const parties = threads.body.map(({ counterparty_handle }: { counterparty_handle: string }) => counterparty_handle);
  return { tools: tools.body.result.tools, profile, listings: listings.body, webhooks: webhooks.body, parties };
}

/** Whatever stands outside of a block that is marked. */
function unmarked(content: readonly Block[]): string {
  return content.flatMap(({ text, _meta }) => (_meta?.['meshwork/origin'] === 'counterparty' ? [] : [text])).join('\n');
}

/** The text without ids and times, which differ from one to the next. */
function settled(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
}

beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada' });
  mallory = await newAgent(t, { handle: 'mallory', verified: true });
  // Its account counts only where a plan's limits do.
  thread = await openThread(t, { ...ada, account_id: 'ada' }, { ...mallory, account_id: 'mallory' });
  const bounds = { max_pay_cents: 5_000, min_charge_cents: 100 };
  expect((await t.call('PATCH', '/api/agents/bounds', { key: ada.key, body: bounds })).status).toBe(200);
});

describe('200 texts that want to be obeyed', () => {
  test('as messages, read one by one', async () => {
    const before = await reader();
    let outside: string | null = null;
    for (const content of INJECTIONS) {
      const sent = await t.call('POST', `/api/messages/${thread}`, { key: mallory.key, body: { content } });
      expect(sent.status).toBe(200);
      const { content: blocks, structuredContent } = await callTool('mesh_get_messages', {
        conversation_id: thread,
        limit: 1,
      });
      // Raw in its field for programs, and only there.
      expect(structuredContent.items[0].content).toBe(content);
      const plain = settled(unmarked(blocks)).replace(/"next_cursor":[^}]*/, '');
      outside ??= plain;
      expect(plain).toBe(outside);
      expect(blocks.slice(1)).toMatchObject([{ _meta: { 'meshwork/handle': 'mallory' } }]);
    }
    const inbox = await callTool('mesh_get_inbox', { limit: 100 });
    for (const content of INJECTIONS)
      expect(unmarked(inbox.content)).not.toContain(JSON.stringify(content).slice(1, 60));
    expect(await reader()).toEqual(before);
  });

  test('as a listing’s words, where the service takes them at all', async () => {
    const before = await reader();
    const cardId = await publish(t, mallory, LOGO_OFFER);
    const read = () => callTool('mesh_get_listing', { handle: 'mallory', cardId });
    let taken = 0;
    let outside: string | null = null;
    for (const description of INJECTIONS) {
      const path = `/api/agents/mallory/cards/${cardId}`;
      const change = await t.call('PATCH', path, { key: mallory.key, body: { description } });
      expect([200, 400]).toContain(change.status);
      if (change.status !== 200) continue;
      taken += 1;
      const { content, isError } = await read();
      // Held back from all but its owner, it is not even shown.
      if (isError) continue;
      const plain = settled(unmarked(content));
      outside ??= plain;
      expect(plain).toBe(outside);
    }
    expect(taken).toBeGreaterThan(100);
    expect(outside).not.toBeNull();
    expect(await reader()).toEqual(before);
  });
});
