// How the REST door tells of a call: by method, path and body, from the bindings of the registry, so that a route that moves
// moves in every text that names it. What comes by no door, as a letter or a push, tells of calls by their addresses too.
import { type TProperties, Type } from 'typebox';
import type { AnyOperation, Method, RestBinding } from '../contract/operation.ts';
import type { Addresses, NextStep } from '../domain/next-step.ts';

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

/** The address of an operation, taken apart once: every event that awaits an answer tells of three calls at each pull. */
interface Address {
  readonly operation: AnyOperation;
  readonly method: Method;
  /** Texts and names of parameters by turns, a text first. */
  readonly parts: readonly string[];
  readonly params: ReadonlySet<string>;
}

function addressOf(operation: AnyOperation, { method, path }: RestBinding): Address {
  const parts = path.split(/\{(\w+)\}/);
  return { operation, method, parts, params: new Set(parts.filter((_, at) => at % 2 === 1)) };
}

/** An address with what is known put into its path; what is left goes into the query string or the body. */
function addressed({ method, parts, params }: Address, { input = {}, fill = [] }: NextStep) {
  let path = parts[0] ?? '';
  for (let at = 1; at < parts.length; at += 2) {
    const [name = '', text = ''] = [parts[at], parts[at + 1]];
    const value = input[name];
    path += (value === undefined ? `{${name}}` : encodeURIComponent(String(value))) + text;
  }
  const body: Record<string, unknown> = {};
  for (const name in input) if (!params.has(name)) body[name] = input[name];
  const open = fill.length === 0 ? fill : fill.filter((name) => !params.has(name));
  if (method !== 'GET' && method !== 'DELETE') return { method, path, body, open };
  const known = Object.entries(body).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const query = [...known, ...open.map((name) => `${name}=`)].join('&');
  return { method, path: query === '' ? path : `${path}?${query}`, body: null, open: [] };
}

/** Stands for a call that this version does not know: one that was kept for a repeated request by a version that called it
 * otherwise. Its reader finds it in the API reference; the answer, whose turn was committed, may not fail over it. */
const REFERENCE = { method: 'GET' as const, path: '/docs', body: null, open: [] };

/** Whether only a signed-in person gets through. */
function takesSession({ access, scope }: AnyOperation): boolean {
  return access === 'session' || (access === 'key' && scope === undefined);
}

/** The REST door's way of telling of calls. */
export function restForm(operations: readonly AnyOperation[], app_url?: string): Addresses {
  const byName = new Map<string, Address>();
  for (const operation of operations) {
    const binding = operation.rest.find(({ alias }) => !alias);
    if (binding) byName.set(operation.name, addressOf(operation, binding));
  }
  const callOf = (step: NextStep) => {
    const address = byName.get(step.operation);
    return address ? addressed(address, step) : REFERENCE;
  };
  return {
    door: 'http',
    ...(app_url !== undefined && { app_url }),
    text: (step) => {
      const { method, path, body, open } = callOf(step);
      const operation = byName.get(step.operation)?.operation;
      const session = step.credential && operation && takesSession(operation) ? ' with a session' : '';
      return `${method} ${path}${inputText(body ?? {}, open)}${session}`;
    },
    path: (step) => callOf(step).path,
    fields: (step) => {
      const { method, path, body } = callOf(step);
      return { method, path, body };
    },
  };
}
