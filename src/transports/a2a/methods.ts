// The table of all calls: JSON-RPC methods of three dialects, and the addresses of the two HTTP bindings. For names that two
// dialects share, the call's parameters or its task decide the dialect.

import type { Json } from '../../domain/json.ts';
import { CURRENT } from './current.ts';
import type { Dialect, Does, Version } from './dialect.ts';
import { LEGACY, LEGACY_HTTP } from './legacy.ts';
import { SEED } from './seed.ts';
import type { Task } from './values.ts';

/** A method: its call, and its dialect; `task` for a shared one that is answered in the task's dialect. */
interface Method {
  readonly does: Does;
  readonly in: Dialect | 'task' | 'message';
}

const method = (does: Does, dialect: Method['in']): Method => ({ does, in: dialect });

const METHODS: Readonly<Record<string, Method>> = {
  // interface.md, Agent-to-agent JSON-RPC.
  initialize: method('initialize', SEED),
  'agent/discover': method('discover', SEED),
  'agent/ping': method('ping', SEED),
  'tasks/send': method('send', SEED),
  'tasks/sendSubscribe': method('stream', SEED),
  'tasks/list': method('list', SEED),
  'message/get': method('get', SEED),
  'message/cancel': method('cancel', SEED),
  'tasks/pushNotification/set': method('create_push', SEED),
  'tasks/pushNotification/get': method('read_push', SEED),
  // Of both older dialects.
  'message/send': method('send', 'message'),
  'tasks/get': method('get', 'task'),
  'tasks/cancel': method('cancel', 'task'),
  'tasks/resubscribe': method('follow', 'task'),
  // 0.3.
  'message/stream': method('stream', LEGACY),
  'tasks/pushNotificationConfig/set': method('create_push', LEGACY),
  'tasks/pushNotificationConfig/get': method('read_push', LEGACY),
  'tasks/pushNotificationConfig/list': method('list_push', LEGACY),
  'tasks/pushNotificationConfig/delete': method('delete_push', LEGACY),
  'agent/getAuthenticatedExtendedCard': method('card', LEGACY),
  // 1.0.
  SendMessage: method('send', CURRENT),
  SendStreamingMessage: method('stream', CURRENT),
  GetTask: method('get', CURRENT),
  ListTasks: method('list', CURRENT),
  CancelTask: method('cancel', CURRENT),
  SubscribeToTask: method('follow', CURRENT),
  CreateTaskPushNotificationConfig: method('create_push', CURRENT),
  GetTaskPushNotificationConfig: method('read_push', CURRENT),
  ListTaskPushNotificationConfigs: method('list_push', CURRENT),
  DeleteTaskPushNotificationConfig: method('delete_push', CURRENT),
  GetExtendedAgentCard: method('card', CURRENT),
};

/** All method names, for the refusal of an unknown one. */
export const METHOD_NAMES: readonly string[] = Object.keys(METHODS);

/** A known call: what it does, and the dialects of its parameters and its answer. */
export interface Known {
  readonly does: Does;
  readonly reads: Dialect;
  readonly answers: (task: Task | null) => Dialect;
}

const known = (does: Does, dialect: Dialect): Known => ({ does, reads: dialect, answers: () => dialect });

/** A message with an id, or with parts that name their kind, is of 0.3; else it is of the older dialect. */
function dialectOfMessage({ message }: Json): Dialect {
  if (typeof message !== 'object' || message === null) return LEGACY;
  const { messageId, parts } = message as Json;
  const kinds =
    Array.isArray(parts) && parts.some((part: unknown) => typeof part === 'object' && part && 'kind' in part);
  const types =
    Array.isArray(parts) && parts.some((part: unknown) => typeof part === 'object' && part && 'type' in part);
  return messageId === undefined && types && !kinds ? SEED : LEGACY;
}

/** Finds a method's call; null for an unknown name. `version` is the one named by the request. */
export function knownMethod(name: string, params: Json, version: Version | null): Known | null {
  const found = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (!found) return null;
  const { does, in: dialect } = found;
  if (dialect === 'message') {
    if (version === '1.0') return null;
    return known(does, dialectOfMessage(params));
  }
  if (dialect === 'task') {
    // Names of 0.3 do not exist in 1.0.
    if (version === '1.0') return null;
    if (version === '0.3') return known(does, LEGACY);
    return { does, reads: LEGACY, answers: (task) => (task?.dialect === '0.2' ? SEED : LEGACY) };
  }
  return version === '1.0' && dialect === LEGACY ? null : known(does, dialect);
}

