// Sets the bounds within which an agent may agree by itself (interface.md item 12), and its policies, which are never wider. Null
// removes a bound; absent fields stay.
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import type { BoundsColumn, PolicyColumn } from '../../../db/schema/agent.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import {
  type Bounds,
  letsMore,
  NO_BOUNDS,
  type PersonSet,
  patchBounds,
  setByPerson,
  widenedBound,
} from '../../domain/agent/bounds.ts';
import { POLICIES_MAX, policiesFault } from '../../domain/agent/policy.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { boundsLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { BoundsShape, boundsView, PolicyInput } from '../../schemas/bounds.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { nullable } from '../../schemas/wire.ts';
import { agentsByHandles } from '../../steps/agent/find.ts';
import { loadOwn } from '../../steps/agent/load.ts';
import { changeAgent } from '../../steps/agent/own.ts';
import { sendLetter } from '../../steps/letter.ts';

const Bound = Type.Optional(nullable(Type.Integer(), 'integer cents, or null for none'));

type Given = readonly Static<typeof PolicyInput>[];

/** The policies to store, or a 400 that names each invalid one. `found` has the named agents by handle as given. */
function policiesOf(
  given: Given,
  found: ReadonlyMap<string, Row<'agents'> | null>,
): readonly PolicyColumn[] | Fault<'invalid_request'> {
  const missing = given.flatMap(({ handle }, n) =>
    typeof handle === 'string' && !found.get(handle)
      ? [{ path: `policies.${n}.handle`, message: 'is the handle of no agent' }]
      : [],
  );
  if (missing.length > 0) return invalid(...missing);
  const policies = given.map(({ operation, outcome, handle = null, ask_minutes = null, on_timeout = null }) => {
    const named = handle === null ? null : (found.get(handle) ?? null);
    return { operation, agent_id: named?.id ?? null, handle: named?.handle ?? null, outcome, ask_minutes, on_timeout };
  });
  return policiesFault(policies) ?? policies;
}

/** The bound or policy set by a person that a program tries to widen, which is refused; null without one. */
function widened(before: BoundsColumn, after: BoundsColumn, known: readonly PersonSet[]): PersonSet | null {
  const bound = widenedBound({ ...NO_BOUNDS, ...before }, { ...NO_BOUNDS, ...after }, known);
  if (bound !== null) return bound;
  const same = isDeepStrictEqual(before.policies ?? [], after.policies ?? []);
  return known.includes('policies') && !same ? 'policies' : null;
}

/** The letter to the person when a key set bounds: what their program may now agree to alone. */
function letterOf(
  ctx: Ctx,
  { handle }: Row<'agents'>,
  account: Row<'accounts'> | null,
  bounds: Bounds,
): Effect<never>[] {
  if (!account?.email) return [];
  const limits = {
    pays: bounds.max_pay_cents,
    pays_a_day: bounds.max_pay_per_day_cents,
    charges: bounds.min_charge_cents,
    approves: bounds.auto_approve_below_cents,
  };
  const url = `${ctx.settings.app_url}/agents/${handle}#bounds`;
  const letter = boundsLetter(`@${handle}`, limits, url, letterWordsFor(account));
  return [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)];
}

export const agentBounds = command({
  name: 'agent.bounds',
  summary: 'Set the bounds of an agent',
  description:
    'Amounts outside the bounds need approval by the human. Amounts are gross: a seller gets them less the fee of its plan. Amounts below auto_approve_below_cents need no approval. A key may narrow, but not widen, bounds that a person set in a session. ' +
    'Policies decide, by operation and counterparty, whether a key acts alone, asks or is refused, always within the amounts; a policy that names the counterparty takes precedence. The list is replaced as a whole; policies that a person set can be replaced by a person only.',
  input: namedObject('BoundsInput', 'the amounts and policies to set', {
    max_pay_cents: Bound,
    max_pay_per_day_cents: Bound,
    min_charge_cents: Bound,
    auto_approve_below_cents: Bound,
    policies: Type.Optional(
      nullable(
        Type.Array(PolicyInput, { maxItems: POLICIES_MAX }),
        'the whole list; an empty list or null removes all policies',
      ),
    ),
  }),
  output: Type.Object({ handle: Type.String(), bounds: BoundsShape }),
  example: {
    max_pay_cents: 10_000,
    min_charge_cents: 100,
    auto_approve_below_cents: 500,
    policies: [
      { operation: 'wallet.send', outcome: 'ask', ask_minutes: 60, on_timeout: 'refuse' },
      { operation: 'wallet.send', handle: SAMPLE.other_handle, outcome: 'allow' },
    ],
  },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: ['invalid_request', 'not_found', 'session_required'],
  rest: [{ method: 'PATCH', path: '/api/agents/bounds' }],
  tools: [{ name: 'mesh_set_bounds', title: 'Set the bounds of your agent', set: 'agents', extension: true }],
  load: async (read, { policies }, ctx, ports) => {
    const handles = new Set((policies ?? []).flatMap(({ handle }) => handle ?? []));
    const [own, found] = await Promise.all([loadOwn(read, ctx, ports), agentsByHandles(read, handles, ctx.now_ms)]);
    return { ...own, found };
  },
  decide: ({ agent, account, facts, found }, input, ctx) => {
    if (!agent) return fault('not_found');
    const before = agent.bounds;
    const amounts = patchBounds({ ...NO_BOUNDS, ...before }, input);
    if (isFault(amounts)) return amounts;
    const policies = input.policies === undefined ? (before.policies ?? []) : policiesOf(input.policies ?? [], found);
    if (isFault(policies)) return policies;
    const { set_by_person: known = [] } = before;
    const by_person = ctx.principal.kind === 'session';
    const after = { ...amounts, ...(policies.length > 0 && { policies }) };
    const wide = by_person ? null : widened(before, after, known);
    if (wide) {
      return fault('session_required', `A person set ${wide}: a key may narrow it, only a session may widen it.`);
    }
    const set_by_person = by_person ? setByPerson(known, input) : known;
    const kept = { ...after, ...(set_by_person.length > 0 && { set_by_person }) };
    const reply = { handle: agent.handle, bounds: boundsView(kept) };
    if (isDeepStrictEqual(kept, { ...NO_BOUNDS, ...before })) return { reply };
    const told =
      !by_person && letsMore({ ...NO_BOUNDS, ...before }, amounts) ? letterOf(ctx, agent, account, amounts) : [];
    return { reply, effects: [...changeAgent(ctx, agent, { bounds: kept }, facts, ['bounds']).effects, ...told] };
  },
});
