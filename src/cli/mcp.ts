// meshwork mcp: an MCP server over stdio for clients that start a program. It forwards each message to the /mcp of the server
// that MESHWORK_URL names, with the key of MESHWORK_API_KEY. Standard output carries only the protocol, other output goes to
// standard error, and the key is sent only to that server.

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { defineCommand } from 'citty';
import type { Environment } from '../config/given.ts';
import { environment } from '../config.ts';
import { chosenProfile, PROFILE_OPTION, profileName } from './profile.ts';
import { expectOptions, leave } from './settings.ts';

interface McpSettings {
  /** The target of messages. */
  readonly endpoint: URL;
  readonly key: string;
}

/** The settings of this command, or a text with the problem, which never contains the key. */
export function mcpSettings(env: Environment, profile?: string): McpSettings | string {
  const chosen = chosenProfile(env, profile);
  if (typeof chosen === 'string') return chosen;
  const endpoint = new URL(chosen.url);
  endpoint.pathname = `${endpoint.pathname.replace(/\/(?:mcp\/?)?$/, '')}/mcp`;
  return { endpoint, key: chosen.api_key };
}

export const mcp = defineCommand({
  meta: {
    name: 'mcp',
    description: 'speak MCP over standard input and output, for MESHWORK_URL with MESHWORK_API_KEY',
  },
  args: PROFILE_OPTION,
  run: async ({ args, rawArgs }) => {
    expectOptions(rawArgs, ['profile'], 0);
    const read = mcpSettings(environment, args.profile === undefined ? undefined : profileName(args.profile));
    if (typeof read === 'string') leave(2, read);
    await runProxy(read.endpoint, read.key);
    process.exit(0);
  },
});

// The HTTP headers of a message of the revision without sessions, derived from its body (MCP 2026-07-28, Transports). Older
// messages have none.

const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** A name that a header can hold unchanged; others are sent in Base64. */
const PLAIN = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** The parameter that names a method's subject. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

function objectAt(value: unknown, key: string): Message {
  const found = typeof value === 'object' && value !== null ? (value as Message)[key] : undefined;
  return typeof found === 'object' && found !== null ? (found as Message) : {};
}

/** The revision that a request claims; null for one within a session. */
function claimedVersion(message: Message): string | null {
  const version = objectAt(objectAt(message, 'params'), '_meta')[VERSION];
  return typeof version === 'string' && PLAIN.test(version) ? version : null;
}

function headerText(text: string): string {
  return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

export function httpHeaders(message: Message): readonly (readonly [string, string])[] {
  const version = claimedVersion(message);
  const { method } = message;
  if (version === null || typeof method !== 'string') return [];
  const name = objectAt(message, 'params')[NAMED_BY[method] ?? ''];
  return [
    ['MCP-Protocol-Version', version],
    ['Mcp-Method', headerText(method)],
    ...(typeof name === 'string' ? [['Mcp-Name', headerText(name)] as const] : []),
  ];
}

// The proxy between stdio and Streamable HTTP, message by message. It interprets only what differs between the two: an HTTP
// error status becomes the answer to its request, headers are derived from the body, and a cancelled request of the revision
// without sessions closes its stream.

/** The wait for open answers after the end of standard input: clients kill a program that is still running two seconds
 * later. */
const DRAIN_MS = 1_500;
/** A restarted server is back within seconds; one that stays down is tried now and then, as long as the client is
 * connected. */
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.POSITIVE_INFINITY,
};
/** The longest shown error text: a page of HTML helps no reader. */
const LINE_MAX = 300;
/** "Internal error" (JSON-RPC 2.0, 5.1). */
const FAILED = -32603;
/** It answers only when the server ends it. */
const LISTEN = 'subscriptions/listen';

type Message = Readonly<Record<string, unknown>>;

interface Waiting {
  readonly method: string;
  /** Of the revision without sessions. */
  readonly modern: boolean;
  readonly cut: AbortController;
}

/** Forwards messages until standard input ends or the process is stopped. */
async function runProxy(endpoint: URL, key: string): Promise<void> {
  await new StdioProxy(endpoint, key).run();
}

class StdioProxy {
  readonly #client = new StdioServerTransport();
  readonly #server: StreamableHTTPClientTransport;
  readonly #endpoint: URL;
  readonly #key: string;
  /** The client's unanswered requests. */
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #quiet = Promise.withResolvers<void>();
  #initialize: RequestId | null = null;
  #said = '';
  /** Standard input has ended. */
  #leaving = false;
  #closed = false;

