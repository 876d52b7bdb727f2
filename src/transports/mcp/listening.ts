// Open streams for notifications of changes: by a method in 2026-07-28, and by GET in the older revisions. Both are the operation
// `inbox.watch`: they end with the key that opened them, make no agent present, and count like all other
// streams.
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

/** Opens the stream of the caller's inbox, and of actions that wait for a person. */
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

/** The notification of a change of the inbox. */
export const INBOX_UPDATED = message('notifications/resources/updated', { uri: INBOX });

/** Whether a client of the older revisions subscribed to its inbox. */
export function isTold({ remembered }: ClientSide, exchange: Pick<Exchange, 'caller' | 'acting'>): boolean {
  return remembered.isSubscribed(callerName(exchange), INBOX);
}

/** The supported part of a client's subscription. */
interface Wanted {
  readonly inbox: boolean;
  /** The tasks, as the caller may see them. */
  readonly tasks: readonly Waiting[];
}

/** The most tasks on one stream; the client is told which. */
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

/** Notifies a stream of tasks: of those that ended before it began, of each changed row, and of each expired task. */
function taskTeller(ports: MethodPorts, exchange: Exchange, tasks: readonly Waiting[], send: (text: string) => void) {
  const { alarms } = ports.side;
  const told_ended = new Set<string>();
  const tellNow = async (of: readonly Waiting[], only_new_ends: boolean): Promise<void> => {
    for (const task of await Promise.all(of.map(({ id }) => waitingFor(ports, exchange, id)))) {
      if (isFault(task)) continue;
      const ended = task.status !== 'working';
      if (only_new_ends && (!ended || told_ended.has(task.id))) continue;
      if (ended) told_ended.add(task.id);
      send(await taskText(ports, exchange, task));
    }
  };
  // One after the other, so that notifications keep the order of changes.
  let telling = Promise.resolve();
  const tell = (of: readonly Waiting[], only_new_ends = false): void => {
    telling = telling.then(() => tellNow(of, only_new_ends)).catch(ports.report);
  };
  const rings = tasks.map((task) => ({ ring: () => tell([task], true), at: Date.parse(task.until) + 1 }));
  return {
    begin: () => {
      for (const { ring, at } of rings) alarms.set(ring, at);
      tell(tasks, true);
    },
    changed: (name: string) => tell(tasks.filter(({ row }) => nameOf(row) === name)),
    end: () => {
      for (const { ring } of rings) alarms.delete(ring);
    },
  };
}

function serve(
  ports: MethodPorts,
  exchange: Exchange,
  opened: Opened,
  { inbox, tasks }: Wanted,
  channel: Channel,
): Promise<RpcResult> {
  const _meta = { [SUBSCRIPTION_KEY]: exchange.id };
  const teller = taskTeller(ports, exchange, tasks, (text) =>
    channel.send(message('notifications/tasks', { _meta, ...JSON.parse(text) })),
  );
  const ended = Promise.withResolvers<RpcResult>();
  const close = (): void => {
    teller.end();
    ended.resolve({ result: JSON.stringify({ _meta }), operation: WATCH });
  };
  channel.onClose(close);
  const notifications = {
    ...(inbox && { resourceSubscriptions: [INBOX] }),
    ...(tasks.length > 0 && { taskIds: tasks.map(({ id }) => id) }),
  };
  channel.send(message('notifications/subscriptions/acknowledged', { _meta, notifications }));
  const updated = message('notifications/resources/updated', { _meta, uri: INBOX });
  opened.start({
    write: (line) => {
      // A number stands for the inbox, a row's name for a waiting action.
      if (!line.includes(':')) return !inbox || channel.send(updated);
      teller.changed(line.trimEnd());
      return true;
    },
    waitForDrain: () => Promise.resolve(),
    close,
    onClose: (listener) => channel.onClose(listener),
  });
  teller.begin();
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
