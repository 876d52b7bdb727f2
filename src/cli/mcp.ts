// meshwork mcp: a server of tools for clients that start a program and speak with it over standard input and output. It hands
// each message on to the /mcp of the server that MESHWORK_URL names, with the key of MESHWORK_API_KEY. Standard output is the
// protocol's alone: whatever else there is to say goes to standard error, and the key goes nowhere but to that server.

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { defineCommand } from 'citty';
import type { Environment } from '../config/given.ts';
import { environment } from '../config.ts';
import { chosenProfile, PROFILE_OPTION, profileName } from './profile.ts';
import { expectOptions, leave } from './settings.ts';

interface McpSettings {
  /** Where messages go. */
  readonly endpoint: URL;
  readonly key: string;
}

/** The settings of this verb; a text says what is wrong with them, and never repeats the key. */
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

// What a message of the revision without sessions says of itself by headers where it goes over HTTP, made of its body (MCP
// 2026-07-28, Transports). Older messages say nothing so.

const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** A name that a header carries as it is; whatever else is sent in Base64. */
const PLAIN = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** By which field of its parameters a method names what it is about. */
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

/** The revision that a request claims for itself; null where it is of a session's. */
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

// The two ends of `meshwork mcp`, tied together message by message: standard input and output on one side, Streamable HTTP on
// the other. Nothing is understood on the way but what the two differ in: what is refused by a status is the answer to its
// request, headers are made of the body, and a cancelled request of the revision without sessions is one whose stream is closed.

/** How long answers that are on their way are waited for when standard input has ended: clients end a program that is still
 * there two seconds later. */
const DRAIN_MS = 1_500;
/** A server that is started anew is back within seconds; one that stays away is asked for now and then, as long as the client
 * is there. */
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.POSITIVE_INFINITY,
};
/** What is shown of an error: a page of HTML is none that anybody reads. */
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

/** Hands messages on until standard input ends, or the process is told to. */
async function runProxy(endpoint: URL, key: string): Promise<void> {
  await new StdioProxy(endpoint, key).run();
}

class StdioProxy {
  readonly #client = new StdioServerTransport();
  readonly #server: StreamableHTTPClientTransport;
  readonly #endpoint: URL;
  readonly #key: string;
  /** The client's requests that wait for an answer. */
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

  /** One line on standard error, without the key; the same one is not said over and over. */
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

  /** Answers a request that no answer will come for. */
  async #refuse(id: RequestId, why: string): Promise<void> {
    if (!this.#waiting.has(id)) return;
    await this.#toClient({ jsonrpc: '2.0', id, error: { code: FAILED, message: why } });
  }

  async #toClient(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) && message.id !== undefined) {
      if (message.id === this.#initialize && 'result' in message) {
        this.#initialize = null;
        const { protocolVersion } = message.result as { protocolVersion?: unknown };
        // Every later request says by header which revision was agreed on.
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

  /** When nothing is on its way any more, a program whose input has ended may end. */
  #settle(): void {
    const open = [...this.#waiting.values()].some(({ method }) => method !== LISTEN);
    if (this.#leaving && !open) this.#quiet.resolve();
  }

  async #fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    if (typeof init.body !== 'string') return fetch(url, init);
    // The transport has just made this text of a message.
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

  /** A stream whose request is told when it breaks off: over standard output nobody sees that. */
  #followed(response: Response, id: RequestId): Response {
    if (!response.body) return response;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    // What came last is read on its way here before it counts as missing.
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

/** A refusal that holds the answer to its request, as that answer. */
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
    // What calls itself JSON and is none says nothing either.
    return {};
  }
}
