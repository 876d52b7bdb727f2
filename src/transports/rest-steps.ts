// How the REST door tells of a call: by method, path and body, from the bindings of the registry, so that a route that moves
// moves in every text that names it. What comes by no door, as a letter or a push, tells of calls by their addresses too.
import { type TProperties, Type } from 'typebox';
import type { Addresses, NextStep } from '../domain/next-step.ts';
import type { AnyOperation, RestBinding } from '../operations/operation.ts';

/** The fields that stand in the place of a call, as OpenAPI documents them. */
export function restCall(bodyless: boolean): TProperties {
  const body = Type.Record(Type.String(), Type.Unknown());
  return {
    method: Type.String(),
    path: Type.String(),
    body: bodyless ? Type.Union([body, Type.Null()]) : body,
  };
}

/** A call's input as JSON, where a field that the caller fills in is its name alone: `{"match_id": "…", "action"}`. */
export function inputText(input: Readonly<Record<string, unknown>>, fill: readonly string[]): string {
  const known = Object.entries(input).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  const fields = [...known, ...fill.map((name) => `"${name}"`)];
  return fields.length > 0 ? ` {${fields.join(', ')}}` : '';
}

/** A binding with what is known put into its path; what is left goes into the query string or the body. */
function addressed({ method, path }: RestBinding, { input = {}, fill = [] }: NextStep) {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    input[name] === undefined ? whole : encodeURIComponent(String(input[name])),
  );
  const left = Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.has(name)));
  const open = fill.filter((name) => !inPath.has(name));
  if (method !== 'GET' && method !== 'DELETE') return { method, path: filled, body: left, open };
  const known = Object.entries(left).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const query = [...known, ...open.map((name) => `${name}=`)].join('&');
  return { method, path: query === '' ? filled : `${filled}?${query}`, body: null, open: [] };
}

/** Whether only a signed-in person gets through. */
function takesSession({ access, scope }: AnyOperation): boolean {
  return access === 'session' || (access === 'key' && scope === undefined);
}

/** The REST door's way of telling of calls. */
export function restForm(operations: readonly AnyOperation[]): Addresses {
  const byName = new Map<string, AnyOperation>(operations.map((operation) => [operation.name, operation]));
  const find = ({ operation: name }: NextStep) => {
    const operation = byName.get(name);
    const binding = operation?.rest.find(({ alias }) => !alias);
    if (!operation || !binding) throw new Error(`${name} is a next step without a route`);
    return { operation, binding };
  };
  return {
    text: (step) => {
      const { operation, binding } = find(step);
      const { method, path, body, open } = addressed(binding, step);
      const session = step.credential && takesSession(operation) ? ' with a session' : '';
      return `${method} ${path}${inputText(body ?? {}, open)}${session}`;
    },
    path: (step) => addressed(find(step).binding, step).path,
    fields: (step) => {
      const { method, path, body } = addressed(find(step).binding, step);
      return { method, path, body };
    },
  };
}
