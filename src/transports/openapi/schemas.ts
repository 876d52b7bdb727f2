// One input schema split into path, query and header parameters and a body, the same way as the REST door folds them.
import type { TSchema } from 'typebox';
import type { RestBinding } from '../../contract/operation.ts';
import { componentOf } from '../../schemas/named.ts';
import { documented, type Json, type Shapes } from './shapes.ts';

export interface Field {
  readonly name: string;
  readonly schema: Json;
  readonly required: boolean;
}

/** Where each input field of a binding comes from. */
export interface Split {
  readonly path: readonly Field[];
  readonly query: readonly Field[];
  readonly headers: readonly (Field & { readonly header: string })[];
  /** Null when the binding takes no body. */
  readonly body: readonly Field[] | null;
}

function fieldsOf(schema: TSchema, shapes: Shapes): Field[] {
  const { properties = {}, required = [] } = schema as { properties?: Json; required?: readonly string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: documented(property, shapes) as Json,
    required: required.includes(name),
  }));
}

/** Whether a binding's input beyond path and headers is read from the query string. */
function readsQuery(binding: RestBinding): boolean {
  return binding.method === 'GET' || binding.method === 'DELETE';
}

/** Splits an input schema for one binding; every path parameter appears, declared or not. Beside a raw body everything
 * else comes by query string or header. */
export function split(input: TSchema, binding: RestBinding, shapes: Shapes, raw = false): Split {
  const fields = fieldsOf(input, shapes);
  const named = [...binding.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = named.map((name) => {
    const declared = fields.find((field) => field.name === name);
    const schema = declared?.schema ?? { type: 'string', description: "the acting agent's handle" };
    return { name, schema, required: true };
  });
  const headers = Object.entries(binding.headers ?? {}).flatMap(([name, header]) => {
    const field = fields.find((each) => each.name === name);
    return field ? [{ ...field, header }] : [];
  });
  const taken = new Set([...named, ...headers.map(({ name }) => name)]);
  const rest = fields.filter(({ name }) => !taken.has(name));
  if (readsQuery(binding)) return { path, query: rest, headers, body: null };
  if (!raw) return { path, query: [], headers, body: rest };
  const isRaw = ({ name }: Field): boolean => name === 'raw';
  return { path, query: rest.filter((field) => !isRaw(field)), headers, body: rest.filter(isRaw) };
}

/** The body's schema, under the name of the input if that has one; `strict` where it takes no other members. */
export function bodySchema(input: TSchema, fields: readonly Field[], shapes: Shapes, strict = false): Json {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  const body = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(strict && { additionalProperties: false }),
  };
  const component = componentOf(input);
  if (!component) return body;
  const { description } = component.shape as { description?: string };
  return shapes.refer(component.name, description === undefined ? body : { description, ...body });
}
