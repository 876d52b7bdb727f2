// Calls that wait for a person's decision: on a stored action, on a proposal that the caller's side withholds, or on one that it would
// approve. The existing row gives the state and the final answer.
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { isObject } from '../../domain/json.ts';
import { ACTION_KEPT_MS } from '../../domain/negotiation/action.ts';
import { answerFault } from '../../domain/negotiation/proposal.ts';
import { type Answer, Reply } from '../../pipeline/call.ts';
import type { ActionView } from '../../schemas/action.ts';
import type { ProposalView } from '../../schemas/proposal.ts';
import type { Exchange, RpcResult } from './exchange.ts';
import { outputShape, outputText, refusalResult, toolResult } from './results.ts';
import { contentOf, type MethodPorts, operationOf, runOperation } from './run-operation.ts';

const WAITS = 'Waits for the agent’s person, who decides signed in';

export interface Waiting {
  readonly id: string;
  /** Its row. */
  readonly row: { readonly table: 'actions' | 'proposals'; readonly id: string };
  readonly status: 'working' | 'completed' | 'cancelled';
  readonly message: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** When it expires while it waits. */
  readonly until: string;
  /** How long it is kept from its beginning; null for good. */
  readonly kept_ms: number | null;
  /** The final answer of the call: an operation's answer, or a refusal. */
  readonly end: { readonly operation: string; readonly value: object } | Fault;
  /** The call that withdraws it while it waits, or null. */
  readonly withdrawal: { readonly operation: string; readonly input: Record<string, unknown> } | null;
  /** The handle of the agent whose call it is. */
  readonly handle: string | undefined;
}

const MESSAGES: Readonly<Record<Exclude<ActionView['status'], 'pending'>, string>> = {
  approved: 'The agent’s person approved it.',
  rejected: 'The agent’s person refused it.',
  expired: 'The agent’s person did not answer in time.',
  failed: 'The agent’s person approved it; what became of it is not known.',
  withdrawn: 'It was withdrawn before the agent’s person decided.',
};

/** The refusal that an action ended with. */
function refusalOf({ id, status, result }: ActionView): Fault {
  const about = { action_id: id, action_status: status };
  switch (status) {
    case 'rejected':
      return fault('outside_bounds', 'Its person was asked for this, and refused it.', about);
    case 'expired': {
      // Why what a policy lets happen by silence did not.
      const { message } = isObject(result) ? result : {};
      return fault('expired', typeof message === 'string' ? message : MESSAGES.expired, about);
    }
    default:
      return fault('outcome_unknown', undefined, about);
  }
}

function statusOf({ status, result, expires_at }: ActionView, now_ms: number): Waiting['status'] {
  if (status === 'withdrawn') return 'cancelled';
  // A routed call is under way between the yes and its answer.
  const under_way = status === 'approved' && result === null && now_ms <= Date.parse(expires_at);
  return status === 'pending' || under_way ? 'working' : 'completed';
}

function ofAction(action: ActionView, now_ms: number, handle: string | undefined): Waiting {
  const { id, operation, status, result, created_at, decided_at, expires_at } = action;
  return {
    id,
    row: { table: 'actions', id },
    status: statusOf(action, now_ms),
    message: status === 'pending' ? `${WAITS}, until ${expires_at}.` : MESSAGES[status],
    created_at,
    updated_at: decided_at ?? (status === 'expired' ? expires_at : created_at),
    until: expires_at,
    kept_ms: ACTION_KEPT_MS,
    // A performed operation answers with an object.
    end: status === 'approved' && result !== null ? { operation, value: result as object } : refusalOf(action),
    withdrawal: { operation: 'action.withdraw', input: { action_id: id } },
    handle,
  };
}

/** The calls that a proposal waits for, by how the id of a task begins. */
const PROPOSING = 'proposal.propose';
const APPROVING = 'proposal.approve';

type Outcome = { readonly proposal: ProposalView };

/** An approval of a proposal cannot be withdrawn, because the proposal is the other side's. */
function ofProposal(id: string, outcome: Outcome, now_ms: number, handle: string | undefined): Waiting {
  const { proposal } = outcome;
  const { status, conversation_id, created_at, expires_at, approved_by } = proposal;
  const proposes = id.startsWith(PROPOSING);
  const said_yes = handle !== undefined && approved_by.includes(handle);
  const over =
    status === 'expired'
      ? fault('proposal_expired')
      : answerFault({ id: proposal.id, status, expires_at: Date.parse(expires_at) }, now_ms);
  const waits = proposes ? status === 'withheld' : !said_yes && over === null;
  const approval = said_yes || over === null ? { operation: APPROVING, value: outcome } : over;
  const decision = { conversation_id, proposal_id: proposal.id, decision: 'reject' };
  return {
    id,
    row: { table: 'proposals', id: proposal.id },
    status: waits ? 'working' : 'completed',
    message: waits ? `${WAITS}, until ${expires_at}.` : `The proposal is ${status}.`,
    created_at,
    updated_at: created_at,
    until: expires_at,
    kept_ms: null,
    end: proposes ? { operation: PROPOSING, value: proposal } : approval,
    withdrawal: proposes && waits ? { operation: APPROVING, input: decision } : null,
    handle,
  };
}

/** The waiting call of a task's id, as the caller may see it. */
export async function waitingFor(ports: MethodPorts, exchange: Exchange, id: string): Promise<Waiting | Fault> {
  const now_ms = ports.side.clock.now();
  const [call, proposal_id, ...more] = id.split(':');
  const proposal = proposal_id !== undefined;
  if (proposal && ((call !== PROPOSING && call !== APPROVING) || more.length > 0)) return fault('not_found');
  const ended = await (proposal
    ? runOperation(ports, exchange, 'proposal.read', { proposal_id })
    : runOperation(ports, exchange, 'action.read', { action_id: id }));
  if ('refusal' in ended) return ended.refusal;
  if (!('reply' in ended)) throw new Error('what waits is read once');
  const { reply, agent_handle } = ended;
  return proposal
    ? ofProposal(id, reply.value as Outcome, now_ms, agent_handle)
    : ofAction(reply.value as ActionView, now_ms, agent_handle);
}

/** The id of the row for which a call with this refusal waits; null when no person has to decide. */
export function waitingId(
  operation: string,
  ended: { readonly refusal: Fault } | Pick<Answer, 'reply'>,
): string | null {
  if ('reply' in ended) {
    const proposal = operation === PROPOSING ? (ended.reply.value as ProposalView | null) : null;
    return proposal?.status === 'withheld' ? `${PROPOSING}:${proposal.id}` : null;
  }
  const { fault: code, data } = ended.refusal;
  const { action_id, action_status, proposal_id } = data;
  if (code !== 'outside_bounds' || action_status !== undefined) return null;
  if (typeof action_id === 'string') return action_id;
  return operation === APPROVING && typeof proposal_id === 'string' ? `${APPROVING}:${proposal_id}` : null;
}

/** The final answer of the call, in the form of its tool. */
export async function endOfWaiting(
  ports: MethodPorts,
  exchange: Exchange,
  { end, handle }: Waiting,
): Promise<RpcResult> {
  const { form } = ports;
  if (isFault(end)) return refusalResult(end, form, exchange.request_id, exchange);
  const operation = operationOf(ports, end.operation);
  const done = { status: 'ok', reply: new Reply(end.value), notes: {}, replayed: false } as const;
  const answer: Answer = handle === undefined ? done : { ...done, agent_handle: handle };
  const json = outputText(answer, operation, form);
  const content = await contentOf(ports, exchange, answer, outputShape(operation), json);
  return toolResult({ json, content }, exchange);
}
