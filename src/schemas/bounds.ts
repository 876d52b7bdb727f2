// The bounds of an agent on the wire: the amounts it may agree to by itself, and policies by operation and counterparty.
import { type Static, Type } from 'typebox';
import type { BoundsColumn } from '../../db/schema/agent.ts';
import { NO_BOUNDS, setBy } from '../domain/agent/bounds.ts';
import { ASK_MINUTES_MAX, ON_TIMEOUT, POLICY_OPERATIONS, POLICY_OUTCOMES } from '../domain/agent/policy.ts';
import { named, namedObject } from './named.ts';
import { HandleInput, NullableCents } from './wire.ts';

/** The key of a policy: an operation, and optionally a counterparty. */
const POLICY = {
  operation: named('PolicyOperation', Type.Enum([...POLICY_OPERATIONS], { description: 'what it is of' })),
  outcome: named(
    'PolicyOutcome',
    Type.Enum([...POLICY_OUTCOMES], {
      description: 'what becomes of it by key, within the bounds: it is done, its person is asked, or it is refused',
    }),
  ),
};

const OnTimeout = named(
  'PolicyTimeout',
  Type.Enum([...ON_TIMEOUT], { description: 'what comes of no answer in time: nothing, or what was asked for' }),
);
const AskMinutes = Type.Integer({ minimum: 1, maximum: ASK_MINUTES_MAX });

const PolicyShape = namedObject(
  'Policy',
  'what programs of the agent do of themselves, of an operation and a counterparty',
  {
    ...POLICY,
    handle: Type.Union([Type.String(), Type.Null()], {
      description: 'the counterparty, as it was called when this was set; null: everybody for whom there is no other',
    }),
    ask_minutes: Type.Union([AskMinutes, Type.Null()], {
      description: 'how long an answer is waited for; null: 72 hours',
    }),
    on_timeout: Type.Union([OnTimeout, Type.Null()], { description: 'null: refuse' }),
  },
);

export const PolicyInput = namedObject('PolicyInput', 'a policy; of two the one that names the counterparty counts', {
  ...POLICY,
  handle: Type.Optional(Type.Union([HandleInput, Type.Null()], { description: 'null or left out: everybody' })),
  ask_minutes: Type.Optional(
    Type.Union([AskMinutes, Type.Null()], { description: 'how long an answer is waited for; 72 hours unless said' }),
  ),
  on_timeout: Type.Optional(
    Type.Union([OnTimeout, Type.Null()], { description: 'allow: within the bounds it is done without an answer' }),
  ),
});

const SetBy = Type.Union([Type.Literal('person'), Type.Literal('key'), Type.Null()]);

export const BoundsShape = namedObject('Bounds', 'amounts that decide what the human is asked about', {
  max_pay_cents: NullableCents,
  max_pay_per_day_cents: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'what keys pay in a day (UTC), together',
  }),
  min_charge_cents: { ...NullableCents, description: 'gross: what the agent gets is less by the fee of its plan' },
  auto_approve_below_cents: NullableCents,
  set_by: namedObject('BoundsSetBy', 'who set each bound: its person, signed in, or a key; null where there is none', {
    max_pay_cents: SetBy,
    max_pay_per_day_cents: SetBy,
    min_charge_cents: SetBy,
    auto_approve_below_cents: SetBy,
  }),
  policies: Type.Array(PolicyShape, { description: 'none of them wider than the bounds' }),
});

export function boundsView(bounds: BoundsColumn): Static<typeof BoundsShape> {
  const { policies = [], set_by_person = [], ...amounts } = { ...NO_BOUNDS, ...bounds };
  return {
    ...amounts,
    set_by: setBy(amounts, set_by_person),
    policies: policies.map(({ agent_id: _by_handle, ...policy }) => policy),
  };
}
