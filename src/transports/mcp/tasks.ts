// Calls that wait for a person, told as tasks to clients that take them (extension io.modelcontextprotocol/tasks of MCP 2026-07-28). The
// task is the action that is stored anyway, by its own id: it outlives both sides' restarts, and what it ends with is what its row says.
import { FAULTS, type Fault, fault, isFault } from '../../domain/fault.ts';
import { isObject, type Json } from '../../domain/json.ts';
import { ACTION_KEPT_MS } from '../../domain/negotiation/action.ts';
import { type Answer, Reply } from '../../pipeline/call.ts';
import type { ActionView } from '../../schemas/action.ts';
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
import { outputShape, outputText, refusalResult, toolResult } from './results.ts';
import { contentOf, type MethodPorts, operationOf, runOperation } from './run-operation.ts';

const TASKS = 'io.modelcontextprotocol/tasks';

/** The extensions of the protocol that this door knows. */
export const EXTENSIONS = { [TASKS]: {} } as const;

/** People are slow, and a client that polls uses up its rate. */
const POLL_MS = 5_000;

/** Whether a client said with this very request that it takes tasks; only a stateless one can. */
function takesTasks({ capabilities: { extensions } }: Exchange): boolean {
  return isObject(extensions) && TASKS in extensions;
}

const UNDECLARED = rpcError(
  MISSING_CAPABILITY,
  `This needs a client that declares the extension ${TASKS}.`,
  { requiredCapabilities: { extensions: EXTENSIONS } },
  400,
);

const MISSING = rpcError(RPC_CODES.invalid_params, 'There is no such task, or it is not yours.');

const WITHDRAW = 'action.withdraw';

/** An action as its own side reads it, and as which agent. */
type Followed = Pick<Answer, 'agent_handle'> & { readonly action: ActionView };

async function follow(ports: MethodPorts, exchange: Exchange, action_id: string): Promise<Followed | Fault> {
  const ended = await runOperation(ports, exchange, 'action.read', { action_id });
  if ('refusal' in ended) return ended.refusal;
  if (!('reply' in ended)) throw new Error('an action is read once');
  const { reply, agent_handle } = ended;
  return { action: reply.value as ActionView, ...(agent_handle !== undefined && { agent_handle }) };
}

/** What a call ended with that a person did not let happen, in the words of the refusal that the same call meets now. */
function refusalOf({ id, status, result }: ActionView): Fault {
  const about = { action_id: id, action_status: status };
  switch (status) {
    case 'rejected':
      return fault('outside_bounds', 'Its person was asked for this, and refused it.', about);
    case 'expired': {
      // Why what a policy lets happen by silence did not.
      const { message } = isObject(result) ? result : {};
      return fault('expired', typeof message === 'string' ? message : 'Its person did not answer in time.', about);
    }
    default:
      return fault('outcome_unknown', undefined, about);
  }
}

type Status = 'working' | 'completed' | 'cancelled';

/** Where the task of an action stands. A refusal is the result of a tool, as it is of a call: `failed` is for errors of the protocol, and
 * `input_required` for what the client itself can give; its person decides elsewhere. */
function statusOf({ status, result, expires_at }: ActionView, now_ms: number): Status {
  if (status === 'withdrawn') return 'cancelled';
  // A routed call is under way between the yes and its answer.
  const under_way = status === 'approved' && result === null && now_ms <= Date.parse(expires_at);
  return status === 'pending' || under_way ? 'working' : 'completed';
}

const MESSAGES: Readonly<Record<ActionView['status'], string>> = {
  pending: 'Waits for the agent’s person, who decides signed in',
  approved: 'The agent’s person approved it.',
  rejected: 'The agent’s person refused it.',
  expired: 'The agent’s person did not answer in time.',
  failed: 'The agent’s person approved it; what became of it is not known.',
  withdrawn: 'It was withdrawn before the agent’s person decided.',
};

/** A task without what it ended with. */
function taskView(action: ActionView, now_ms: number): Json {
  const { id, status, created_at, decided_at, expires_at } = action;
  const ended_at = decided_at ?? (status === 'expired' ? expires_at : created_at);
  return {
    taskId: id,
    status: statusOf(action, now_ms),
    statusMessage: status === 'pending' ? `${MESSAGES.pending}, until ${expires_at}.` : MESSAGES[status],
    createdAt: created_at,
    lastUpdatedAt: ended_at,
    ttlMs: ACTION_KEPT_MS,
    pollIntervalMs: POLL_MS,
  };
}

