// Tolerant reading of inputs for transports with foreign clients: null for an omitted field, an empty text for a number, JSON in a text.
// Text fields are never changed.
import type { TSchema } from 'typebox';
import { nestsTooDeep } from '../domain/text/nesting.ts';

/** A schema as this file reads it. */
interface Node {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly items?: Node;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Node>>;
}

/** The forms that a value may have, and their JSON types; null for any. */
interface Forms {
  readonly forms: readonly Node[];
  readonly kinds: ReadonlySet<string> | null;
}

const EMPTY = '';

const known = new WeakMap<Node, Forms>();

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function kindsOf({ type, const: only, enum: values }: Node): readonly string[] | null {
  if (only !== undefined) return [kindOf(only)];
  if (values) return values.map(kindOf);
  if (type === undefined) return null;
  const types = typeof type === 'string' ? [type] : type;
  return types.map((each) => (each === 'integer' ? 'number' : each));
}

function flat(schema: Node): readonly Node[] {
  const { anyOf, allOf } = schema;
  return anyOf || allOf ? [...(anyOf ?? []), ...(allOf ?? [])].flatMap(flat) : [schema];
}

function formsOf(schema: Node): Forms {
  const made = known.get(schema);
  if (made) return made;
  const forms = flat(schema);
  const kinds = new Set<string>();
  let any = false;
  for (const form of forms) {
    const own = kindsOf(form);
    if (own) for (const kind of own) kinds.add(kind);
    else any = true;
  }
  const found: Forms = { forms, kinds: any ? null : kinds };
  known.set(schema, found);
  return found;
}

/** The JSON value of a text; the text itself when it is none. */
function readText(text: string): unknown {
  try {
    return nestsTooDeep(Buffer.from(text)) ? text : JSON.parse(text);
  } catch {
    return text;
  }
}

const members_known = new WeakMap<readonly Node[], ReadonlyMap<string, Node>>();

/** The schemas of the members that these forms name. */
function namedBy(forms: readonly Node[]): ReadonlyMap<string, Node> {
  const made = members_known.get(forms);
  if (made) return made;
  const found = new Map<string, Node>();
  for (const { properties = {} } of forms) {
    for (const [name, shape] of Object.entries(properties)) {
      const other = found.get(name);
      found.set(name, other ? { anyOf: [other, shape] } : shape);
    }
  }
  members_known.set(forms, found);
  return found;
}

function membersOf(value: object, forms: readonly Node[]): Record<string, unknown> {
  const named = namedBy(forms);
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const shape = named.get(name);
    const read = shape ? tolerant(member, shape) : member;
    return shape && read === undefined ? [] : [[name, read]];
  });
  return Object.fromEntries(members);
}

function itemsOf(value: readonly unknown[], forms: readonly Node[]): readonly unknown[] {
  const form = forms.find(({ items }) => items !== undefined);
  // A list that is too long is refused for that, whatever its items are.
  if (!form?.items || value.length > (form.maxItems ?? Number.POSITIVE_INFINITY)) return value;
  const { items } = form;
  return value.map((item) => tolerant(item, items) ?? item);
}

/** A value converted to the schema; undefined when it counts as absent. A value that fits no form is returned unchanged, to be refused. */
function tolerant(value: unknown, schema: Node): unknown {
  const { forms, kinds } = formsOf(schema);
  if (kinds === null) return value;
  if (value === null) return kinds.has('null') ? value : undefined;
  let meant = value;
  if (typeof value === 'string' && !kinds.has('string')) {
    if (value.trim() === EMPTY) return undefined;
    const read = readText(value);
    if (read !== null && kinds.has(kindOf(read))) meant = read;
  }
  if (Array.isArray(meant)) return itemsOf(meant, forms);
  return typeof meant === 'object' && meant !== null ? membersOf(meant, forms) : meant;
}

/** An object as its schema means it. */
export function tolerantInput(input: Readonly<Record<string, unknown>>, schema: TSchema): Record<string, unknown> {
  return membersOf(input, formsOf(schema as Node).forms);
}
