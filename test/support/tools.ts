// Operations that only tools reach, given an address for the tests: the door of tools opens in a later part, and what is
// behind it is checked as everything else is.
import type { AnyOperation } from '../../src/operations/operation.ts';

/** The operations, those without an address at `POST /tools/{tool}`. */
export function withToolDoors(operations: readonly AnyOperation[]): readonly AnyOperation[] {
  return operations.map((operation) => {
    const [tool] = operation.tools ?? [];
    if (operation.rest.length > 0 || tool === undefined) return operation;
    return { ...operation, rest: [{ method: 'POST' as const, path: `/tools/${tool.name}` }] };
  });
}
