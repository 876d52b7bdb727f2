// All that one agent and its person read or receive: every operation that reads, by its address and as a tool, streams, letters, webhooks,
// pushes, tasks. Two services that differ in what the other side keeps to itself have to give the same.
import { createECDH, randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { reachOf } from '../../src/contract/tool.ts';
import { registry } from '../../src/operations/registry.ts';
import type { SafeHttp, SafeRequest } from '../../src/outbound/safe-http/safe-http.ts';
import { loadSecrets } from '../../src/outbound/secrets.ts';
import type { SAMPLE } from '../../src/schemas/samples.ts';
import { idMaker, Random } from '../sim/random.ts';
import { callRpc } from './a2a.ts';
import { signIn, type TestAgent } from './agents.ts';
import { exampleInput, requestOf } from './examples.ts';
import { rpc } from './mcp.ts';
import { absentScene, type Scene } from './scene.ts';
import { dropStore } from './store.ts';
import { openTestService, START_MS, type TestService } from './testbed.ts';
import { withToolDoors } from './tools.ts';
import { virtualClock } from './virtual-clock.ts';
import { decryptPush } from './web-push.ts';

type Sample = keyof typeof SAMPLE;
/** What stands where, by the names of the samples. */
export type Things = Readonly<Partial<Record<Sample, string>>>;

const HOOK = 'https://hooks.example/';
const PUSH = 'https://push.example.net/wpush/v2/looks';
const NOTHING = '00000000-0000-7000-8000-000000000000';

/** A service that keeps what it sends to addresses elsewhere. */
export interface Watched {
  readonly t: TestService;
  readonly sent: string[];
  readonly browser: { readonly subscription: object };
  close(): Promise<void>;
}

/** The same secrets for all: what is drawn by them for an agent is the same in each service. */
let secrets: Promise<string> | null = null;
async function makeSecrets(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'meshwork-secrets-'));
  await loadSecrets(dir);
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export async function openWatched(): Promise<Watched> {
  secrets ??= makeSecrets();
  const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-test-'));
  cpSync(await secrets, data_dir, { recursive: true });
  const sent: string[] = [];
  const keys = createECDH('prime256v1');
  keys.setPrivateKey(randomBytes(32));
  const auth = randomBytes(16);
  const told = ({ url, body = '' }: SafeRequest): string =>
    typeof body === 'string' ? body : url === PUSH ? decryptPush({ keys, auth }, Buffer.from(body)) : `${body.length}`;
  const http: SafeHttp = {
    check: async () => null,
    request: async (asked) => {
      sent.push(`${asked.method} ${asked.url} ${told(asked)}`);
      // What a webhook does not take is mailed.
      const status = asked.url === PUSH ? 201 : 500;
      return { ok: true, status, headers: {}, body: new Uint8Array(), took_ms: 1 };
    },
    close: () => {},
  };
  const clock = virtualClock(START_MS);
  const t = await openTestService({}, 'memory', { http, data_dir, clock, id: idMaker(new Random(7, 'ids'), clock) });
  const p256dh = keys.getPublicKey('base64url');
  const close = async (): Promise<void> => {
    await t.close();
    rmSync(data_dir, { recursive: true, force: true });
    await dropStore(data_dir);
  };
  return {
    t,
    sent,
    close,
    browser: { subscription: { endpoint: PUSH, keys: { p256dh, auth: auth.toString('base64url') } } },
  };
}

export type Seen = Readonly<Record<string, string>>;

export interface Heard {
  /** Ends them, and answers all that came. */
  end(): Promise<Record<string, string>>;
}

