// The doors of an operation as its declaration lists them, each called with the same input, and what comes of a call in words
// that are no door's own.

import type { AnyOperation, RestBinding } from '../../src/contract/operation.ts';
import { reachOf, type ToolBinding } from '../../src/contract/tool.ts';
import { PRO_SCOPES } from '../../src/domain/identity/scope.ts';
import { requestOf } from './examples.ts';
import { rpc } from './mcp.ts';
import type { Scene } from './scene.ts';

/** The owner's key from signup, or, where that has not the right, one that has all. */
async function keyFor({ owner, full_key }: Scene, scope: AnyOperation['scope']): Promise<string> {
  return PRO_SCOPES.some((each) => each === scope) ? full_key() : owner.key;
}

type Fields = Readonly<Record<string, unknown>>;

/** How a call ended, whatever door it came by. */
export interface Told {
  /** `ok`, or the code of the refusal. */
  readonly end: string;
  /** The value of an answer; which fields a refusal is about. */
  readonly value: unknown;
}

export interface Door {
  readonly name: string;
  /** The part of an input that can be said at this door. */
  narrow(input: Fields): Fields;
  call(scene: Scene, input: Fields): Promise<Told>;
}

/** Fields whose text tells of calls. */
const GUIDANCE: readonly string[] = ['how', 'next_step'];
/** What two services that are alike otherwise have of their own: secrets, signatures by their own keys, and the clock on the
 * wall. */
const OWN: readonly string[] = ['signing_secret', 'signatures', 'token', 'took_ms'];

/** A value without the words that only one door has for a call: a method and an address, or a tool and its arguments. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const isCall = ('method' in value && 'path' in value) || ('tool' in value && 'arguments' in value);
  const words = [...GUIDANCE, ...OWN, ...(isCall ? ['method', 'path', 'body', 'tool', 'arguments'] : [])];
  const rest = Object.entries(value).filter(([name]) => !words.includes(name));
  return Object.fromEntries(rest.map(([name, each]) => [name, plain(each)]));
}

/** One that has structured content. */
const REVISION = '2025-11-25';

function refused(code: string, fields: unknown): Told {
  const paths = Array.isArray(fields) ? fields.map(({ path }: { path: string }) => path).toSorted() : null;
  return { end: code, value: paths };
}

function restDoor(operation: AnyOperation, binding: RestBinding): Door {
  const { method } = binding;
  return {
    name: `${method} ${binding.path}`,
    narrow: (input) => input,
    call: async (scene, input) => {
      const { t, owner } = scene;
      const { path = {}, query, body, headers } = requestOf(operation, binding, input, owner.handle);
      const filled = binding.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
      const credential =
        operation.access === 'session' ? { token: owner.token } : { key: await keyFor(scene, operation.scope) };
      const asked = { ...credential, agent: owner.handle, headers, ...(body && { body }) };
      const answer = await t.call(method, query ? `${filled}?${query}` : filled, asked);
      if (answer.status > 299) return refused(answer.body.error, answer.body.fields);
      const next_cursor = answer.headers.get('x-next-cursor');
      const items = Array.isArray(answer.body);
      return { end: 'ok', value: plain(items ? { items: answer.body, next_cursor } : answer.body) };
    },
  };
}

function toolDoor(operation: AnyOperation, binding: ToolBinding): Door {
  const { scope } = reachOf(operation, binding);
  const { name, fixed = {}, takes, rename = {}, when } = binding;
  const names = new Map(Object.entries(rename).map(([argument, field]) => [field, argument]));
  return {
    name,
    narrow: (input) => {
      const kept = Object.entries(input).filter(([field]) => takes?.includes(field) ?? true);
      const narrowed: Record<string, unknown> = { ...Object.fromEntries(kept), ...fixed };
      if (when && 'given' in when && !when.given) delete narrowed[when.argument];
      return narrowed;
    },
    call: async (scene, input) => {
      const { t, owner } = scene;
      const given = Object.entries(input).filter(([field]) => !(field in fixed));
      const own = when && 'is' in when ? { [when.argument]: when.is } : {};
      const named = Object.fromEntries(given.map(([field, value]) => [names.get(field) ?? field, value]));
      const key = await keyFor(scene, scope);
      const asked = { key, revision: REVISION, headers: { 'X-Agent-Handle': owner.handle } };
      const answer = await rpc(t, 'tools/call', { name, arguments: { ...own, ...named } }, asked);
      const { result, error } = answer.body;
      if (!result) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(error)}`);
      if (!result.isError) return { end: 'ok', value: plain(result.structuredContent) };
      const refusal = JSON.parse(result.content[0].text);
      return refused(refusal.error, refusal.fields);
    },
  };
}

/** All doors of an operation that answers once: its addresses, then its names as a tool. */
export function doorsOf(operation: AnyOperation): readonly Door[] {
  if (operation.kind === 'stream') return [];
  const addresses = operation.rest.filter(({ alias }) => !alias).map((binding) => restDoor(operation, binding));
  const tools = (operation.tools ?? []).map((binding) => toolDoor(operation, binding));
  return [...addresses, ...tools];
}
