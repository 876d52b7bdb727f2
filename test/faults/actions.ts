// Faults in what programs ask for outside their bounds: who may say yes, to what, how often.
import type { Fault } from './fault.ts';

const TESTS = ['test/operations/action.test.ts'];

/** Faults around actions. */
export const ACTIONS: readonly Fault[] = [
  {
    name: 'a program that approves what it asked for',
    file: 'src/operations/action/perform.ts',
    find: "ctx.principal.kind === 'session' ?",
    replace: "ctx.principal.kind !== 'none' ?",
    tests: TESTS,
  },
  {
    name: 'an action that is done again',
    file: 'src/steps/negotiation/action.ts',
    find: "      patch('actions', action, set),\n",
    replace: '',
    tests: TESTS,
  },
  {
    name: 'a yes that pays more than was asked for',
    file: 'src/steps/money/escalate.ts',
    find: 'amount_cents > bound_cents : amount_cents < bound_cents',
    replace: 'false : amount_cents < bound_cents',
    tests: TESTS,
  },
  {
    name: 'an action that waits for ever',
    file: 'src/domain/negotiation/action.ts',
    find: "status === 'pending' && now_ms > respond_by",
    replace: "status !== 'pending' && now_ms > respond_by",
    tests: TESTS,
  },
];