  constructor(endpoint: URL, key: string) {
    this.#endpoint = endpoint;
    this.#key = key;
    this.#server = new StreamableHTTPClientTransport(endpoint, {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
      fetch: (url, init) => this.#fetch(url, init),
      reconnectionOptions: RECONNECTION,
    });
  }

  async run(): Promise<void> {
    const ended = Promise.withResolvers<void>();
    process.stdin.once('end', ended.resolve).once('close', ended.resolve);
    process.once('SIGTERM', ended.resolve).once('SIGINT', ended.resolve);
    this.#client.onmessage = (message) => void this.#toServer(message);
    this.#client.onerror = () => this.#say('a line came in that is no message of JSON-RPC 2.0');
    this.#server.onmessage = (message) => void this.#toClient(message);
    this.#server.onerror = (error) => this.#say(this.#reason(error));
    await this.#server.start();
    await this.#client.start();
    await ended.promise;
    this.#leaving = true;
    this.#settle();
    await Promise.race([this.#quiet.promise, Bun.sleep(DRAIN_MS)]);
    this.#closed = true;
    await this.#server.close();
  }

  /** Writes a line to standard error, without the key; repeats are left out. */
  #say(line: string): void {
    if (line === this.#said || this.#closed) return;
    this.#said = line;
    console.error(`meshwork mcp: ${line}`);
  }

  #reason(error: unknown): string {
    const { message, code = '' } = error as { message?: string; code?: unknown };
    const shown = String(message).replaceAll(this.#key, '…').replaceAll(/\s+/g, ' ').slice(0, LINE_MAX);
    return typeof code === 'string' && code !== '' ? `${this.#endpoint.origin} cannot be reached: ${shown}` : shown;
  }

  async #toServer(message: JSONRPCMessage): Promise<void> {
    const { method, id, params } = message as { method?: string; id?: RequestId; params?: Message };
    if (method === 'notifications/cancelled') {
      const request = params?.requestId as RequestId;
      const cancelled = this.#waiting.get(request);
      if (cancelled?.modern) {
        this.#forget(request);
        cancelled.cut.abort();
        return;
      }
    }
    if (method !== undefined && id !== undefined) {
      const modern = claimedVersion(message) !== null;
      this.#waiting.set(id, { method, modern, cut: new AbortController() });
      if (method === 'initialize') this.#initialize = id;
    }
    try {
      await this.#server.send(message);
    } catch (error) {
      if (id !== undefined) await this.#refuse(id, this.#reason(error));
    }
  }

  /** Answers a request that will get no answer from the server. */
  async #refuse(id: RequestId, why: string): Promise<void> {
    if (!this.#waiting.has(id)) return;
    await this.#toClient({ jsonrpc: '2.0', id, error: { code: FAILED, message: why } });
  }

  async #toClient(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) && message.id !== undefined) {
      if (message.id === this.#initialize && 'result' in message) {
        this.#initialize = null;
        const { protocolVersion } = message.result as { protocolVersion?: unknown };
        // Every later request sends the agreed revision in a header.
        if (typeof protocolVersion === 'string') this.#server.setProtocolVersion(protocolVersion);
      }
      this.#forget(message.id);
    }
    await this.#client.send(message);
    this.#settle();
  }

  #forget(id: RequestId): void {
    this.#waiting.delete(id);
    this.#settle();
  }

  /** Ends the program when its input has ended and no answer is open. */
  #settle(): void {
    const open = [...this.#waiting.values()].some(({ method }) => method !== LISTEN);
    if (this.#leaving && !open) this.#quiet.resolve();
  }

  async #fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    if (typeof init.body !== 'string') return fetch(url, init);
    // The transport has just serialized this message.
    const message = JSON.parse(init.body) as Message;
    const id = message.id as RequestId;
    const waiting = 'method' in message ? this.#waiting.get(id) : undefined;
    const headers = new Headers(init.headers);
    for (const [name, value] of httpHeaders(message)) headers.set(name, value);
    const signals = [init.signal, waiting?.cut.signal].filter((signal) => signal instanceof AbortSignal);
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.any(signals) });
    const type = response.headers.get('content-type') ?? '';
    if (response.ok) return waiting && type.startsWith('text/event-stream') ? this.#followed(response, id) : response;
    return type.startsWith('application/json') ? withAnswer(response, id) : response;
  }

  /** Answers the stream's request with an error when the stream breaks off, which stdio clients cannot see. */
  #followed(response: Response, id: RequestId): Response {
    if (!response.body) return response;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    // Later, so that the last message is read before its answer counts as missing.
    const end = (): unknown => setImmediate(() => void this.#brokenOff(id));
    response.body.pipeTo(writable).then(end, end);
    return new Response(readable, response);
  }

  async #brokenOff(id: RequestId): Promise<void> {
    if (this.#waiting.get(id)?.method !== LISTEN) return this.#refuse(id, 'the server went away before it answered');
    this.#forget(id);
    const params = { requestId: id, reason: 'the server ended the subscription' };
    await this.#toClient({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }
}

/** Turns a refusal that holds a JSON-RPC answer into that answer. */
async function withAnswer(response: Response, id: RequestId): Promise<Response> {
  const text = await response.text();
  const { jsonrpc, id: answered, error } = parsed(text);
  if (jsonrpc !== '2.0' || answered !== id || error === undefined) return new Response(text, response);
  return new Response(text, { status: 200, headers: { 'Content-Type': 'application/json' } });
}

function parsed(text: string): Message {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Message) : {};
  } catch {
    // Invalid JSON counts as an empty body.
    return {};
  }
}
