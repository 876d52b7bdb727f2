// Outgoing A2A calls to other agents' endpoints in each dialect: forwarding a message, polling its task, cancelling it. Answers
// are untrusted: any spelling is read, and no shape is assumed.
import type { Json } from '../../domain/json.ts';
import { isObject } from '../../domain/json.ts';

import type { Part } from '../../domain/task/part.ts';
import {
  type Outgoing,
  type RemoteAgent,
  type RemoteAnswer,
  type RemoteCall,
  type RemoteSpeech,
  type RemoteState,
  TASK_NOT_FOUND,
} from '../../domain/task/remote.ts';
import type { Dialect as Version } from '../../domain/task/task.ts';
import { nestsTooDeep } from '../../domain/text/nesting.ts';
import { CURRENT } from './current.ts';
import type { Dialect } from './dialect.ts';
import { LEGACY } from './legacy.ts';
import { kindPartWriter, type Mark, type WritePart, writeCurrentPart, writeProtoPart } from './parts.ts';
import { SEED } from './seed.ts';

const MODES = ['text/plain', 'application/json'];
/** The most parts read from an answer. */
const PARTS_MAX = 64;
/** The longest file address, and the longest names; longer ones are left out. */
const URL_MAX = 2_000;
const NAME_MAX = 255;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const METHODS: Readonly<Record<Version, Readonly<Record<'send' | 'look' | 'cancel', string>>>> = {
  '0.2': { send: 'tasks/send', look: 'tasks/get', cancel: 'tasks/cancel' },
  '0.3': { send: 'message/send', look: 'tasks/get', cancel: 'tasks/cancel' },
  '1.0': { send: 'SendMessage', look: 'GetTask', cancel: 'CancelTask' },
};

function markOf(author: string | null): Mark | null {
  return author === null ? null : { 'meshwork/origin': 'counterparty', 'meshwork/handle': author };
}

function written(parts: readonly Part[], mark: Mark | null, write: WritePart): Json[] {
  return parts.map((part) => write(part, mark));
}

/** The ids of a message in 0.3 and 1.0. */
function headOf({ message_id, remote_task_id, remote_context_id }: Outgoing, mark: Mark | null): Json {
  return {
    messageId: message_id,
    ...(remote_context_id !== null && { contextId: remote_context_id }),
    ...(remote_task_id !== null && { taskId: remote_task_id }),
    ...(mark && { metadata: mark }),
  };
}

/** The parameters of a message, for each dialect and binding. */
function messageParams({ dialect, binding, tenant }: RemoteAgent, message: Outgoing): Json {
  const mark = markOf(message.author);
  const { parts } = message;
  if (dialect === '0.2') {
    return {
      id: message.remote_task_id ?? message.own_task_id,
      sessionId: message.remote_context_id ?? message.own_context_id,
      message: {
        role: 'user',
        messageId: message.message_id,
        parts: written(parts, mark, kindPartWriter('type')),
        ...(mark && { metadata: mark }),
      },
      acceptedOutputModes: MODES,
    };
  }
  const head = headOf(message, mark);
  if (dialect === '1.0') {
    return {
      ...(tenant !== null && binding === 'JSONRPC' && { tenant }),
      message: { ...head, role: 'ROLE_USER', parts: written(parts, mark, writeCurrentPart) },
      // The answer may take days, and a delivery waits only ten seconds, so the task is polled instead.
      configuration: { acceptedOutputModes: MODES, returnImmediately: true },
    };
  }
  const configuration = { acceptedOutputModes: MODES, blocking: false };
  if (binding === 'HTTP+JSON') {
    return { message: { ...head, role: 'ROLE_USER', content: written(parts, mark, writeProtoPart) }, configuration };
  }
  const body = { kind: 'message', ...head, role: 'user', parts: written(parts, mark, kindPartWriter('kind')) };
  return { message: body, configuration };
}