/** What the call would have been answered had nobody been asked. */
async function callResult(
  ports: MethodPorts,
  exchange: Exchange,
  { action, agent_handle }: Followed,
): Promise<RpcResult> {
  const { status, result } = action;
  const { form } = ports;
  if (status !== 'approved' || result === null) {
    return refusalResult(refusalOf(action), form, exchange.request_id, exchange);
  }
  const operation = operationOf(ports, action.operation);
  const done = { status: 'ok', reply: new Reply(result), notes: {}, replayed: false } as const;
  const answer: Answer = agent_handle === undefined ? done : { ...done, agent_handle };
  const json = outputText(answer, operation, form);
  const content = await contentOf(ports, exchange, answer, outputShape(operation), json);
  return toolResult({ json, content }, exchange);
}

async function taskNow(ports: MethodPorts, exchange: Exchange, followed: Followed): Promise<string> {
  const view = taskView(followed.action, ports.side.clock.now());
  if (view.status !== 'completed') return JSON.stringify(view);
  const { result } = await callResult(ports, exchange, followed);
  return `${JSON.stringify(view).slice(0, -1)},"result":{"resultType":"complete",${result.slice(1)}}`;
}

/** The task that a call becomes which was refused since a person has to decide, for a client that takes tasks; null for all else. */
export async function taskOf(
  ports: MethodPorts,
  exchange: Exchange,
  { fault: code, data }: Fault,
): Promise<RpcResult | null> {
  const { action_id, action_status } = data;
  if (code !== 'outside_bounds' || typeof action_id !== 'string' || action_status !== undefined) return null;
  if (!takesTasks(exchange)) return null;
  const followed = await follow(ports, exchange, action_id);
  if (isFault(followed)) return null;
  return { type: 'task', result: JSON.stringify(taskView(followed.action, ports.side.clock.now())) };
}

type Handled = (ports: MethodPorts, exchange: Exchange, followed: Followed) => Promise<Outcome>;

/** A refusal of what a method was asked. What is not the caller's and what is not there are one. */
function refused({ form }: MethodPorts, { request_id }: Exchange, refusal: Fault): RpcError {
  if (refusal.fault === 'not_found' || refusal.fault === 'invalid_request') return MISSING;
  const error = refusalError(refusal, form, request_id);
  return FAULTS[refusal.fault].status === 401 || refusal.fault === 'rate_limited' ? error : { ...error, status: 200 };
}

const get: Handled = async (ports, exchange, followed) => ({ result: await taskNow(ports, exchange, followed) });

/** Nothing is ever asked of the client: what it answers is of no question, and is ignored as the extension has it. */
const update: Handled = async (_ports, { params: { inputResponses } }) =>
  isObject(inputResponses)
    ? { result: '{}' }
    : rpcError(RPC_CODES.invalid_params, 'params.inputResponses must be an object.', { path: 'params.inputResponses' });

/** What is decided already stays so, and a client is told only that it was heard. */
const cancel: Handled = async (ports, exchange, { action: { id } }) => {
  const ended = await runOperation(ports, exchange, WITHDRAW, { action_id: id });
  const refusal = 'refusal' in ended ? ended.refusal : null;
  const stays = refusal?.fault === 'already_answered' || refusal?.fault === 'expired';
  return refusal && !stays ? refused(ports, exchange, refusal) : { result: '{}', operation: WITHDRAW };
};

/** A method about one task, for clients that take tasks. */
function about(ports: MethodPorts, handle: Handled): Method {
  return {
    eras: ['stateless'],
    named: 'taskId',
    run: async (exchange) => {
      if (!takesTasks(exchange)) return UNDECLARED;
      const { taskId } = exchange.params;
      const followed = typeof taskId === 'string' ? await follow(ports, exchange, taskId) : fault('not_found');
      return isFault(followed) ? refused(ports, exchange, followed) : handle(ports, exchange, followed);
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
