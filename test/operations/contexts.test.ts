// How far each part of an operation can reach: `decide` no farther than what it is told, the others no farther than the ports
// of their kind. The lists are closed: the compiler asks for every name, and what is handed out at run time is compared with
// them.
import { afterEach, beforeAll, expect, mock, spyOn, test } from 'bun:test';
import type { Ctx, FlowCtx } from '../../src/contract/context.ts';
import type { FlowPorts, LoadPorts, QueryPorts, StreamPorts } from '../../src/contract/ports.ts';
import { agentRead } from '../../src/operations/agent/read.ts';
import { inboxStream } from '../../src/operations/inbox/stream.ts';
import { messageSend } from '../../src/operations/message/send.ts';
import { webhookCreate } from '../../src/operations/webhook/create.ts';
import { sharedService } from '../support/opened.ts';
import { agentNamed, openThread, type TestAgent } from '../support/threads.ts';

type Names<T> = Readonly<Record<keyof T, true>>;

/** `approved` stands only in what approving an action hands on. */
const TOLD: Names<Omit<Ctx, 'approved'>> = {
  principal: true,
  account_id: true,
  agent: true,
  now_ms: true,
  ip: true,
  trace: true,
  language: true,
  refresh_token: true,
  credential_ends_at: true,
  settings: true,
  addresses: true,
  form: true,
  secrets: true,
  id: true,
  random: true,
};

const LOAD: Names<LoadPorts> = {
  presence: true,
  presenceWith: true,
  hasWorkingHook: true,
  events: true,
  restored: true,
  embedder: true,
  processor: true,
  chain: true,
  answer: true,
};

const QUERY: Names<QueryPorts> = {
  ...LOAD,
  manual: true,
  ledger: true,
  agentsWith: true,
  pages: true,
  cards: true,
  preview: true,
  short_handles: true,
  key_uses: true,
  requests: true,
  views: true,
  sessions: true,
  card_signer: true,
  documents: true,
  pushes: true,
  hosts: true,
  host: true,
  outbox: true,
};

const STREAM: Names<StreamPorts> = {
  follow: true,
  watch: true,
  watchRow: true,
  onJoin: true,
  markSeen: true,
  restored: true,
};

const FLOW_TOLD: Names<Omit<FlowCtx, 'approved'>> = { ...TOLD, read: true, turn: true, claim: true };

const FLOW: Names<FlowPorts> = {
  ...LOAD,
  documents: true,
  pushes: true,
  hosts: true,
  identity: true,
  templates: true,
  clock: true,
  clock_watch: true,
  doctor: true,
  tasks: true,
  turns: true,
  dispatches: true,
  negotiator: true,
  http: true,
  tracer: true,
  dns: true,
  mails: true,
  mailer: true,
  sessions: true,
  speech: true,
  mayPush: true,
  sellers: true,
  settle: true,
  match: true,
  explain: true,
  advance: true,
  demo: true,
};

const t = sharedService();
let ada: TestAgent;
let thread: string;

beforeAll(async () => {
  ada = await agentNamed(t, 'ada_reach');
  thread = await openThread(t, ada, await agentNamed(t, 'bob_reach'));
});
afterEach(() => {
  mock.restore();
});

const names = (of: unknown): string[] => Object.keys(Object(of)).sort();

/** What each argument of a call is made of, from the first that is not the operation's own. */
const partsOf = (handed: readonly unknown[] | undefined, from: number): string[][] =>
  (handed ?? []).slice(from).map(names);

const say = (content: string): Promise<{ status: number }> =>
  t.call('POST', `/api/messages/${thread}`, { key: ada.key, body: { content } });

test('decide is told who calls, the settings, ids, randomness and time, and is handed nothing to reach the rest with', async () => {
  const [load, decide] = [spyOn(messageSend, 'load'), spyOn(messageSend, 'decide')];
  expect((await say('hello')).status).toBe(200);
  expect(partsOf(decide.mock.lastCall, 2)).toEqual([names(TOLD)]);
  expect(partsOf(load.mock.lastCall, 2)).toEqual([names(TOLD), names(LOAD)]);
});

test('nothing that decide is told holds the platform token, an address of an administrator, or a way out', async () => {
  const decide = spyOn(messageSend, 'decide');
  await say('hello again');
  const ctx = decide.mock.lastCall?.[2];
  const callable = Object.entries(ctx ?? {}).filter(([, part]) => typeof part === 'function');
  expect(callable.map(([name]) => name)).toEqual(['id', 'random']);
  const { internal_token } = t.service.world.settings;
  expect(internal_token.length).toBeGreaterThan(20);
  expect(JSON.stringify(ctx)).not.toContain(internal_token);
  expect(names(ctx?.settings)).not.toContain('admin_emails');
});

test('a query looks at facts, a stream at inboxes as they grow', async () => {
  const [run, open] = [spyOn(agentRead, 'run'), spyOn(inboxStream, 'open')];
  expect((await t.call('GET', `/api/agents/${ada.handle}`, { key: ada.key })).status).toBe(200);
  expect(partsOf(run.mock.lastCall, 2)).toEqual([names(TOLD), names(QUERY)]);
  const stream = await t.fetch(new Request('http://localhost/api/inbox/stream', { headers: { 'X-API-Key': ada.key } }));
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
  expect(partsOf(open.mock.lastCall, 2)).toEqual([names(TOLD), names(STREAM)]);
});

test('what is only looked at cannot be told to write, to sign or to call out', async () => {
  const run = spyOn(agentRead, 'run');
  await t.call('GET', `/api/agents/${ada.handle}`, { key: ada.key });
  const ports = run.mock.lastCall?.[3];
  expect([ports?.key_uses, ports?.sessions, ports?.embedder, ports?.outbox].map(names)).toEqual([
    ['unwritten'],
    ['jwks'],
    ['model'],
    ['list', 'newest'],
  ]);
});

test('a flow has turns, committed state and the world outside, and not the store', async () => {
  const run = spyOn(webhookCreate, 'run');
  const body = { url: 'https://hooks.example.org/ada', events: ['*'] };
  await t.call('POST', '/api/developer/webhooks', { key: ada.key, body });
  expect(partsOf(run.mock.lastCall, 1)).toEqual([names(FLOW_TOLD), names(FLOW)]);
});
