// All operations of the service. What is declared twice or cannot hold is found at start, not by a caller.
import { FAULTS } from '../domain/fault.ts';
import type { AnyOperation } from './operation.ts';
import { OPERATIONS } from './operations.ts';

function check(operation: AnyOperation): void {
  const { name, access, scope, faults, rest, output } = operation;
  if (!/^[a-z_]+\.[a-z_]+$/.test(name)) throw new Error(`${name}: an operation is named noun.verb`);
  if (scope && access !== 'key') throw new Error(`${name}: only operations of access key have a scope`);
  if (access === 'internal' && rest.length > 0) throw new Error(`${name}: an internal operation has no door`);
  for (const code of faults) if (!(code in FAULTS)) throw new Error(`${name}: the catalogue has no fault ${code}`);
  for (const [what, schema] of [
    ['a reply', output],
    ['an input', operation.input],
  ] as const) {
    if ('properties' in schema && 'fault' in (schema.properties as object)) {
      throw new Error(`${name}: ${what} may not have a field named fault`);
    }
  }
  for (const { path, acting } of rest) {
    for (const [, param] of path.matchAll(/\{(\w+)\}/g)) {
      const inputs = 'properties' in operation.input ? Object.keys(operation.input.properties as object) : [];
      if (param !== acting && !inputs.includes(param ?? ''))
        throw new Error(`${name}: ${path} names no input ${param}`);
    }
  }
}

/** The checked operations; throws at the first that cannot hold. */
export function registry(): readonly AnyOperation[] {
  const names = new Set<string>();
  for (const operation of OPERATIONS) {
    if (names.has(operation.name)) throw new Error(`two operations are named ${operation.name}`);
    names.add(operation.name);
    check(operation);
  }
  return OPERATIONS;
}
