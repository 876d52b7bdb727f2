// From TypeBox schemas to JSON Schema as documents write it: unions of literals become enums, and what has a component
// name stands once and is referred to, or stands inline for readers who have no components.
import { type Component, componentOf } from '../../schemas/named.ts';
import { shownShape, toolDescription } from '../../schemas/next-step.ts';
import { restCall } from '../rest-steps.ts';

/** The fields that stand in the place of a call, as a door documents them (`restCall`, `toolCall`). */
type CallFields = Parameters<typeof shownShape>[1];

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type Json = { readonly [key: string]: unknown };

/** Shapes by name, and how a document makes them out of their own bodies. */
type Remade = Readonly<Record<string, (body: Json, shapes: Shapes) => Json>>;

/** The named shapes of one document, gathered while it is written. */
export class Shapes {
  readonly #prefix: string;
  readonly call: CallFields;
  readonly #remade: Remade;
  readonly #bodies = new Map<string, { readonly text: string; readonly body: Json }>();
  /** Most shapes are met many times; each is written once. */
  readonly #met = new Map<Component, Json>();

  /** `prefix` is where the document keeps them, as a reference begins: `#/components/schemas/`, `#/$defs/`. `remade` are shapes
   * of which the document says more. */
  constructor(prefix: string, call: CallFields = restCall, remade: Remade = {}) {
    this.#prefix = prefix;
    this.call = call;
    this.#remade = remade;
  }

  /** Keeps a shape under its name and refers to it; throws when another one has that name. */
  refer(name: string, body: Json): Json {
    const text = JSON.stringify(body);
    const known = this.#bodies.get(name);
    if (known && known.text !== text) {
      throw new Error(`${name} names two shapes, one of which needs another name: ${known.text} and ${text}`);
    }
    if (!known) this.#bodies.set(name, { text, body });
    return { $ref: `${this.#prefix}${name}` };
  }

  /** Refers to a named schema, and writes it when it is met for the first time. */
  referTo(component: Component): Json {
    const known = this.#met.get(component);
    if (known) return known;
    const body = inline(component.shape, this, this.call);
    const reference = this.refer(component.name, this.#remade[component.name]?.(body, this) ?? body);
    this.#met.set(component, reference);
    return reference;
  }

  /** All that were referred to, by name. */
  gathered(): Json {
    const sorted = [...this.#bodies].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, { body }]) => [name, body]));
  }
}

function literals(options: readonly unknown[]): unknown[] | null {
  const values = options.map((option) => (option as Json)['const']);
  return values.every((value) => value !== undefined) ? values : null;
}

/** What only JavaScript compiles: looking ahead or behind, and properties of signs. Others refuse a whole schema over it. */
const JAVASCRIPT_ALONE = /\(\?<?[=!]|\\[pP]\{|\\u\{/;

/** A schema without a pattern that other languages cannot read; documents keep it under a name of its own, tools do without. */
function withPattern(schema: Json, kept: boolean): Json {
  const { pattern, ...rest } = schema;
  if (typeof pattern !== 'string' || !JAVASCRIPT_ALONE.test(pattern)) return schema;
  return kept ? { ...rest, 'x-pattern': pattern } : rest;
}

function inline(schema: object, shapes: Shapes | null, call: CallFields): Json {
  const entries = Object.entries(shownShape(schema, call) ?? schema).filter(([key]) => !key.startsWith('~'));
  const told = call === restCall ? undefined : toolDescription(schema);
  const all = Object.fromEntries(entries.map(([key, value]) => [key, documented(value, shapes, call)]));
  const { anyOf, ...rest } = withPattern(told === undefined ? all : { ...all, description: told }, call === restCall);
  if (!Array.isArray(anyOf)) return rest;
  const values = literals(anyOf);
  return values ? { ...rest, enum: values } : { ...rest, anyOf };
}

/** A schema as a document writes it: named shapes as references that `shapes` gathers, without it all of them inline. `call` makes
 * what stands in the place of calls, as the document's door tells of them. */
export function documented(
  schema: unknown,
  shapes: Shapes | null = null,
  call: CallFields = shapes?.call ?? restCall,
): unknown {
  if (Array.isArray(schema)) return schema.map((each) => documented(each, shapes, call));
  if (typeof schema !== 'object' || schema === null) return schema;
  const component = shapes && componentOf(schema);
  if (!component) return inline(schema, shapes, call);
  const reference = shapes.referTo(component);
  const { description } = schema as { description?: string };
  const own = (component.shape as { description?: string }).description;
  return description === own ? reference : { allOf: [reference], description };
}
