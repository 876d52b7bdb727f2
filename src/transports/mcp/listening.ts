// Streams that a client leaves open to be told of changes: the one that 2026-07-28 asks for by a method, and the standing one of the
// older revisions. Both are the operation `inbox.watch`: they end with the key that opened them, show nobody as online, and are
// counted with all other streams.
import { invalid } from '../../domain/fault.ts';
import type { Opened, Refused } from '../../pipeline/call.ts';
import { type ClientSide, callerName } from './client-requests.ts';
import { type Channel, type Exchange, type Methods, type Outcome, type RpcResult, refusalError } from './exchange.ts';
import { INBOX } from './resources.ts';
import { type MethodPorts, runOperation, type Sender } from './run-operation.ts';

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';
const WATCH = 'inbox.watch';

/** Opens the stream of the caller's inbox. */
export async function openWatch(ports: MethodPorts, exchange: Sender): Promise<Opened | Refused> {
  const ended = await runOperation(ports, exchange, WATCH, {});
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

/** Of what a client wants to hear, what can be told here. */
function honoured(wanted: Readonly<Record<string, unknown>>): { readonly resourceSubscriptions?: readonly string[] } {
  const { resourceSubscriptions: uris } = wanted;
  return Array.isArray(uris) && uris.includes(INBOX) ? { resourceSubscriptions: [INBOX] } : {};
}

function serve(
  opened: Opened,
  id: Exchange['id'],
  notifications: ReturnType<typeof honoured>,
  channel: Channel,
): Promise<RpcResult> {
  const _meta = { [SUBSCRIPTION_KEY]: id };
  const ended = Promise.withResolvers<RpcResult>();
  const close = (): void => ended.resolve({ result: JSON.stringify({ _meta }), operation: WATCH });
  channel.onClose(close);
  channel.send(message('notifications/subscriptions/acknowledged', { _meta, notifications }));
  const isWanted = notifications.resourceSubscriptions !== undefined;
  const updated = isWanted ? message('notifications/resources/updated', { _meta, uri: INBOX }) : '';
  opened.start({
    write: () => !isWanted || channel.send(updated),
    waitForDrain: () => Promise.resolve(),
    close,
    onClose: (listener) => channel.onClose(listener),
  });
  return ended.promise;
}

async function listen(ports: MethodPorts, exchange: Exchange): Promise<Outcome> {
  const { id, params, request_id } = exchange;
  const { notifications } = params;
  if (typeof notifications !== 'object' || notifications === null || Array.isArray(notifications)) {
    const refusal = invalid({ path: 'notifications', message: 'must be an object that says of what to tell' });
    return { ...refusalError(refusal, ports.form, request_id), status: 200 };
  }
  const opened = await openWatch(ports, exchange);
  if ('refusal' in opened) return refusalError(opened.refusal, ports.form, request_id);
  const told = honoured(notifications as Readonly<Record<string, unknown>>);
  return { operation: WATCH, stream: (channel) => serve(opened, id, told, channel) };
}

export function listeningMethods(ports: MethodPorts): Methods {
  return new Map([
    ['subscriptions/listen', { eras: ['stateless' as const], run: (exchange: Exchange) => listen(ports, exchange) }],
  ]);
}
