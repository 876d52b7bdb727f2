// The end of a request for quotes: the call that closes it at its deadline, scheduled when it is posted and moved when it is
// extended; the refusals of acts on it; the counters of open requests.
import { Type } from 'typebox';
import { count, type Effect, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { type DemandAction, type DemandRole, demandFault, demandStatusAt } from '../../domain/demand/demand.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { dayOf } from '../../domain/text/day.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

export const CLOSE_DUE = { name: 'demand.close_due', input: Type.Object({ request_id: Id }) } as const;

/** Closes a request at its time. */
export function closeLater(
  request: { readonly id: string; readonly closes_at: number },
  now_ms: number,
): Effect<never> {
  return remind(CLOSE_DUE, { request_id: request.id }, { at: request.closes_at, key: request.id, now_ms });
}

type Request = Row<'demand_requests'>;

/** A request with who posted it. */
export interface FoundDemand {
  readonly request: Request;
  readonly requester: Row<'agents'>;
}

function roleOf({ agent_id, account_id }: Request, ctx: Ctx): DemandRole {
  const me = actor(ctx);
  if (agent_id === me.id) return 'requester';
  return account_id === me.account_id ? 'own_account' : 'other';
}

/** Why the acting agent may not do something to a request. A request of a deactivated agent accepts nothing until it is restored. */
export function demandRefusal(
  found: FoundDemand | null,
  action: DemandAction,
  ctx: Ctx,
): Fault<'not_found' | 'own_request' | 'request_closed'> | null {
  if (!found) return fault('not_found');
  const { request, requester } = found;
  const status = requester.deactivated_at === null ? demandStatusAt(request, ctx.now_ms) : 'closed';
  return demandFault(status, action, roleOf(request, ctx));
}

/** The counter of requests that an account has open. */
export function openDemandKey(account_id: string): string {
  return `demand_open:${account_id}`;
}

/** The counter of requests that an account posted on a UTC day. */
export function demandPostsKey(account_id: string, now_ms: number): string {
  return `demand_posts:${account_id}:${dayOf(now_ms)}`;
}

/** Counts one open request less. Decrements are never refused. */
function countEnded(account_id: string): Effect<never> {
  return count(openDemandKey(account_id), Number.MAX_SAFE_INTEGER, fault('plan_limit'), null, -1) as Effect<never>;
}

/** Cancels the pending answer of every agent that was woken. */
function endAnswers({ id, woken }: Request): Effect<never>[] {
  return woken.map((agent_id) => ({ do: 'answer', agent_id, subject_id: id, answered: null }));
}

/** The effects of a request's end besides those on its own row. */
export function afterDemand(request: Request): Effect<never>[] {
  return [countEnded(request.account_id), ...endAnswers(request)];
}

type Ending = Partial<Request> & { readonly status: 'awarded' | 'closed' };

/** Ends an open request. The caller cancels the reminder that would close it. */
export function endDemand(request: Request, set: Ending, now_ms: number): Effect<never>[] {
  return [patch('demand_requests', request, { ...set, ended_at: now_ms, updated_at: now_ms }), ...afterDemand(request)];
}
