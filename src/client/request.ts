// Turns an operation's input, one flat object, into an HTTP request: what the path names goes there, the rest into the
// query string or the body, by the table of operations.
import { MeshworkError } from './error.ts';
import type { Address } from './operations.ts';

/** Fields of an input by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** A request that can be sent again as it is. */
export interface Prepared {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

function missing(operation: string, path: string): MeshworkError {
  const message = `${operation} needs ${path}: it stands in the address, and may not be empty, "." or "..".`;
  return new MeshworkError({ code: 'invalid_input', operation, message, body: { fields: [{ path, message }] } });
}

/** The path with its parameters filled in; throws on one that would lead elsewhere. */
function fillPath(operation: string, path: string, input: Fields): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(input[name] ?? '');
    // URLs resolve dots, however they are spelt: the request would go to another address.
    if (value === '' || value === '.' || value === '..') throw missing(operation, name);
    return encodeURIComponent(value);
  });
}

function queryText(fields: Fields): string {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const text = pairs.map(([name, value]) => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return `${encodeURIComponent(name)}=${items.map((item) => encodeURIComponent(String(item))).join(',')}`;
  });
  return text.length > 0 ? `?${text.join('&')}` : '';
}

function without(input: Fields, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.has(name)));
}

/** The request of an operation at a server; `agent` is the acting agent. */
export function prepare(
  base: string,
  operation: string,
  address: Address,
  given: Fields,
  agent: string | undefined,
): Prepared {
  const { method, path, acting, raw, headers: named = {} } = address;
  const input = acting !== undefined && agent !== undefined ? { [acting]: agent, ...given } : given;
  const headers: Record<string, string> = {};
  for (const [field, header] of Object.entries(named)) {
    if (input[field] !== undefined) headers[header] = String(input[field]);
  }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const rest = without(input, new Set([...inPath, ...Object.keys(named)]));
  if (address.agent && agent !== undefined) headers['X-Agent-Handle'] = agent;
  const url = base + fillPath(operation, path, input);
  const queries = method === 'GET' || method === 'DELETE';
  if (queries) return { operation, method, url: url + queryText(rest), headers, body: undefined };
  if (address.form) {
    headers['Content-Type'] = 'application/x-www-form-urlencoded';
    return { operation, method, url, headers, body: queryText(rest).slice(1) };
  }
  headers['Content-Type'] = raw ?? 'application/json';
  if (raw === undefined) return { operation, method, url, headers, body: JSON.stringify(rest) };
  return {
    operation,
    method,
    url: url + queryText(without(rest, new Set(['raw']))),
    headers,
    body: String(rest.raw ?? ''),
  };
}
