// From TypeBox schemas to the schemas of the OpenAPI document: unions of literals become enums, and one input schema is
// split into path, query and header parameters and a body, the same way as the REST door folds them.
import type { TSchema } from 'typebox';
import type { RestBinding } from '../../operations/operation.ts';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type Json = { readonly [key: string]: unknown };

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

function literals(options: readonly unknown[]): unknown[] | null {
  const values = options.map((option) => (option as Json)['const']);
  return values.every((value) => value !== undefined) ? values : null;
}

/** A schema as the document writes it. */
export function documented(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(documented);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => !key.startsWith('~'));
  const { anyOf, ...rest } = Object.fromEntries(entries.map(([key, value]) => [key, documented(value)]));
  if (!Array.isArray(anyOf)) return rest;
  const values = literals(anyOf);
  return values ? { ...rest, enum: values } : { ...rest, anyOf };
}

function fieldsOf(schema: TSchema): Field[] {
  const { properties = {}, required = [] } = schema as { properties?: Json; required?: readonly string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: documented(property) as Json,
    required: required.includes(name),
  }));
}

/** Whether a binding's input beyond path and headers is read from the query string. */
function readsQuery(binding: RestBinding): boolean {
  return binding.method === 'GET' || binding.method === 'DELETE';
}

/** Splits an input schema for one binding; every path parameter appears, declared or not. Beside a raw body everything
 * else comes by query string or header. */
export function split(input: TSchema, binding: RestBinding, raw = false): Split {
  const fields = fieldsOf(input);
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

/** The body's schema; null when the route takes none. */
export function bodySchema(fields: readonly Field[]): Json {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}