function headersOf({ dialect, binding }: RemoteAgent): Record<string, string> {
  const type = dialect === '1.0' && binding === 'HTTP+JSON' ? 'application/a2a+json' : 'application/json';
  return {
    'content-type': type,
    accept: 'application/json, application/a2a+json',
    ...(dialect === '1.0' && { 'a2a-version': '1.0' }),
  };
}

function rpc(to: RemoteAgent, does: 'send' | 'look' | 'cancel', id: string, params: Json): RemoteCall {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: METHODS[to.dialect][does], params });
  return { method: 'POST', url: to.url, headers: headersOf(to), body };
}

/** The address of a call over HTTP, under the endpoint's own. */
function pathOf({ url, dialect, tenant }: RemoteAgent, path: string): string {
  const base = url.replace(/\/$/, '');
  if (dialect === '0.3') return base.endsWith('/v1') ? `${base}${path}` : `${base}/v1${path}`;
  return tenant === null ? `${base}${path}` : `${base}/${encodeURIComponent(tenant)}${path}`;
}

function taskParams({ dialect, binding, tenant }: RemoteAgent, id: string): Json {
  return { id, ...(dialect === '1.0' && binding === 'JSONRPC' && tenant !== null && { tenant }) };
}

// Reading answers.

/** A text that can be stored: well-formed, without NUL. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? storable(value) : null;
}

/** Another agent's id: a short text that can be stored and sent back unchanged. */
function idOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= NAME_MAX && textOf(value) === value ? value : null;
}

/** A text cut to a length. */
function shortText(value: unknown, letters: number): string | null {
  const text = textOf(value);
  return text !== null && text.length <= letters ? text : null;
}

function filePart(file: Json): Part | null {
  const url = shortText(file['url'] ?? file['uri'] ?? file['fileWithUri'], URL_MAX);
  const bytes = textOf(file['raw'] ?? file['bytes'] ?? file['fileWithBytes']);
  const media_type = shortText(file['mediaType'] ?? file['mimeType'] ?? file['mime_type'], NAME_MAX);
  const name = shortText(file['filename'] ?? file['name'], NAME_MAX);
  if (url === null && (bytes === null || !BASE64.test(bytes))) return null;
  return {
    kind: 'file',
    ...(url === null ? { bytes: bytes ?? '' } : { url }),
    ...(media_type !== null && { media_type }),
    ...(name !== null && { name }),
  };
}

/** A part in any spelling; null for an invalid one. */
function partOf(value: unknown): Part | null {
  if (!isObject(value)) return null;
  const { text, data, file } = value;
  if (typeof text === 'string') return { kind: 'text', text: storable(text) };
  if (isObject(file)) return filePart(file);
  // The HTTP binding of 0.3 wraps data once more.
  if (data !== undefined) {
    const wrapped = value['kind'] === undefined && value['type'] === undefined && isObject(data) && 'data' in data;
    return { kind: 'data', data: wrapped ? data['data'] : data };
  }
  return filePart(value);
}

function partsOf(message: unknown): Part[] {
  const parts = isObject(message) ? (message['parts'] ?? message['content']) : null;
  if (!Array.isArray(parts)) return [];
  return parts
    .slice(0, PARTS_MAX)
    .map(partOf)
    .filter((part) => part !== null);
}

const STATES: ReadonlySet<string> = new Set(['completed', 'failed', 'rejected', 'canceled', 'input_required']);

function stateOf(value: unknown): RemoteState {
  const name = (textOf(value) ?? '')
    .toLowerCase()
    .replace('task_state_', '')
    .replaceAll('-', '_')
    .replace('cancelled', 'canceled');
  if (name === 'auth_required') return 'input_required';
  // An unknown state counts as not ended.
  return STATES.has(name) ? (name as RemoteState) : 'working';
}

/** The content of a task: its artifacts, else its status message, else its agent's last message. */
function shownBy({ artifacts, status, history }: Json): Part[] {
  const made = Array.isArray(artifacts) ? artifacts.slice(0, PARTS_MAX).flatMap(partsOf) : [];
  if (made.length > 0) return made.slice(0, PARTS_MAX);
  const said = isObject(status) ? partsOf(status['message']) : [];
  if (said.length > 0 || !Array.isArray(history)) return said;
  const last = history.findLast((each) => isObject(each) && /agent/i.test(textOf(each['role']) ?? ''));
  return partsOf(last);
}

