// A task and an update of it as the operations answer them, for tests of how A2A writes them: ada sent it, grace answered.

import type { ServiceSettings } from '../../src/compose/parts.ts';
import type { Task, TaskMessage, TaskUpdate } from '../../src/transports/a2a/values.ts';
import { openTestService, type TestParts, type TestService } from './testbed.ts';

const at = '2026-06-15T12:00:01.000Z';
const asked: TaskMessage = {
  message_id: 'm1',
  role: 'user',
  sender: 'ada',
  parts: [{ kind: 'text', text: 'Please' }],
  sent_at: at,
};
const answered: TaskMessage = {
  message_id: 'm2',
  role: 'agent',
  sender: 'grace',
  parts: [{ kind: 'text', text: 'Done' }],
  sent_at: at,
};

export const TASK: Task = {
  task_id: 't1',
  conversation_id: 'c1',
  sender_handle: 'ada',
  target_handle: 'grace',
  state: 'completed',
  status_message: answered,
  history: [asked, answered],
  artifacts: [{ artifact_id: 'a1', name: 'report', parts: [{ kind: 'text', text: 'All is well' }] }],
  metadata: { trip: 7 },
  last_n: 3,
  created_at: '2026-06-15T12:00:00.000Z',
  updated_at: at,
  dialect: '1.0',
};

export const UPDATE: TaskUpdate = {
  n: 3,
  task_id: 't1',
  conversation_id: 'c1',
  kind: 'status',
  state: 'completed',
  message: answered,
  artifact: null,
  at,
  final: true,
};

/** What a call of the door answers. */
export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
  readonly body: any;
}

/** How a call comes: at which address, with what. */
export interface RpcWays {
  readonly path?: string;
  readonly key?: string;
  readonly version?: string;
  readonly headers?: Record<string, string>;
}

/** One JSON-RPC call of a method; `body` in place of it is sent as it is. */
export async function callRpc(
  t: Pick<TestService, 'fetch'>,
  sent: { readonly method: string; readonly params?: object } | string,
  { path = '/a2a/rpc', key, version, headers = {} }: RpcWays = {},
): Promise<RpcAnswer> {
  const body = typeof sent === 'string' ? sent : JSON.stringify({ jsonrpc: '2.0', id: 1, ...sent });
  const response = await t.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        ...(key !== undefined && { 'X-API-Key': key }),
        ...(version !== undefined && { 'A2A-Version': version }),
        ...headers,
      },
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** A service on a real socket, whose cards and links lead back to it. */
export interface ServedTest {
  readonly t: TestService;
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a whole test service, virtual clock and all, on a free port of the loopback. */
export async function serveTest(settings: Partial<ServiceSettings> = {}, parts: TestParts = {}): Promise<ServedTest> {
  let handle: TestService['fetch'] = async () => new Response(null, { status: 503 });
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: (request) => handle(request) });
  const url = `http://127.0.0.1:${server.port}`;
  const app = parts.app ? { app_url: `${url}/app` } : {};
  const t = await openTestService({ base_url: url, ...app, ...settings }, 'memory', parts);
  handle = t.fetch;
  return {
    t,
    url,
    close: async () => {
      await server.stop(true);
      await t.close();
    },
  };
}
