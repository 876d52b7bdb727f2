// The gate of a verified agent, as every operation that declares it will find it; who is let in otherwise stands in the
// access matrix, operation by operation.
import { expect, test } from 'bun:test';
import type { Row } from '../../db/schema/tables.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { registry } from '../../src/operations/registry.ts';
import { gateFault } from '../../src/steps/admission.ts';

const [some] = registry();
const gated = { ...some, gate: 'verified' } as AnyOperation;
const open = { ...some, gate: undefined } as AnyOperation;

/** Only what the gate looks at. */
const agent = (verified_at: number | null): Row<'agents'> =>
  ({ id: 'ada', created_at: 1, verified_at }) as Row<'agents'>;

test.each([
  ['an unverified agent is told how to prove one', gated, agent(null), 'verification_required'],
  ['a verified agent passes', gated, agent(1), null],
  ['nobody passes: who needs an agent is asked for one before', gated, null, null],
  ['where there is no gate an unverified agent passes', open, agent(null), null],
])('%s', (_what, operation, who, refusal) =>
  expect<string | null>(gateFault(operation, who)?.fault ?? null).toBe(refusal),
);
