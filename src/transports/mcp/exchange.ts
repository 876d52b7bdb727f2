// One request of a client and what comes of it, between the door, which knows HTTP, and the methods, which know what they do.
import { FAULTS, type Fault } from '../../domain/fault.ts';
import { isObject, type Json } from '../../domain/json.ts';
import type { StepForm } from '../../domain/next-step.ts';
import type { Call, Caller } from '../../pipeline/call.ts';
import { shownFault } from '../../schemas/next-step.ts';
import { RPC_CODES, type RpcId, type RpcMessage } from '../json-rpc.ts';
import { errorBody } from '../wire.ts';

// The revisions of the Model Context Protocol that are spoken, and what tells them apart here.

/** How a revision begins: with a handshake, after which a header names it, or not at all: each request says everything. */
type Era = 'handshake' | 'stateless';

export interface Revision {
  readonly version: string;
  readonly era: Era;
  /** Whether its tools have titles and output schemas, and their results structured content. */
  readonly structured: boolean;
}

/** What is spoken where nothing is said, as the transport of 2025-03-26 had no header for it. */
const UNSAID_REVISION: Revision = { version: '2025-03-26', era: 'handshake', structured: false };

/** What a handshake comes to when it asks for one that nobody knows. */
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

/** What a client chooses to be shown by the address that it calls. */
export interface Choice {
  /** The sets of tools; null for the tools of the interface that the caller reaches. */
  readonly toolset: ReadonlySet<string> | null;
  /** Output schemas as well. Who has them reads structured content, and is told an answer there alone. */
  readonly schemas: boolean;
}

export interface Exchange extends Pick<Call, 'credential' | 'origin' | 'acting' | 'bytes' | 'request_id'> {
  readonly request: Request;
  readonly id: RpcId;
  readonly method: string;
  readonly params: Json;
  readonly revision: Revision;
  /** What the client says that it can do. Only a stateless request says it. */
  readonly capabilities: Json;
  /** Let in, and counted to its rate. */
  readonly caller: Caller;
  /** What the address chooses to be shown. */
  readonly choice: Choice;
}

/** What is told beside an outcome. */
interface Told {
  /** The operation that was run, for the figures; the method where none was. */
  readonly operation?: string;
}

/** A result: the JSON of an object, without what only its revision adds. */
export interface RpcResult extends Told {
  readonly result: string;
  /** `complete` unless said; only stateless revisions have it. */
  readonly type?: 'complete' | 'input_required' | 'task';
  /** How long a client may keep it, and whether for others too; only stateless revisions have it. */
  readonly cache?: { readonly ttl_ms: number; readonly scope: 'public' | 'private' };
}

export interface RpcError extends Told {
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** Of HTTP. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a method writes to while its answer is not there. */
export interface Channel {
  /** Sends one message; false once nobody reads any more. */
  send(message: string): boolean;
  /** Called once when the client goes away. */
  onClose(listener: () => void): void;
}

/** An answer that comes at the end of a stream. */
interface Streamed extends Told {
  readonly stream: (channel: Channel) => Promise<RpcResult | RpcError>;
}

export type Outcome = RpcResult | RpcError | Streamed;

/** A method of the protocol, and who knows it. */
export interface Method {
  readonly eras: readonly Era[];
  /** The parameter that the header Mcp-Name repeats, in stateless revisions. */
  readonly named?: 'name' | 'uri' | 'taskId';
  run(exchange: Exchange): Outcome | Promise<Outcome>;
}

export type Methods = ReadonlyMap<string, Method>;

/** The path of the door, which is also what its metadata call it (challenge.ts). */
export const RESOURCE = '/mcp';

export const BOTH_ERAS: readonly Era[] = ['handshake', 'stateless'];

/** What an outcome ends with. What breaks on the way is reported, and ends this call alone. */
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

/** A refusal of the service, with the body that REST has for it. */
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

// What a request says of the protocol itself: which revision it speaks, and in the stateless ones everything that a handshake
// would have said. There headers repeat what stands in the body, for whatever stands between; where the two differ, nobody
// knows which one was meant, and the request is refused.

/** Codes of the revision 2026-07-28. */
const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
const UNSUPPORTED_VERSION = -32022;

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** What a request says of itself. */
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

/** The value of a header that may be written in base64, as what is no ASCII must be; null where that is broken. */
function headerText(value: string): string | null {
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value.startsWith('=?base64?') && value.endsWith('?=') ? null : value;
  return encoded.length % 4 === 0 ? Buffer.from(encoded, 'base64').toString() : null;
}

/** Whether the headers of a stateless request say what its body says. */
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

/** Which revision a message speaks, and what its client can do; or why that cannot be told. */
export function envelopeOf(headers: Headers, message: RpcMessage, methods: Methods): Envelope | RpcError {
  const said = headers.get('mcp-protocol-version')?.trim();
  const stateless = said !== undefined && revisionOf(said, 'stateless') !== undefined;
  if (message.kind !== 'answer' && (stateless || VERSION_KEY in metaOf(message.params))) {
    return statelessEnvelope(headers, message, methods);
  }
  // A handshake says in its body which revision it wants.
  if (said === undefined || (message.kind === 'request' && message.method === 'initialize')) {
    return { revision: UNSAID_REVISION, capabilities: NOTHING };
  }
  const revision = revisionOf(said, 'handshake');
  return revision ? { revision, capabilities: NOTHING } : unsupported(said);
}
