// One client request and its outcome, between the transport, which knows HTTP, and the methods.
import { FAULTS, type Fault } from '../../domain/fault.ts';
import { isObject, type Json } from '../../domain/json.ts';
import type { StepForm } from '../../domain/next-step.ts';
import type { Call, Caller } from '../../pipeline/call.ts';
import { shownFault } from '../../schemas/next-step.ts';
import { RPC_CODES, type RpcId, type RpcMessage } from '../json-rpc.ts';
import { errorBody } from '../wire.ts';

// The supported revisions of the Model Context Protocol, and their differences here.

/** How a revision is agreed: by a handshake, after which a header names it, or by each stateless request itself. */
type Era = 'handshake' | 'stateless';

export interface Revision {
  readonly version: string;
  readonly era: Era;
  /** Whether its tools have titles and output schemas, and their results structured content. */
  readonly structured: boolean;
}

/** The revision without a header, which the transport of 2025-03-26 did not have. */
const UNSAID_REVISION: Revision = { version: '2025-03-26', era: 'handshake', structured: false };

/** The answer to a handshake with an unknown revision. */
export const NEWEST_HANDSHAKE: Revision = { version: '2025-11-25', era: 'handshake', structured: true };

/** All, newest first. */
const REVISIONS: readonly Revision[] = [
  { version: '2026-07-28', era: 'stateless', structured: true },
  NEWEST_HANDSHAKE,
  { version: '2025-06-18', era: 'handshake', structured: true },
  UNSAID_REVISION,
  { version: '2024-11-05', era: 'handshake', structured: false },
];

/** Their names, newest first. */
export const VERSIONS: readonly string[] = REVISIONS.map(({ version }) => version);

export function revisionOf(version: string, era: Era): Revision | undefined {
  return REVISIONS.find((each) => each.version === version && each.era === era);
}

/** A client's choice by the query of the address that it calls. */
export interface Choice {
  /** The sets of tools; null for the interface's tools that the caller may use. */
  readonly toolset: ReadonlySet<string> | null;
  /** Whether output schemas are included. Such a client reads structured content, and gets answers only there. */
  readonly schemas: boolean;
}

export interface Exchange extends Pick<Call, 'credential' | 'origin' | 'acting' | 'bytes' | 'request_id'> {
  readonly request: Request;
  readonly id: RpcId;
  readonly method: string;
  readonly params: Json;
  readonly revision: Revision;
  /** The client's capabilities, which only a stateless request names. */
  readonly capabilities: Json;
  /** Authenticated, and counted to its rate. */
  readonly caller: Caller;
  /** The choice of the address. */
  readonly choice: Choice;
}

/** Metadata of an outcome. */
interface Told {
  /** The operation that was run, for metrics; the method when none was. */
  readonly operation?: string;
}

/** A result: the JSON of an object, without what only its revision adds. */
export interface RpcResult extends Told {
  readonly result: string;
  /** `complete` by default; only stateless revisions have it. */
  readonly type?: 'complete' | 'input_required' | 'task';
  /** How long a client may cache it, and whether for others too; only stateless revisions have it. */
  readonly cache?: { readonly ttl_ms: number; readonly scope: 'public' | 'private' };
}

