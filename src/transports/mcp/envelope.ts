// What a request says of the protocol itself: which revision it speaks, and in the stateless ones everything that a handshake
// would have said. There headers repeat what stands in the body, for whatever stands between; where the two differ, nobody
// knows which one was meant, and the request is refused.
import { isObject, type Json } from '../../domain/json.ts';
import { RPC_CODES, type RpcMessage } from '../json-rpc.ts';
import { type Methods, type RpcError, rpcError } from './exchange.ts';
import { type Revision, revisionOf, UNSAID_REVISION, VERSIONS } from './revisions.ts';

/** Codes of the revision 2026-07-28. */
const HEADER_MISMATCH = -32020;
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
