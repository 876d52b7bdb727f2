// Faults in what an operator relies on: what is told of a database that is away, of clocks and of secrets.
import type { Fault } from './fault.ts';

export const OPERATION: readonly Fault[] = [
  {
    name: 'a timer that was set before time moved is kept',
    file: 'actors/supervisor.ts',
    find: 'this.#wakes_at = Number.POSITIVE_INFINITY;\n      this.#next_at = 0;',
    replace: 'this.#next_at = 0;',
    tests: ['test/actors/supervisor.test.ts'],
  },
  {
    name: 'every request that meets a full disk writes a line',
    file: 'src/log.ts',
    find: 'return met === undefined;',
    replace: 'return true;',
    tests: ['test/log.test.ts'],
  },
  {
    name: 'a full disk passes for one that is busy',
    file: 'src/pipeline/pipeline.ts',
    find: 'return error.full ?',
    replace: "return error.message === '' ?",
    tests: ['test/operations/held-database.test.ts'],
  },
  {
    name: 'a misspelt member of a payment that is passed over',
    file: 'src/transports/rest.ts',
    find: 'if (!surplus && !strict) return { input, bytes };',
    replace: 'if (!surplus) return { input, bytes };',
    tests: ['test/unknown-members.test.ts'],
  },
  {
    name: 'a misspelt member within an object that is passed over',
    file: 'src/pipeline/validate.ts',
    find: 'return [...surplus.map(memberName), ...within].map(',
    replace: 'return [...surplus.map(memberName), ...[...within].slice(0, 0)].map(',
    tests: ['test/unknown-members.test.ts'],
  },
];
