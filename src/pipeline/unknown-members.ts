// Finds members that a schema does not name, for callers who want them refused (RFC 7240, handling=strict). Objects that may hold
// anything, such as records, hold nothing unknown.
import type { TSchema } from 'typebox';

/** The parts of a schema that say which members a value may have. */
interface Node {
  readonly type?: string;
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly patternProperties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: unknown;
}

/** The forms that a value may have. */
function formsOf(node: Node): readonly Node[] {
  const parts = [...(node.anyOf ?? []), ...(node.allOf ?? [])];
  return parts.length === 0 ? [node] : parts.flatMap(formsOf);
}

/** Whether a form takes an object with members that it does not name. */
function isOpen({ type, properties, patternProperties, additionalProperties }: Node): boolean {
  if (type === undefined && !properties) return true;
  return type === 'object' && (!properties || patternProperties !== undefined || Boolean(additionalProperties));
}

/** What a form says of a member. */
function memberOf({ properties, patternProperties }: Node, name: string): readonly Node[] {
  const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return own ? [own] : Object.values(patternProperties ?? {});
}

/** How a member is named; one without a name as JSON writes it, since a path names something. */
export const memberName = (name: string): string => (name === '' ? '""' : name);

const below = (path: string, name: string | number): string =>
  path === '' ? memberName(`${name}`) : `${path}.${memberName(`${name}`)}`;

function* unknownIn(nodes: readonly Node[], value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const forms = nodes.flatMap(formsOf);
  if (Array.isArray(value)) {
    const items = forms.flatMap((form) => form.items ?? []);
    if (items.length > 0) for (const [at, entry] of value.entries()) yield* unknownIn(items, entry, below(path, at));
    return;
  }
  const open = forms.some(isOpen);
  // No object may stand there: that is what is wrong, and validation says it.
  if (!open && !forms.some(({ type, properties }) => type === 'object' || properties)) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = forms.flatMap((form) => memberOf(form, name));
    if (inner.length > 0) yield* unknownIn(inner, member, below(path, name));
    else if (!open) yield below(path, name);
  }
}

/** The paths of the members of a value, at any depth, that its schema does not name. */
export function unknownMembers(schema: TSchema, value: unknown): Generator<string> {
  return unknownIn([schema as Node], value, '');
}
