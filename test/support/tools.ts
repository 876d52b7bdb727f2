// Operations that only tools reach, given an address for the tests: the door of tools opens in a later part, and what is
// behind it is checked as everything else is.
import type { AnyOperation } from '../../src/operations/operation.ts';

/** The operations, those without an address at `POST /tools/{tool}`. */
export function withToolDoors(operations: readonly AnyOperation[]): readonly AnyOperation[] {
  return operations.map((operation) => {
    const [tool] = operation.tools ?? [];
    if (operation.rest.length > 0) return operation;
    // What a door of another protocol alone reaches has no name as a tool.
    const name = tool?.name ?? (operation.name === 'agent.extended_card' ? 'extended_card' : undefined);
    return name === undefined
      ? operation
      : { ...operation, rest: [{ method: 'POST' as const, path: `/tools/${name}` }] };
  });
}
