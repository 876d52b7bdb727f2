// Streams that a client leaves open to be told of changes: the one that 2026-07-28 asks for by a method, and the standing one of the
// older revisions. Both are the operation `inbox.watch`: they end with the key that opened them, show nobody as online, and are
// counted with all other streams.
import { nameOf } from '../../../db/schema/told.ts';
import { invalid, isFault } from '../../domain/fault.ts';
import { isObject, type Json } from '../../domain/json.ts';
import type { Opened, Refused } from '../../pipeline/call.ts';
import { type ClientSide, callerName } from './client-requests.ts';
import { type Channel, type Exchange, type Methods, type Outcome, type RpcResult, refusalError } from './exchange.ts';
import { INBOX } from './resources.ts';
import { type MethodPorts, runOperation, type Sender } from './run-operation.ts';
import { takesTasks, taskText, UNDECLARED } from './tasks.ts';
import { type Waiting, waitingFor } from './waiting.ts';

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';
const WATCH = 'inbox.watch';

/** Opens the stream of the caller's inbox, and of what waits for a person. */
export async function openWatch(
  ports: MethodPorts,
  exchange: Sender,
  waiting: readonly Waiting['row'][] = [],
): Promise<Opened | Refused> {
  const ended = await runOperation(ports, exchange, WATCH, { waiting });
  if ('reply' in ended) throw new Error(`${WATCH} answers once, and is to stay open`);
  return ended;
}

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** What is said of a change of the inbox. */
export const INBOX_UPDATED = message('notifications/resources/updated', { uri: INBOX });

/** Whether a client of the older revisions asked to be told of its inbox. */
export function isTold({ remembered }: ClientSide, exchange: Pick<Exchange, 'caller' | 'acting'>): boolean {
  return remembered.isSubscribed(callerName(exchange), INBOX);
}

/** What a client wants to hear of that can be told here. */
interface Wanted {
  readonly inbox: boolean;
  /** The tasks, as the caller may see them. */
  readonly tasks: readonly Waiting[];
}

/** So many tasks one stream tells of; the client is told which. */
const TASKS_MAX = 32;

async function wantedOf(
  ports: MethodPorts,
  exchange: Exchange,
  { resourceSubscriptions: uris, taskIds: ids = [] }: Json,
): Promise<Wanted> {
  const asked = Array.isArray(ids) ? [...new Set(ids)].filter((id) => typeof id === 'string').slice(0, TASKS_MAX) : [];
  const found = await Promise.all(asked.map((id) => waitingFor(ports, exchange, id)));
  const tasks = found.flatMap((each) => (isFault(each) ? [] : [each]));
  return { inbox: Array.isArray(uris) && uris.includes(INBOX), tasks };
}

/** The messages about the tasks of a row that has changed. */
async function tasksTold(ports: MethodPorts, exchange: Exchange, tasks: readonly Waiting[], name: string) {
  const changed = tasks.filter(({ row }) => nameOf(row) === name);
  const now = await Promise.all(changed.map(({ id }) => waitingFor(ports, exchange, id)));
  const texts = now.map((task) => (isFault(task) ? null : taskText(ports, exchange, task)));
  return (await Promise.all(texts)).filter((text) => text !== null);
}

function serve(
  ports: MethodPorts,
  exchange: Exchange,
  opened: Opened,
  { inbox, tasks }: Wanted,
  channel: Channel,
): Promise<RpcResult> {
  const _meta = { [SUBSCRIPTION_KEY]: exchange.id };
  const ended = Promise.withResolvers<RpcResult>();
  const close = (): void => ended.resolve({ result: JSON.stringify({ _meta }), operation: WATCH });
  channel.onClose(close);
  const notifications = {
    ...(inbox && { resourceSubscriptions: [INBOX] }),
    ...(tasks.length > 0 && { taskIds: tasks.map(({ id }) => id) }),
  };
  channel.send(message('notifications/subscriptions/acknowledged', { _meta, notifications }));
  const updated = message('notifications/resources/updated', { _meta, uri: INBOX });
  // One after the other, so that of two changes the later one is told last.
  let telling = Promise.resolve();
  const tell = async (name: string): Promise<void> => {
    for (const text of await tasksTold(ports, exchange, tasks, name)) {
      channel.send(message('notifications/tasks', { _meta, ...JSON.parse(text) }));
    }
  };
  opened.start({
    write: (line) => {
      // The inbox is told of by a number, what waits by the name of its row.
      if (!line.includes(':')) return !inbox || channel.send(updated);
      telling = telling.then(() => tell(line.trimEnd())).catch(ports.report);
      return true;
    },
    waitForDrain: () => Promise.resolve(),
    close,
    onClose: (listener) => channel.onClose(listener),
  });
  return ended.promise;
}

async function listen(ports: MethodPorts, exchange: Exchange): Promise<Outcome> {
  const { params, request_id } = exchange;
  const { notifications } = params;
  if (!isObject(notifications)) {
    const refusal = invalid({ path: 'notifications', message: 'must be an object that says of what to tell' });
    return { ...refusalError(refusal, ports.form, request_id), status: 200 };
  }
  if (notifications['taskIds'] !== undefined && !takesTasks(exchange)) return UNDECLARED;
  const wanted = await wantedOf(ports, exchange, notifications);
  const rows = wanted.tasks.map(({ row }) => row);
  const opened = await openWatch(ports, exchange, rows);
  if ('refusal' in opened) return refusalError(opened.refusal, ports.form, request_id);
  return { operation: WATCH, stream: (channel) => serve(ports, exchange, opened, wanted, channel) };
}

export function listeningMethods(ports: MethodPorts): Methods {
  return new Map([
    ['subscriptions/listen', { eras: ['stateless' as const], run: (exchange: Exchange) => listen(ports, exchange) }],
  ]);
}