function taskAnswer(task: Json): RemoteAnswer {
  const { id, contextId, sessionId, status } = task;
  const task_id = idOf(id);
  if (task_id === null || !isObject(status)) return { is: 'taken' };
  const state = stateOf(status['state']);
  const asks = state !== 'completed' && state !== 'working';
  const parts = asks ? partsOf(status['message']) : shownBy(task);
  return { is: 'task', task_id, context_id: idOf(contextId) ?? idOf(sessionId), state, parts };
}

function answerOf(result: unknown): RemoteAnswer {
  if (result === undefined || result === null) return { is: 'unreadable' };
  if (!isObject(result)) return { is: 'taken' };
  if (isObject(result['task'])) return taskAnswer(result['task']);
  if ('status' in result) return taskAnswer(result);
  const message = isObject(result['message']) ? result['message'] : isObject(result['msg']) ? result['msg'] : result;
  if (result !== message || 'parts' in message || 'content' in message || message['kind'] === 'message') {
    return { is: 'message', parts: partsOf(message), context_id: idOf(message['contextId']) };
  }
  return { is: 'taken' };
}

function codeOf(error: unknown): number | null {
  if (!isObject(error)) return null;
  const { code, details, data } = error;
  if (typeof code === 'number') return code;
  const reasons = JSON.stringify(details ?? data ?? '');
  return reasons.includes('TASK_NOT_FOUND') ? TASK_NOT_FOUND : null;
}

function jsonOf(body: Uint8Array): unknown {
  if (nestsTooDeep(body)) return null;
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    // Invalid JSON is no answer of this protocol.
    return null;
  }
}

function readAnswer({ binding }: RemoteAgent, status: number, body: Uint8Array): RemoteAnswer {
  const said = jsonOf(body);
  const taken = status >= 200 && status < 300;
  if (!isObject(said)) return { is: 'unreadable' };
  if (binding === 'JSONRPC') {
    if (isObject(said['error'])) return { is: 'refused', code: codeOf(said['error']) };
    return taken ? answerOf(said['result']) : { is: 'unreadable' };
  }
  if (taken) return answerOf(said);
  return { is: 'refused', code: status === 404 ? TASK_NOT_FOUND : codeOf(said['error'] ?? said) };
}

/** The dialects of pushes about a task: 1.0 gets the update, the older ones the whole task. */
const TOLD: Readonly<Record<Version, Dialect>> = { '0.2': SEED, '0.3': LEGACY, '1.0': CURRENT };

/** The outgoing dialects of the service whose own agent has this handle. */
export function outgoing(platform_handle: string): RemoteSpeech {
  return {
    ...SPEECH,
    told: (version, handle, task, update) => {
      const { [version]: dialect } = TOLD;
      const reader = { handle, platform_handle };
      return JSON.stringify(version === '1.0' ? dialect.update(update, task, reader) : dialect.task(task, reader));
    },
  };
}

const SPEECH: Omit<RemoteSpeech, 'told'> = {
  send: (to, message) => {
    const params = messageParams(to, message);
    if (to.binding === 'JSONRPC') return rpc(to, 'send', message.message_id, params);
    return { method: 'POST', url: pathOf(to, '/message:send'), headers: headersOf(to), body: JSON.stringify(params) };
  },
  look: (to, id) => {
    if (to.binding === 'JSONRPC') return rpc(to, 'look', id, taskParams(to, id));
    return { method: 'GET', url: pathOf(to, `/tasks/${encodeURIComponent(id)}`), headers: headersOf(to) };
  },
  cancel: (to, id) => {
    if (to.binding === 'JSONRPC') return rpc(to, 'cancel', id, taskParams(to, id));
    const url = pathOf(to, `/tasks/${encodeURIComponent(id)}:cancel`);
    return { method: 'POST', url, headers: headersOf(to), body: '{}' };
  },
  read: readAnswer,
};
