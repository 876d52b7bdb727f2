// The calls that an agent of the story makes by itself, by the door that it came through: REST on a real socket, or tools by the
// official client of MCP. Both answer the body; a list is the bare list.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Json, type RestClient, restClient } from './rest-client.ts';

interface Call {
  readonly tool: string;
  /** Method and path; what stands in braces is taken from the input. */
  readonly rest: string;
  /** What the body says beside the input, where the tool means it by its name. */
  readonly fixed?: Json;
}

const CALLS = {
  register: { tool: 'mesh_register', rest: 'POST /api/agents' },
  onboarding: { tool: 'mesh_onboarding_status', rest: 'GET /api/onboarding/status' },
  verifyLink: { tool: 'mesh_verify_link', rest: 'POST /api/verify-links' },
  bound: { tool: 'mesh_set_bounds', rest: 'PATCH /api/agents/bounds' },
  publish: { tool: 'mesh_create_listing', rest: 'POST /api/agents/{own}/cards' },
  matches: { tool: 'mesh_list_matches', rest: 'GET /api/agents/{own}/matches' },
  interested: { tool: 'mesh_approve_match', rest: 'POST /api/matching/feedback', fixed: { action: 'interested' } },
  advance: { tool: 'mesh_advance', rest: 'POST /api/conversations/{conversation_id}/advance' },
  propose: { tool: 'mesh_propose', rest: 'POST /api/conversations/{conversation_id}/propose' },
  compared: { tool: 'mesh_list_proposals', rest: 'GET /api/proposals' },
  conversation: { tool: 'mesh_get_conversation', rest: 'GET /api/conversations/{conversation_id}' },
  deal: { tool: 'mesh_check_deals', rest: 'GET /api/deals/{deal_id}' },
  escrow: { tool: 'mesh_get_escrow', rest: 'GET /api/wallet/escrow/{escrow_id}' },
  deliver: { tool: 'mesh_submit_deliverable', rest: 'POST /api/wallet/escrow/{escrow_id}/deliverable' },
  review: { tool: 'mesh_review_deal', rest: 'POST /api/deals/{deal_id}/review' },
  inbox: { tool: 'mesh_get_inbox', rest: 'GET /api/inbox' },
} as const satisfies Readonly<Record<string, Call>>;

export type Act = keyof typeof CALLS;

/** The calls of one agent; a refusal throws. */
export interface AgentDoor {
  call(act: Act, given?: Readonly<Record<string, unknown>>): Promise<Json>;
  close(): Promise<void>;
}

/** Opens a door for an agent with its key. */
export type OpenDoor = (url: string, key: string, handle: string) => Promise<AgentDoor>;

/** One request, its input put where the route has it. */
function ask(client: RestClient, key: string, { rest, fixed }: Call, given: Record<string, unknown>): Promise<Json> {
  const left = new Map(Object.entries(given));
  const [method = '', pattern = ''] = rest.split(' ');
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(left.get(name));
    left.delete(name);
    return encodeURIComponent(value);
  });
  left.delete('own');
  if (method !== 'GET') return client.ask(method, path, { key }, { ...Object.fromEntries(left), ...fixed });
  const query = new URLSearchParams([...left].map(([name, value]) => [name, String(value)])).toString();
  return client.ask(method, query === '' ? path : `${path}?${query}`, { key });
}

/** Every call is a request. */
export const openRest: OpenDoor = async (url, key, handle) => {
  const client = restClient(url);
  return {
    call: (act, given = {}) => ask(client, key, CALLS[act], { ...given, own: handle }),
    close: async () => {},
  };
};

/** Every call is one of a tool. */
export const openMcp: OpenDoor = async (url, key) => {
  const client = new Client({ name: 'story', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { 'X-API-Key': key } } }),
  );
  return {
    call: async (act, given = {}) => {
      const { tool } = CALLS[act];
      const { isError, structuredContent, content } = await client.callTool({ name: tool, arguments: given });
      if (isError || !structuredContent) throw new Error(`${tool} answered ${JSON.stringify(content)}`);
      const body: Json = structuredContent;
      return Array.isArray(body.items) ? body.items : body;
    },
    close: () => client.close(),
  };
};