/** An address of the HTTP bindings, under an agent's own. */
interface HttpRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Its segments; those in braces are parameters. */
  readonly path: readonly string[];
  readonly does: Does;
}

const at = (verb: HttpRoute['method'], path: string, does: Does): HttpRoute => {
  return { method: verb, path: path.split('/'), does };
};

/** 1.0, 11.3; 0.3 has the same after `v1/`. Its text says POST where its protocol buffers say GET. */
const SHARED_ROUTES = [
  at('POST', 'message:send', 'send'),
  at('POST', 'message:stream', 'stream'),
  at('GET', 'tasks', 'list'),
  at('POST', 'tasks/{id}:cancel', 'cancel'),
  at('POST', 'tasks/{id}:subscribe', 'follow'),
  at('GET', 'tasks/{id}:subscribe', 'follow'),
  at('GET', 'tasks/{id}', 'get'),
  at('POST', 'tasks/{taskId}/pushNotificationConfigs', 'create_push'),
];

const CURRENT_ROUTES = [
  ...SHARED_ROUTES,
  at('GET', 'tasks/{taskId}/pushNotificationConfigs', 'list_push'),
  at('GET', 'tasks/{taskId}/pushNotificationConfigs/{id}', 'read_push'),
  at('DELETE', 'tasks/{taskId}/pushNotificationConfigs/{id}', 'delete_push'),
  at('GET', 'extendedAgentCard', 'card'),
];

const LEGACY_ROUTES = [
  ...SHARED_ROUTES,
  at('GET', 'tasks/{id}/pushNotificationConfigs', 'list_push'),
  at('GET', 'tasks/{id}/pushNotificationConfigs/{pushNotificationConfigId}', 'read_push'),
  at('DELETE', 'tasks/{id}/pushNotificationConfigs/{pushNotificationConfigId}', 'delete_push'),
  at('GET', 'card', 'card'),
];

/** One decoded segment of an address; null for invalid UTF-8. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Matches a segment of an address with one of a route: returns its parameter, if any, or null for no match. A verb after a
 * colon is no part of an id. */
function heldBy(segment: string, pattern: string): Readonly<Record<string, string>> | null {
  const shape = /^\{(\w+)\}(:\w+)?$/.exec(pattern);
  if (!shape) return decoded(segment) === pattern ? {} : null;
  const [, name = '', verb = ''] = shape;
  if (!segment.endsWith(verb)) return null;
  const value = decoded(segment.slice(0, segment.length - verb.length));
  return value === null || value === '' ? null : { [name]: value };
}

function paramsAt(segments: readonly string[], { path }: HttpRoute): Readonly<Record<string, string>> | null {
  if (segments.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [n, pattern] of path.entries()) {
    const held = heldBy(segments[n] ?? '', pattern);
    if (held === null) return null;
    Object.assign(params, held);
  }
  return params;
}

/** The match of an address: the call, the allowed methods for another method, or null for an unknown address. */
export type HttpMatch =
  | { readonly known: Known; readonly params: Readonly<Record<string, string>> }
  | { readonly allow: readonly string[]; readonly version: Version };

/** Finds the call of an address under an agent's own, such as `tasks/7:cancel`. */
export function httpMatch(verb: string, path: string): HttpMatch | null {
  const segments = path.split('/');
  const legacy = segments[0] === 'v1';
  const dialect = legacy ? LEGACY_HTTP : CURRENT;
  const rest = legacy ? segments.slice(1) : segments;
  const routes = legacy ? LEGACY_ROUTES : CURRENT_ROUTES;
  const fits = routes.flatMap((route) => {
    const params = paramsAt(rest, route);
    return params ? [{ route, params }] : [];
  });
  // `{id}` also matches segments with a verb; the more specific routes come first.
  const found = fits.find(({ route }) => route.method === verb);
  if (found) return { known: known(found.route.does, dialect), params: found.params };
  return fits.length > 0 ? { allow: fits.map(({ route }) => route.method), version: dialect.version } : null;
}
