// Counts the items of lists before any of them is looked at. What the schema of a list does with an item costs little, and a
// hostile body holds a hundred thousand of them.
import type { TSchema } from 'typebox';
import type { FieldProblem } from '../domain/fault.ts';

/** The parts of a schema that say how much a value may hold. */
interface Node {
  readonly type?: string;
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly items?: Node;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly patternProperties?: Readonly<Record<string, Node>>;
}

/** The forms that a value may have. */
function formsOf(node: Node): readonly Node[] {
  const parts = [...(node.anyOf ?? []), ...(node.allOf ?? [])];
  return parts.length === 0 ? [node] : parts.flatMap(formsOf);
}

/** Whether a schema has a list or a record anywhere; most have none, and are passed over. */
export function holdsMany(schema: TSchema): boolean {
  return formsOf(schema as Node).some(
    ({ type, items, patternProperties, properties }) =>
      type === 'array' ||
      items !== undefined ||
      patternProperties !== undefined ||
      Object.values(properties ?? {}).some((inner) => holdsMany(inner as TSchema)),
  );
}

const most = (limits: readonly (number | undefined)[]): number =>
  Math.max(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY));

const below = (path: string, name: string | number): string => (path === '' ? `${name}` : `${path}.${name}`);

function firstOf(found: Iterable<FieldProblem | null>): FieldProblem | null {
  for (const problem of found) if (problem) return problem;
  return null;
}

function* inList(lists: readonly Node[], value: readonly unknown[], path: string): Generator<FieldProblem | null> {
  const limit = most(lists.map(({ maxItems }) => maxItems));
  if (value.length > limit) yield { path: path || 'body', message: `must not have more than ${limit} items` };
  const items = lists.flatMap((list) => list.items ?? []).filter((item) => holdsMany(item as TSchema));
  if (items.length === 0) return;
  for (const [at, entry] of value.entries()) yield tooLong(items, entry, below(path, at));
}

function* inRecord(
  forms: readonly Node[],
  value: Record<string, unknown>,
  path: string,
): Generator<FieldProblem | null> {
  const names = new Set(forms.flatMap(({ properties }) => Object.keys(properties ?? {})));
  for (const name of names) {
    const inner = forms.flatMap(({ properties }) => properties?.[name] ?? []);
    if (Object.hasOwn(value, name)) yield tooLong(inner, value[name], below(path, name));
  }
  const records = forms.filter(({ patternProperties }) => patternProperties !== undefined);
  if (records.length === 0) return;
  const limit = most(records.map(({ maxProperties }) => maxProperties));
  let count = 0;
  for (const _name in value) {
    count += 1;
    if (count > limit) yield { path: path || 'body', message: `must not have more than ${limit} properties` };
  }
  const inner = records.flatMap(({ patternProperties }) => Object.values(patternProperties ?? {}));
  if (!inner.some((node) => holdsMany(node as TSchema))) return;
  for (const [name, entry] of Object.entries(value)) yield tooLong(inner, entry, below(path, name));
}

/** The first list or record that holds more than any form allows, or null. */
function tooLong(nodes: readonly Node[], value: unknown, path: string): FieldProblem | null {
  if (typeof value !== 'object' || value === null) return null;
  const forms = nodes.flatMap(formsOf);
  if (!Array.isArray(value)) return firstOf(inRecord(forms, value as Record<string, unknown>, path));
  const lists = forms.filter(({ type }) => type === 'array');
  return lists.length === 0 ? null : firstOf(inList(lists, value, path));
}

/** What holds more items than its schema allows, or null; no item is looked at before it is counted. */
export function lengthProblem(schema: TSchema, value: unknown): FieldProblem | null {
  return tooLong([schema as Node], value, '');
}
