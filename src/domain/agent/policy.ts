// Policies: what an agent's person lets its programs do alone, by operation and counterparty. The most specific policy applies, and
// none is wider than the agent's bounds.

import { type Fault, invalid } from '../fault.ts';
import { ACTION_MS, PERFORMABLE } from '../negotiation/action.ts';
import { MINUTE_MS } from '../time.ts';

/** The operations of policies: all that a person's approval can run, and approving a proposal. */
export const POLICY_OPERATIONS = [...PERFORMABLE, 'proposal.approve'] as const;
export const POLICY_OUTCOMES = ['allow', 'ask', 'refuse'] as const;
export const ON_TIMEOUT = ['refuse', 'allow'] as const;

export type PolicyOperation = (typeof POLICY_OPERATIONS)[number];

/** Policies of an agent; they are read with each of its payments. */
export const POLICIES_MAX = 50;

/** The time that a person has for any answer. */
export const ASK_MINUTES_MAX = ACTION_MS / MINUTE_MS;

/** A policy; `agent_id` null applies to all counterparties. */
export interface Policy {
  readonly operation: PolicyOperation;
  readonly agent_id: string | null;
  readonly outcome: (typeof POLICY_OUTCOMES)[number];
  /** How long the person has to answer; by default as long as for any question. */
  readonly ask_minutes?: number | null;
  /** The outcome without an answer; none by default. */
  readonly on_timeout?: (typeof ON_TIMEOUT)[number] | null;
}

/** The policy that applies: one for the counterparty before one for all; null without one. */
export function policyFor<P extends Pick<Policy, 'operation' | 'agent_id'>>(
  policies: readonly P[] | undefined,
  operation: PolicyOperation,
  counterparty_id: string | null,
): P | null {
  if (policies === undefined) return null;
  const of_it = policies.filter((policy) => policy.operation === operation);
  const known = counterparty_id === null ? undefined : of_it.find(({ agent_id }) => agent_id === counterparty_id);
  return known ?? of_it.find(({ agent_id }) => agent_id === null) ?? null;
}

/** Whether an agent's programs may act towards a counterparty without asking its person. */
export function isLet(
  policies: readonly Policy[] | undefined,
  operation: PolicyOperation,
  counterparty_id: string | null,
): boolean {
  return (policyFor(policies, operation, counterparty_id)?.outcome ?? 'allow') === 'allow';
}

/** How long a question of a policy waits for an answer. */
export function askMs({ ask_minutes }: Pick<Policy, 'ask_minutes'>): number {
  return ask_minutes ? ask_minutes * MINUTE_MS : ACTION_MS;
}

/** The wrong field of a policy, and how to correct it. */
function policyFault({
  operation,
  outcome,
  ask_minutes,
  on_timeout,
}: Omit<Policy, 'agent_id'>): [string, string] | null {
  const asked = (ask_minutes ?? null) !== null || (on_timeout ?? null) !== null;
  if (asked && outcome !== 'ask') {
    return ['outcome', 'Use "ask" with ask_minutes and on_timeout, or leave these out.'];
  }
  if (operation === 'proposal.approve') {
    if (outcome === 'refuse') return ['outcome', 'Use "ask": a proposal waits for its person anyway.'];
    if (asked) return ['operation', 'A proposal waits 72 hours by itself: leave ask_minutes and on_timeout out.'];
  }
  if (operation === 'router_call.make' && on_timeout === 'allow') {
    return ['on_timeout', 'Use "refuse": the caller of a routed call no longer waits by then.'];
  }
  return null;
}

/** The 400 that names each wrong policy by its position. */
export function policiesFault(policies: readonly Policy[]): Fault<'invalid_request'> | null {
  const seen = new Set<string>();
  const wrong = policies.flatMap((policy, n) => {
    const which = `${policy.operation} ${policy.agent_id ?? ''}`;
    const twice = seen.has(which);
    seen.add(which);
    if (twice) return [{ path: `policies.${n}`, message: 'There is one of this operation and counterparty already.' }];
    const fault = policyFault(policy);
    return fault ? [{ path: `policies.${n}.${fault[0]}`, message: fault[1] }] : [];
  });
  return wrong.length > 0 ? invalid(...wrong) : null;
}
