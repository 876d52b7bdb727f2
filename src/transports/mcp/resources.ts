// The resources, which a client can read without a tool. Each is an operation with an address of its own; the inbox notifies of its
// changes.

import { FAULTS, type Fault, invalid } from '../../domain/fault.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { RPC_CODES } from '../json-rpc.ts';
import { callerName } from './client-requests.ts';
import { BOTH_ERAS, type Exchange, type Methods, type Outcome, refusalError, rpcError } from './exchange.ts';
import { type MethodPorts, modelBlocks, runOperation } from './run-operation.ts';

/** The resource with notifications. */
export const INBOX = 'mesh://inbox';

/** "Resource not found", before 2026-07-28. */
const NOT_FOUND = -32002;
/** The lists change with the service's version only. */
const LIST_TTL_MS = HOUR_MS;
/** The longest unknown address that is echoed. */
const URI_SHOWN_MAX = 200;

const RESOURCES = [
  {
    uri: INBOX,
    name: 'inbox',
    title: 'Inbox',
    description: 'The newest events of your inbox, newest first. Reading it marks nothing as read.',
    mimeType: 'application/json',
  },
];

const TEMPLATES = [
  {
    uriTemplate: 'mesh://conversation/{id}',
    name: 'conversation',
    title: 'Conversation',
    description: 'A conversation of yours with its newest messages. A key that reads it has read them.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'mesh://listing/{id}',
    name: 'listing',
    title: 'Listing',
    description: 'A listing: yours in every state, those of others while they are live.',
    mimeType: 'application/json',
  },
];

/** The operation of an address; null for an unknown one. */
function targetOf(uri: string): { readonly operation: string; readonly input: Record<string, unknown> } | null {
  if (uri === INBOX) return { operation: 'inbox.recent', input: {} };
  const [, kind, id] = /^mesh:\/\/(conversation|listing)\/([\w-]{1,64})$/.exec(uri) ?? [];
  if (kind === 'conversation') return { operation: 'conversation.read', input: { conversation_id: id } };
  return kind === 'listing' ? { operation: 'listing.find', input: { listing_id: id } } : null;
}

function missing({ revision: { era } }: Exchange, uri: string): Outcome {
  const code = era === 'stateless' ? RPC_CODES.invalid_params : NOT_FOUND;
  return rpcError(code, 'There is no such resource, or it is not yours.', {
    uri: uri.slice(0, URI_SHOWN_MAX).toWellFormed(),
  });
}

function refused({ form }: MethodPorts, exchange: Exchange, uri: string, refusal: Fault): Outcome {
  // An id that can be none names nothing.
  if (refusal.fault === 'not_found' || refusal.fault === 'invalid_request') return missing(exchange, uri);
  const error = refusalError(refusal, form, exchange.request_id);
  return FAULTS[refusal.fault].status === 401 || refusal.fault === 'rate_limited' ? error : { ...error, status: 200 };
}

async function read(ports: MethodPorts, exchange: Exchange, uri: string): Promise<Outcome> {
  const target = targetOf(uri);
  if (!target) return missing(exchange, uri);
  const { operation, input } = target;
  const ended = await runOperation(ports, exchange, operation, input);
  if ('refusal' in ended) return refused(ports, exchange, uri, ended.refusal);
  if (!('reply' in ended)) throw new Error(`${operation} stays open, and a resource is read once`);
  const blocks = await modelBlocks(ports, exchange, ended, operation);
  const contents = blocks.map(({ text, _meta }, at) => ({
    uri,
    mimeType: at === 0 ? 'application/json' : 'text/plain',
    text,
    ...(_meta && { _meta }),
  }));
  return { result: JSON.stringify({ contents }), cache: { ttl_ms: 0, scope: 'private' }, operation };
}

/** The address named by a request, or its problem. */
function uriOf({ form }: MethodPorts, { params: { uri }, request_id }: Exchange): string | Outcome {
  if (typeof uri === 'string') return uri;
  const refusal = invalid({ path: 'uri', message: 'must be a string, the address of a resource' });
  return { ...refusalError(refusal, form, request_id), status: 200 };
}

function subscribe({ side: { remembered }, form }: MethodPorts, exchange: Exchange, uri: string): Outcome {
  if (!targetOf(uri)) return missing(exchange, uri);
  if (uri !== INBOX) {
    return rpcError(RPC_CODES.invalid_params, `Only ${INBOX} tells of its changes; events there name what changed.`, {
      uri,
    });
  }
  if (remembered.subscribe(callerName(exchange), uri)) return { result: '{}' };
  const refusal = invalid({ path: 'uri', message: 'is one too many; unsubscribe from others first' });
  return { ...refusalError(refusal, form, exchange.request_id), status: 200 };
}

function unsubscribe({ side: { remembered } }: MethodPorts, exchange: Exchange, uri: string): Outcome {
  remembered.unsubscribe(callerName(exchange), uri);
  return { result: '{}' };
}

export function resourceMethods(ports: MethodPorts): Methods {
  const cache = { ttl_ms: LIST_TTL_MS, scope: 'public' } as const;
  const about = (run: (exchange: Exchange, uri: string) => Outcome | Promise<Outcome>) => (exchange: Exchange) => {
    const uri = uriOf(ports, exchange);
    return typeof uri === 'string' ? run(exchange, uri) : uri;
  };
  const handshake = ['handshake'] as const;
  return new Map([
    ['resources/list', { eras: BOTH_ERAS, run: () => ({ result: JSON.stringify({ resources: RESOURCES }), cache }) }],
    [
      'resources/templates/list',
      { eras: BOTH_ERAS, run: () => ({ result: JSON.stringify({ resourceTemplates: TEMPLATES }), cache }) },
    ],
    ['resources/read', { eras: BOTH_ERAS, named: 'uri', run: about((exchange, uri) => read(ports, exchange, uri)) }],
    ['resources/subscribe', { eras: handshake, run: about((exchange, uri) => subscribe(ports, exchange, uri)) }],
    ['resources/unsubscribe', { eras: handshake, run: about((exchange, uri) => unsubscribe(ports, exchange, uri)) }],
  ]) as Methods;
}