/** Has all that is told to an agent sent to every place that there is, and opens its streams. */
export async function listen({ t, browser }: Watched, me: TestAgent, task_id: string): Promise<Heard> {
  const { key, token } = me;
  const asked = async (method: string, path: string, how: object): Promise<void> => {
    const { status, body } = await t.call(method, path, how);
    if (status > 299) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  };
  await asked('POST', '/api/developer/webhooks', { key, body: { url: `${HOOK}all`, events: ['*'] } });
  await asked('PATCH', '/api/notifications/preferences', {
    token,
    body: { email: 'all', digest: 'daily', push: 'all' },
  });
  await asked('POST', '/api/notifications/browsers', { token, body: { ...browser, name: 'Phone' } });
  await asked('POST', '/operations/push_config.create', { key, body: { task_id, config: { url: `${HOOK}task` } } });
  const streams = [
    `/a2a/stream/${task_id}`,
    '/api/inbox/stream',
    '/api/notifications/stream',
    '/operations/inbox.watch',
  ].map(async (path) => {
    const gone = new AbortController();
    const asking = { headers: { 'X-API-Key': key, 'X-Agent-Handle': me.handle }, signal: gone.signal };
    const response = await t.fetch(new Request(`http://localhost${path}`, asking));
    let heard = '';
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const reading = (async () => {
      for (;;) {
        const chunk = await reader?.read().catch(() => null);
        if (!chunk || chunk.done) return;
        heard += chunk.value;
      }
    })();
    return {
      path,
      heard: () => heard,
      end: async () => {
        await reader?.cancel();
        await reading;
      },
    };
  });
  const open = await Promise.all(streams);
  return {
    end: async () => {
      await t.rest();
      const told = open.map(({ path, heard }) => [path.replace(task_id, 'task'), heard()]);
      for (const { end } of open) await end();
      return Object.fromEntries(told);
    },
  };
}

const isOpen = ({ access }: AnyOperation): boolean => access === 'public' || access === 'key' || access === 'session';
/** Of these an answer hangs on secrets, or on the machine. */
const OWN: ReadonlySet<string> = new Set(['challenge.issue', 'account.sessions', 'key.requests']);

/** What every operation that reads answers. */
async function answers(t: TestService, scene: Scene): Promise<[string, unknown][]> {
  const { owner } = scene;
  const seen: [string, unknown][] = [];
  const reads = withToolDoors(registry()).filter(
    (each) =>
      each.kind !== 'stream' &&
      each.effect !== 'destroys' &&
      each.effect !== 'spends' &&
      isOpen(each) &&
      (each.effect === 'reads' || each.rest.some(({ method }) => method === 'GET')) &&
      !OWN.has(each.name),
  );
  for (const operation of reads) {
    const input = await exampleInput(operation, scene);
    const [binding] = operation.rest;
    if (binding) {
      const { path = {}, query, body, headers } = requestOf(operation, binding, input, owner.handle);
      const filled = binding.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
      const as = operation.access === 'session' ? { token: owner.token } : { key: owner.key };
      const asked = { ...as, agent: owner.handle, headers, ...(body && { body }) };
      const answer = await t
        .call(binding.method, query ? `${filled}?${query}` : filled, asked)
        .catch((error) => ({ status: 0, headers: new Headers(), body: String(error) }));
      const { status, body: told } = answer;
      seen.push([`${binding.method} ${binding.path}`, { status, told, next: answer.headers.get('x-next-cursor') }]);
    }
    for (const tool of operation.tools ?? []) {
      const { name, fixed = {}, takes, rename = {}, when } = tool;
      if (reachOf(operation, tool).access === 'session') continue;
      const names = new Map(Object.entries(rename).map(([argument, field]) => [field as string, argument]));
      const given = Object.entries(input).filter(([field]) => (takes?.includes(field) ?? true) && !(field in fixed));
      const own = when && 'is' in when ? { [when.argument]: when.is } : {};
      const args: Record<string, unknown> = {
        ...own,
        ...Object.fromEntries(given.map(([field, value]) => [names.get(field) ?? field, value])),
      };
      if (when && 'given' in when && !when.given) delete args[when.argument];
      const asked = { key: owner.key, revision: '2025-11-25', headers: { 'X-Agent-Handle': owner.handle } };
      seen.push([`${name} ${operation.name}`, (await rpc(t, 'tools/call', { name, arguments: args }, asked)).body]);
    }
  }
  return seen;
}

