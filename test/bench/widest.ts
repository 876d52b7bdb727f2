// The widest input that a schema allows, filled with one unit of text: what costs whoever reads it most. Fields that have a shape
// of their own, such as ids, take the declared example's.
import type { TSchema } from 'typebox';

interface Node {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly patternProperties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly format?: string;
  readonly pattern?: string;
}

/** What every door takes, less what stands around the input. */
const BYTES_MAX = 255_000;
/** Where a schema says nothing. */
const CHARS_MAX = 20_000;
const NAMES_MAX = 60;

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** A value of a schema; `share` of the length of each text and list. */
function filled(node: Node, unit: string, share: number, example: unknown): unknown {
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum[0];
  if (node.anyOf) {
    const forms = node.anyOf.filter(({ type }) => type !== 'null').map((form) => filled(form, unit, share, example));
    return forms.sort((a, b) => bytes(b) - bytes(a))[0];
  }
  const within = (child: unknown, name: string): unknown =>
    typeof child === 'object' && child !== null ? (child as Record<string, unknown>)[name] : undefined;
  switch (node.type) {
    case 'string': {
      if (node.format || (node.pattern && !node.pattern.includes('\\p'))) return example;
      const chars = Math.max(1, Math.floor(Math.min(node.maxLength ?? CHARS_MAX, CHARS_MAX) * share));
      return unit
        .repeat(Math.ceil(chars / unit.length))
        .slice(0, chars)
        .toWellFormed();
    }
    case 'array': {
      const count = Math.max(1, Math.floor((node.maxItems ?? NAMES_MAX) * share));
      const one = (at: number): unknown => filled(node.items ?? {}, `${at}${unit}`, share, within(example, '0'));
      return Array.from({ length: count }, (_, at) => one(at));
    }
    case 'object': {
      const fields = Object.entries(node.properties ?? {}).map(([name, inner]) => [
        name,
        filled(inner, unit, share, within(example, name)),
      ]);
      const [record] = Object.values(node.patternProperties ?? {});
      const count = Math.max(1, Math.floor(Math.min(node.maxProperties ?? NAMES_MAX, NAMES_MAX) * share));
      const named = Array.from({ length: record ? count : 0 }, (_, at) => [
        `n${at}`,
        filled(record ?? {}, unit, share, undefined),
      ]);
      return Object.fromEntries([...fields, ...named].filter(([, value]) => value !== undefined));
    }
    case 'integer':
    case 'number':
      return example ?? node.minimum ?? 1;
    case 'boolean':
      return example ?? true;
    default:
      // Whatever it likes: sixteen kilobytes of text, as the fields of a listing take.
      return example ?? unit.repeat(Math.ceil((16_000 * share) / unit.length));
  }
}

/** The widest input of a schema that a door takes; a dry run would do nothing, and is not asked for. */
export function widest(
  schema: TSchema,
  unit: string,
  example: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  for (let share = 1; ; share *= 0.8) {
    const input = filled(schema as Node, unit, share, example) as Record<string, unknown>;
    const { dry_run: _dry, ...asked } = input;
    if (bytes(asked) <= BYTES_MAX || share < 0.001) return asked;
  }
}

/** For each list of a schema an input whose list is as long as a body can hold. */
export function longLists(schema: TSchema, example: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const { properties = {} } = schema as Node;
  const lists = Object.entries(properties).filter(([, node]) =>
    [node, ...(node.anyOf ?? [])].some(({ type }) => type === 'array'),
  );
  return lists.map(([name]) => ({ ...example, [name]: Array(80_000).fill({}) }));
}
