// Calls that wait for a person, as tasks for clients that support them (extension io.modelcontextprotocol/tasks of MCP 2026-07-28). A
// refusal is the result of a completed task, as of a call: `failed` is for protocol errors, and `input_required` for input by the
// client, whereas here a signed-in person decides.
import { FAULTS, type Fault, fault, isFault } from '../../domain/fault.ts';
import { isObject } from '../../domain/json.ts';
import { RPC_CODES } from '../json-rpc.ts';
import {
  type Exchange,
  type Method,
  type Methods,
  MISSING_CAPABILITY,
  type Outcome,
  type RpcError,
  type RpcResult,
  refusalError,
  rpcError,
} from './exchange.ts';
import { type MethodPorts, runOperation } from './run-operation.ts';
import { endOfWaiting, type Waiting, waitingFor } from './waiting.ts';

const TASKS = 'io.modelcontextprotocol/tasks';

/** The extensions of the protocol that this door knows. */
export const EXTENSIONS = { [TASKS]: {} } as const;

/** People are slow, and a client that polls uses up its rate. */
const POLL_MS = 5_000;

/** Whether a client said with this very request that it takes tasks; only a stateless one can. */
export function takesTasks({ capabilities: { extensions } }: Exchange): boolean {
  return isObject(extensions) && TASKS in extensions;
}

export const UNDECLARED = rpcError(
  MISSING_CAPABILITY,
  `This needs a client that declares the extension ${TASKS}.`,
  { requiredCapabilities: { extensions: EXTENSIONS } },
  400,
);

const MISSING = rpcError(RPC_CODES.invalid_params, 'There is no such task, or it is not yours.');

/** A task without what it ended with. */
function taskView({ id, status, message, created_at, updated_at, kept_ms }: Waiting) {
  return {
    taskId: id,
    status,
    statusMessage: message,
    createdAt: created_at,
    lastUpdatedAt: updated_at,
    ttlMs: kept_ms,
    pollIntervalMs: POLL_MS,
  };
}

/** The task that a call becomes which waits under that id, for a client that takes tasks; null for all else. */
export async function taskOf(ports: MethodPorts, exchange: Exchange, id: string | null): Promise<RpcResult | null> {
  if (id === null) return null;
  if (!takesTasks(exchange)) return null;
  const waiting = await waitingFor(ports, exchange, id);
  return isFault(waiting) ? null : { type: 'task', result: JSON.stringify(taskView(waiting)) };
}

type Handled = (ports: MethodPorts, exchange: Exchange, waiting: Waiting) => Promise<Outcome>;

/** A refusal of a method. Absent tasks and others' get the same one. */
function refused({ form }: MethodPorts, { request_id }: Exchange, refusal: Fault): RpcError {
  if (refusal.fault === 'not_found' || refusal.fault === 'invalid_request') return MISSING;
  const error = refusalError(refusal, form, request_id);
  return FAULTS[refusal.fault].status === 401 || refusal.fault === 'rate_limited' ? error : { ...error, status: 200 };
}

/** The JSON of a task with what it ended with. */
export async function taskText(ports: MethodPorts, exchange: Exchange, waiting: Waiting): Promise<string> {
  const view = JSON.stringify(taskView(waiting));
  if (waiting.status !== 'completed') return view;
  const { result } = await endOfWaiting(ports, exchange, waiting);
  return `${view.slice(0, -1)},"result":{"resultType":"complete",${result.slice(1)}}`;
}

const get: Handled = async (ports, exchange, waiting) => ({ result: await taskText(ports, exchange, waiting) });

/** Nothing is ever asked of the client: what it answers is of no question, and is ignored as the extension has it. */
const update: Handled = async (_ports, { params: { inputResponses } }) =>
  isObject(inputResponses)
    ? { result: '{}' }
    : rpcError(RPC_CODES.invalid_params, 'params.inputResponses must be an object.', { path: 'params.inputResponses' });

/** Decided states, which a cancel does not change; the client gets only an acknowledgement. */
const DECIDED: ReadonlySet<string> = new Set([
  'already_answered',
  'expired',
  'proposal_decided',
  'proposal_replaced',
  'proposal_expired',
]);

const cancel: Handled = async (ports, exchange, { withdrawal }) => {
  if (withdrawal === null) return { result: '{}' };
  const { operation, input } = withdrawal;
  const ended = await runOperation(ports, exchange, operation, input);
  const refusal = 'refusal' in ended ? ended.refusal : null;
  return refusal && !DECIDED.has(refusal.fault) ? refused(ports, exchange, refusal) : { result: '{}', operation };
};

/** A method about one task, for clients that take tasks. */
function about(ports: MethodPorts, handle: Handled): Method {
  return {
    eras: ['stateless'],
    named: 'taskId',
    run: async (exchange) => {
      if (!takesTasks(exchange)) return UNDECLARED;
      const { taskId } = exchange.params;
      const waiting = typeof taskId === 'string' ? await waitingFor(ports, exchange, taskId) : fault('not_found');
      return isFault(waiting) ? refused(ports, exchange, waiting) : handle(ports, exchange, waiting);
    },
  };
}

export function taskMethods(ports: MethodPorts): Methods {
  return new Map([
    ['tasks/get', about(ports, get)],
    ['tasks/update', about(ports, update)],
    ['tasks/cancel', about(ports, cancel)],
  ]);
}