/** What the doors of other protocols answer that are no operation each. */
async function protocols(t: TestService, { owner }: Scene, things: Things): Promise<[string, unknown][]> {
  const { key } = owner;
  const seen: [string, unknown][] = [];
  const asked = { key, revision: '2025-11-25', headers: { 'X-Agent-Handle': owner.handle } };
  for (const [name, id] of [
    ['inbox'],
    ['conversation', things.conversation_id],
    ['listing', things.listing_id],
  ] as const) {
    const uri = id === undefined ? `mesh://${name}` : `mesh://${name}/${id}`;
    seen.push([`mesh://${name}`, (await rpc(t, 'resources/read', { uri }, asked)).body]);
  }
  const { task_id: id, conversation_id: contextId } = things;
  for (const [version, method, params] of [
    ['0.3', 'tasks/get', { id, historyLength: 50 }],
    ['1.0', 'GetTask', { id, historyLength: 50 }],
    ['1.0', 'ListTasks', { contextId, historyLength: 50, includeArtifacts: true }],
  ] as const) {
    seen.push([`${version} ${method}`, (await callRpc(t, { method, params }, { key, version })).body]);
  }
  return seen;
}

const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|[0-9a-f]{32}/g;
const unnamed = (text: string): string => text.replaceAll(IDS, '');

/** The same for two services: ids in the order in which they come, secrets without their letters. */
function alike(value: unknown): unknown {
  const known = new Map<string, string>();
  const named = (id: string): string => {
    if (!known.has(id)) known.set(id, `id-${known.size}`);
    return known.get(id) ?? id;
  };
  const text = JSON.stringify(value)
    .replaceAll(IDS, named)
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'signed')
    .replaceAll(/"x\\*":\\*"[\w-]+/g, 'a public key')
    .replaceAll(/mesh_live_\w+/g, 'a key')
    .replaceAll(/--- [\w-]{12} (?=untrusted|end)/g, '--- ')
    .replaceAll(/\b[0-9a-f]{12}(?=\.\d)/g, 'cursor')
    .replaceAll(/-*\b(?=[\w-]*\d)(?=[\w-]*[a-zA-Z])[\w-]{22,}/g, 'secret')
    .replaceAll(/(?<!\d)\d{6}(?!\d)/g, 'code')
    .replaceAll(/_ms\\*":\s*[\d.]+/g, '_ms":0')
    .replaceAll(/\+1555\d+/g, 'phone');
  return text;
}

/** All of it, by where it was read. */
export async function allSeen(
  watched: Watched,
  me: TestAgent,
  things: Things,
  heard: Heard | null,
): Promise<Record<string, string>> {
  const { t, sent } = watched;
  await t.rest();
  await t.service.delivery.idle();
  const streams = heard ? await heard.end() : {};
  const owner = { ...me, token: await signIn(t, me.email) };
  const of = (name: Sample) => async (): Promise<string> => things[name] ?? NOTHING;
  const absent = absentScene({ t, owner, full_key: async () => me.key } as unknown as Scene);
  const names = Object.keys(absent).filter(
    (name) => !['t', 'owner', 'full_key', 'capability', 'mailed'].includes(name),
  );
  const own = Object.fromEntries(names.map((name) => [name, of(name as Sample)]));
  const scene = {
    ...absent,
    ...own,
    t,
    owner,
    capability: async () => 'text.translate',
    mailed: async () => '000000',
  } as unknown as Scene;
  const letters = t.mails
    .filter(({ to }) => to === me.email)
    .map(({ subject, text, html }: { subject: string; text: string; html?: string }) => ({ subject, text, html }));
  // Addresses are posted to side by side.
  const posted = sent.toSorted((a, b) => (unnamed(a) < unnamed(b) ? -1 : 1));
  const all = [
    ...Object.entries(streams),
    ['letters', letters],
    ['sent', posted],
    ...(await answers(t, scene)),
    ...(await protocols(t, scene, things)),
  ];
  return Object.fromEntries(all.map(([where, told]) => [where, alike(told) as string]));
}

export function differences(one: Seen, two: Seen): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(two)])];
  return names.flatMap((name) => {
    const [a = '', b = ''] = [one[name], two[name]];
    if (a === b) return [];
    const at = [...a].findIndex((letter, n) => letter !== b[n]);
    const around = (text: string): string => text.slice(Math.max(0, at - 160), at + 160);
    return [`${name}\n  ${around(a)}\n  ${around(b)}`];
  });
}
