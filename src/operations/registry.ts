// All operations of the service, collected from the files of their folders, by name. Duplicate and contradictory declarations are
// found at start, not by a caller; for the single binary at its build: scripts/build-binary.ts replaces this file by a list of operations.

import type { AnyOperation } from '../contract/operation.ts';
import { FAULTS } from '../domain/fault.ts';
import { NEXT_OPERATIONS } from '../domain/next-step.ts';
import { OPERATION_FILES } from './operations.ts';
import { assertTools, inputNames } from './tool-rules.ts';

function check(operation: AnyOperation): void {
  const { name, kind, effect, access, scope, faults, rest, tools = [], output, example } = operation;
  if (!/^[a-z_]+\.[a-z_]+$/.test(name)) throw new Error(`${name}: an operation is named noun.verb`);
  if (scope && access !== 'key')
    throw new Error(`${name}: only what has access key has a scope; that of a tool stands in \`tools\``);
  if (access === 'internal' && rest.length > 0) throw new Error(`${name}: an internal operation has no door`);
  for (const code of faults) if (!(code in FAULTS)) throw new Error(`${name}: domain/fault.ts has no fault ${code}`);
  for (const [what, schema] of [
    ['a reply', output],
    ['an input', operation.input],
  ] as const) {
    if ('properties' in schema && 'fault' in (schema.properties as object)) {
      throw new Error(`${name}: ${what} may not have a field named fault`);
    }
  }
  const reads = kind === 'query' || kind === 'stream';
  // A flow that only calls the outside may have no effect either, and is then declared `safe`.
  const may_read = reads || (kind === 'flow' && operation.safe === true);
  if (effect === 'reads' ? !may_read : reads) throw new Error(`${name}: a ${kind} does not do what \`${effect}\` says`);
  const isDecided = kind === 'command' || (kind === 'flow' && operation.rehearsal !== undefined);
  if (operation.dry_run && !(isDecided && inputNames(operation).includes('dry_run')))
    throw new Error(`${name}: a dry run is of what one turn decides, and stands in its input`);
  const needs = (operation.input.required ?? []).length > 0;
  if (needs && example === undefined && rest.length + tools.length > 0)
    throw new Error(`${name}: it has a door and no example`);
  const inputs = inputNames(operation);
  const given = Object.keys(example ?? {});
  for (const { path, acting } of rest) {
    for (const [, param = ''] of path.matchAll(/\{(\w+)\}/g)) {
      if (param === acting) continue;
      if (!inputs.includes(param)) throw new Error(`${name}: ${path} names no input ${param}`);
      if (!given.includes(param)) throw new Error(`${name}: the example leaves out ${param} of ${path}`);
    }
  }
}

function isOperation(value: unknown): value is AnyOperation {
  return typeof value === 'object' && value !== null && 'kind' in value && 'name' in value && 'faults' in value;
}

/** The path of an operation's own file: `agent/track-record` for `agent.track_record`. */
const pathOf = ({ name }: AnyOperation): string => name.replace('.', '/').replaceAll('_', '-');

/** The operations of a file: one named after its path, or several of the folder's noun that share code. Throws where there is
 * none, or one that belongs elsewhere. */
export function operationsOf(path: string, exported: Readonly<Record<string, unknown>>): readonly AnyOperation[] {
  const operations = Object.values(exported).filter(isOperation);
  if (operations.length === 0)
    throw new Error(`${path}: holds no operation; what operations share stands in src/steps or src/schemas`);
  const [noun = ''] = path.split('/');
  const stray = operations.find((operation) =>
    operations.length === 1 ? pathOf(operation) !== path : !pathOf(operation).startsWith(`${noun}/`),
  );
  if (stray) throw new Error(`${path}: holds ${stray.name}, which belongs elsewhere`);
  return operations;
}

/** Throws at the first next step that is no operation with a route. */
export function checkSteps(operations: readonly Pick<AnyOperation, 'name' | 'rest'>[]): void {
  const reached = new Set<string>(operations.filter(({ rest }) => rest.length > 0).map(({ name }) => name));
  for (const name of NEXT_OPERATIONS)
    if (!reached.has(name)) throw new Error(`${name}: a next step without a route: no operation of this name has one`);
}

/** Throws at the first noun that is not explained by exactly one of its operations; the API reference needs the explanation. */
export function checkNouns(operations: readonly Pick<AnyOperation, 'name' | 'noun' | 'rest'>[]): void {
  for (const [noun, of] of Map.groupBy(operations, ({ name }) => name.split('.')[0] ?? '')) {
    const saying = of.filter((operation) => operation.noun !== undefined).map(({ name }) => name);
    if (saying.length > 1)
      throw new Error(`${saying.join(', ')}: one of them is to say what the noun is, and not each`);
    const shown = of.find(({ rest }) => rest.length > 0);
    if (shown && saying.length === 0) throw new Error(`${shown.name}: say in \`noun\` what ${noun} is, which is new`);
  }
}

/** Throws at the first address that two operations share, regardless of parameter names. */
function assertAddresses(operations: readonly AnyOperation[]): void {
  const taken = new Map<string, string>();
  for (const { name, rest } of operations) {
    for (const { method, path } of rest) {
      const address = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
      const other = taken.get(address);
      if (other !== undefined) throw new Error(`${name}: ${method} ${path} is an address of ${other} already`);
      taken.set(address, name);
    }
  }
}

/** Throws at the first declaration that is wrong, alone or together with others. */
export function assertSound(operations: readonly AnyOperation[]): void {
  for (const operation of operations) check(operation);
  assertAddresses(operations);
  assertTools(operations);
}

let checked: readonly AnyOperation[] | null = null;

/** The checked operations, ordered by noun. */
export function registry(): readonly AnyOperation[] {
  if (checked) return checked;
  const files = Object.entries(OPERATION_FILES).flatMap(([path, exported]) => operationsOf(path, exported));
  const operations = files.sort((one, other) => (`${pathOf(one)}.` < `${pathOf(other)}.` ? -1 : 1));
  assertSound(operations);
  checkSteps(operations);
  checkNouns(operations);
  checked = operations;
  return operations;
}
