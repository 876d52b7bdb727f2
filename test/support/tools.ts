// Operations without an address, given one for the tests: those that only tools reach, and those that only doors of another
// protocol do. Their doors are tested by themselves; what is behind them is checked as everything else is.
import type { AnyOperation } from '../../src/contract/operation.ts';

/** The operations, those of tools at `POST /tools/{tool}`, others at `/operations/{name}`; internal ones stay without. */
export function withToolDoors(operations: readonly AnyOperation[]): readonly AnyOperation[] {
  return operations.map((operation) => {
    const { tools: [tool] = [], name, access, effect, rest } = operation;
    if (rest.length > 0 || access === 'internal') return operation;
    if (tool) return { ...operation, rest: [{ method: 'POST' as const, path: `/tools/${tool.name}` }] };
    const method = effect === 'reads' ? ('GET' as const) : ('POST' as const);
    return { ...operation, rest: [{ method, path: `/operations/${name}` }] };
  });
}