export interface RpcError extends Told {
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** The HTTP status. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The stream that a method writes to before its answer. */
export interface Channel {
  /** Sends one message; false once the client has gone. */
  send(message: string): boolean;
  /** Called once when the client goes away. */
  onClose(listener: () => void): void;
}

/** An answer that comes at the end of a stream. */
interface Streamed extends Told {
  readonly stream: (channel: Channel) => Promise<RpcResult | RpcError>;
}

export type Outcome = RpcResult | RpcError | Streamed;

/** A method of the protocol, and its eras. */
export interface Method {
  readonly eras: readonly Era[];
  /** The parameter that the header Mcp-Name repeats, in stateless revisions. */
  readonly named?: 'name' | 'uri' | 'taskId';
  run(exchange: Exchange): Outcome | Promise<Outcome>;
}

export type Methods = ReadonlyMap<string, Method>;

/** The transport's path, and its resource name in the metadata (challenge.ts). */
export const RESOURCE = '/mcp';

export const BOTH_ERAS: readonly Era[] = ['handshake', 'stateless'];

/** The final result of an outcome. An exception is reported and ends only this call. */
export async function endOf(
  outcome: Outcome | Promise<Outcome>,
  channel: Channel,
  report: (error: unknown) => void,
): Promise<RpcResult | RpcError> {
  try {
    const come = await outcome;
    return 'stream' in come ? await come.stream(channel) : come;
  } catch (error) {
    report(error);
    return rpcError(RPC_CODES.internal_error, FAULTS.internal.message);
  }
}

/** A refusal by the protocol's own codes. */
export function rpcError(code: number, message: string, data?: unknown, status = 200): RpcError {
  return { error: { code, message, ...(data !== undefined && { data }) }, status };
}

/** A refusal of the service, with the body of REST. */
export function refusalError(
  refusal: Fault,
  form: StepForm,
  request_id: string,
  more: { readonly code?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): RpcError {
  const said = shownFault(refusal, form);
  const { status, rpc } = FAULTS[said.fault];
  const { code = rpc, headers } = more;
  const error = { code, message: said.message, data: errorBody(said, request_id) };
  return headers ? { error, status, headers } : { error, status };
}

// A request's protocol data: its revision, and in stateless ones everything that a handshake would have said. Their headers
// repeat parts of the body for intermediaries; when the two differ, the request is refused.

/** Codes of the revision 2026-07-28. */
const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
const UNSUPPORTED_VERSION = -32022;

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** A request's revision and capabilities. */
interface Envelope {
  readonly revision: Revision;
  readonly capabilities: Json;
}

const NOTHING: Json = {};

/** The object `_meta` of some parameters. */
export function metaOf(params: Json): Json {
  const { _meta } = params;
  return isObject(_meta) ? _meta : NOTHING;
}

const mismatch = (message: string): RpcError => rpcError(HEADER_MISMATCH, message, undefined, 400);

const lacks = (key: string): RpcError =>
  rpcError(RPC_CODES.invalid_params, `params._meta must have ${key}.`, { path: `params._meta.${key}` }, 400);

function unsupported(requested: string): RpcError {
  const message = `Protocol version ${requested} is not spoken here; choose one of ${VERSIONS.join(', ')}.`;
  return rpcError(UNSUPPORTED_VERSION, message, { supported: VERSIONS, requested }, 400);
}

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** The value of a header, which is in base64 if it is not ASCII; null when invalid. */
function headerText(value: string): string | null {
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value.startsWith('=?base64?') && value.endsWith('?=') ? null : value;
  return encoded.length % 4 === 0 ? Buffer.from(encoded, 'base64').toString() : null;
}

/** The difference between the headers and the body of a stateless request, if any. */
function headerProblem(headers: Headers, { method, params }: { method: string; params: Json }, methods: Methods) {
  const said = headers.get('mcp-method');
  if (said === null) return mismatch('The header Mcp-Method is required.');
  if (said.trim() !== method) return mismatch('The header Mcp-Method names another method than the body.');
  const { named } = methods.get(method) ?? {};
  if (named === undefined || typeof params[named] !== 'string') return null;
  const name = headers.get('mcp-name');
  if (name === null) return mismatch(`The header Mcp-Name is required; it repeats params.${named}.`);
  return headerText(name.trim()) === params[named] ? null : mismatch(`The header Mcp-Name is not params.${named}.`);
}

function statelessEnvelope(
  headers: Headers,
  message: { method: string; params: Json },
  methods: Methods,
): Envelope | RpcError {
  const meta = metaOf(message.params);
  const version = meta[VERSION_KEY];
  if (typeof version !== 'string') return lacks(VERSION_KEY);
  const said = headers.get('mcp-protocol-version')?.trim();
  if (said === undefined) return mismatch('The header MCP-Protocol-Version is required.');
  if (said !== version) return mismatch('The header MCP-Protocol-Version names another version than the body.');
  const revision = revisionOf(version, 'stateless');
  if (!revision) return unsupported(version);
  const capabilities = meta[CAPABILITIES_KEY];
  if (!isObject(capabilities)) return lacks(CAPABILITIES_KEY);
  return headerProblem(headers, message, methods) ?? { revision, capabilities };
}

/** The revision of a message and its client's capabilities, or why they are invalid. */
export function envelopeOf(headers: Headers, message: RpcMessage, methods: Methods): Envelope | RpcError {
  const said = headers.get('mcp-protocol-version')?.trim();
  const stateless = said !== undefined && revisionOf(said, 'stateless') !== undefined;
  if (message.kind !== 'answer' && (stateless || VERSION_KEY in metaOf(message.params))) {
    return statelessEnvelope(headers, message, methods);
  }
  // A handshake names the wanted revision in its body.
  if (said === undefined || (message.kind === 'request' && message.method === 'initialize')) {
    return { revision: UNSAID_REVISION, capabilities: NOTHING };
  }
  const revision = revisionOf(said, 'handshake');
  return revision ? { revision, capabilities: NOTHING } : unsupported(said);
}
