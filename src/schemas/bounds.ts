// The bounds of an agent on the wire: the amounts it may agree to by itself, and policies by operation and counterparty.
import { type Static, Type } from 'typebox';
import type { BoundsColumn } from '../../db/schema/agent.ts';
import { NO_BOUNDS, setBy } from '../domain/agent/bounds.ts';
import { ASK_MINUTES_MAX, ON_TIMEOUT, POLICY_OPERATIONS, POLICY_OUTCOMES } from '../domain/agent/policy.ts';
import { named, namedObject } from './named.ts';
import { HandleInput, NullableCents, nullable } from './wire.ts';

/** The key of a policy: an operation, and optionally a counterparty. */
const POLICY = {
  operation: named('PolicyOperation', Type.Enum([...POLICY_OPERATIONS], { description: 'the operation' })),
  outcome: named(
    'PolicyOutcome',
    Type.Enum([...POLICY_OUTCOMES], {
      description: 'for calls with a key within the bounds: perform, ask the person, or refuse',
    }),
  ),
};

const OnTimeout = named(
  'PolicyTimeout',
  Type.Enum([...ON_TIMEOUT], {
    description: 'the default without an answer in time: nothing, or the request is performed',
  }),
);
const AskMinutes = Type.Integer({ minimum: 1, maximum: ASK_MINUTES_MAX });

const PolicyShape = namedObject('Policy', 'a rule for programs of the agent, by operation and counterparty', {
  ...POLICY,
  handle: nullable(
    Type.String(),
    'the handle of the counterparty when this was set; null: everyone without a policy of their own',
  ),
  ask_minutes: nullable(AskMinutes, 'the time to answer; null: 72 hours'),
  on_timeout: nullable(OnTimeout, 'null: refuse'),
});

export const PolicyInput = namedObject('PolicyInput', 'a policy; one that names the counterparty takes precedence', {
  ...POLICY,
  handle: Type.Optional(nullable(HandleInput, 'null or omitted: everyone')),
  ask_minutes: Type.Optional(nullable(AskMinutes, 'the time to answer; default: 72 hours')),
  on_timeout: Type.Optional(nullable(OnTimeout, 'allow: without an answer it is performed, within the bounds')),
});

const SetBy = Type.Union([Type.Literal('person'), Type.Literal('key'), Type.Null()]);

export const BoundsShape = namedObject('Bounds', 'amounts above which the human has to approve', {
  max_pay_cents: NullableCents,
  max_pay_per_day_cents: nullable(Type.Integer({ minimum: 0 }), 'payments of all keys in a day (UTC)'),
  min_charge_cents: { ...NullableCents, description: 'gross: the agent gets it less the fee of its plan' },
  auto_approve_below_cents: NullableCents,
  set_by: namedObject('BoundsSetBy', 'who set each bound: its person in a session, or a key; null without a bound', {
    max_pay_cents: SetBy,
    max_pay_per_day_cents: SetBy,
    min_charge_cents: SetBy,
    auto_approve_below_cents: SetBy,
  }),
  policies: Type.Array(PolicyShape, { description: 'always within the bounds' }),
});

export function boundsView(bounds: BoundsColumn): Static<typeof BoundsShape> {
  const { policies = [], set_by_person = [], ...amounts } = { ...NO_BOUNDS, ...bounds };
  return {
    ...amounts,
    set_by: setBy(amounts, set_by_person),
    policies: policies.map(({ agent_id: _by_handle, ...policy }) => policy),
  };
}
