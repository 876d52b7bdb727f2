// What the documents give a reader to send or to start works as it stands: each block of code is run here or by the test that is named,
// or stands in the list with the reason why it is not.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isConfigProblem, readConfig } from '../../src/config.ts';
import { registry } from '../../src/operations/registry.ts';
import { clientTable } from '../../src/transports/openapi/client-table.ts';
import { type Credential, type Json, matchedPair, type RestClient, restClient } from '../support/rest-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const ROOT = join(import.meta.dir, '../..');
const ENTRY = join(ROOT, 'src/cli/meshwork.ts');
const TOKEN = 'token-of-the-snippets';

const FILES = ['README.md', 'src/client/README.md', ...docsOf('src/docs')];

function docsOf(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));
  return names.toSorted().map((name) => `${folder}/${name}`);
}

interface Block {
  readonly file: string;
  readonly language: string;
  readonly text: string;
}

function blocksOf(file: string): Block[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^```(\w*)\n([^`]*)^```$/gm)].map(([, language = '', inner = '']) => ({
    file,
    language,
    text: inner,
  }));
}

const BLOCKS = FILES.flatMap(blocksOf);

/** By how each begins: who runs it, or why nobody does. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '0.85 █': 'what a program prints',
  './scripts/serve  ': 'test/docs/readme.test.ts: the scripts are there; they build and test this checkout',
  'U=http://127.0.0.1:3000': 'test/docs/readme.test.ts',
  "import { MeshworkClient } from 'meshwork-client';\n\nconst mesh = new MeshworkClient({ url: process.env.U":
    'test/client/package.test.ts',
  '1,999 agents': 'what a program prints',
  '{ "resultType": "task"': 'an answer',
  'LLM_URL=': 'starts a server with a model that the reader has',
  'systemctl stop meshwork  ': 'test/cli/copy.test.ts moves a service with the same command',
  '# /etc/patroni': 'scripts/cluster-patroni, with the same settings on one machine',
  '# on each server: shared_preload': 'scripts/cluster-citus, with the same calls on one machine',
  '# haproxy.cfg': 'scripts/cluster-patroni, with the same settings on one machine',
  'upstream meshwork {': 'settings of nginx on a machine of its own',
  'upstream meshwork_mcp {': 'settings of nginx on a machine of its own',
};

const RUN_HERE = [
  "import { MeshworkClient } from 'meshwork-client';\n\nconst mesh = new MeshworkClient({ url: 'https",
  '// The service takes the next turn',
  'import { afterAll, beforeAll',
  'const event = await verifyWebhook',
  'import { ClientFactory',
  'BASE_URL=https',
  '{\n  "free":',
  'curl -sf "$U/internal/mail/inbound"',
  '{ "mcpServers": { "meshwork": { "type": "http"',
  '{ "servers"',
  '[mcp_servers.meshwork]',
  '{ "mcpServers": { "meshwork": { "command"',
];

/** The one block that begins so. */
function block(start: string): string {
  const found = BLOCKS.filter(({ text }) => text.startsWith(start));
  expect([start, found.length]).toEqual([start, 1]);
  return found[0]?.text ?? '';
}

test('each block of code is run, or says why it is not', () => {
  const known = [...Object.keys(ELSEWHERE), ...RUN_HERE];
  // Diagrams of states are made and held elsewhere.
  const unknown = BLOCKS.filter(
    ({ language, text }) => language !== 'text' && !known.some((is) => text.startsWith(is)),
  );
  expect(unknown.map(({ file, text }) => `${file}: ${text.slice(0, 60)}`)).toEqual([]);
  expect(known.filter((start) => block(start) === '')).toEqual([]);
});

/** The client as it is built, but not compiled: Bun runs it so, and the package itself has its own tests. */
async function layClient(at: string): Promise<void> {
  cpSync(join(ROOT, 'src/client'), at, { recursive: true });
  await Bun.write(join(at, 'operations.ts'), `export const OPERATIONS = ${JSON.stringify(clientTable(registry()))};\n`);
  const exports = { '.': './package.ts', './testing': './testing.ts' };
  await Bun.write(join(at, 'package.json'), JSON.stringify({ name: 'meshwork-client', type: 'module', exports }));
}

let server: TestServer;
let client: RestClient;
let folder: string;
let pair: { seller: Credential & { handle: string }; buyer: Credential & { handle: string }; conversation_id: string };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'meshwork-snippets-'));
  await layClient(join(folder, 'node_modules/meshwork-client'));
  server = await startTestServer({ INTERNAL_TOKEN: TOKEN });
  client = restClient(server.url);
  pair = await matchedPair(client, TOKEN);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A block as a program of this machine, whose server is the test's. */
function programOf(text: string): string {
  const sdk = JSON.stringify(Bun.resolveSync('@a2a-js/sdk/client', ROOT));
  return text.replace("'@a2a-js/sdk/client'", sdk).replaceAll(/https:\/\/mesh\.example(?:\.org)?/g, server.url);
}

interface Ways {
  readonly env?: Record<string, string>;
  /** What ends one that would go on. */
  readonly until?: string;
  readonly as_test?: boolean;
}

/** Runs a program to its end, or until it has said something, and answers what it said. */
async function said(name: string, text: string, { env = {}, until, as_test }: Ways = {}): Promise<string> {
  const file = join(folder, name);
  await Bun.write(file, programOf(text));
  const child = Bun.spawn(
    [process.execPath, '--no-env-file', ...(as_test ? ['test', '--timeout', '60000'] : []), file],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  );
  const errors = new Response(child.stderr).text();
  let out = '';
  for await (const part of child.stdout) {
    out += new TextDecoder().decode(part);
    if (until !== undefined && out.includes(until)) child.kill();
  }
  const code = await child.exited;
  if (code !== 0 && !(until !== undefined && out.includes(until))) throw new Error(`${name}: ${out}${await errors}`);
  return `${out}${await errors}`;
}

test('the client publishes, reads matches and follows the inbox', async () => {
  await client.ask('POST', '/api/inbox/test', pair.seller);
  const out = await said('first.ts', block(RUN_HERE[0] ?? '').replaceAll("'ada'", `'${pair.seller.handle}'`), {
    env: { MESHWORK_API_KEY: pair.seller.key ?? '' },
    until: 'test.ping',
  });
  expect(out).toContain('test.ping');
});

test('the client negotiates', async () => {
  const begin = `import { MeshworkClient } from 'meshwork-client';
const { KEY: api_key = '', TALK: conversation_id = '' } = process.env;
const mesh = new MeshworkClient({ url: '${server.url}', api_key });`;
  const end = 'console.log(turn, proposal);';
  const env = { KEY: pair.buyer.key ?? '', TALK: pair.conversation_id };
  expect(await said('negotiate.ts', `${begin}\n${block(RUN_HERE[1] ?? '')}\n${end}`, { env })).toContain('Two logos');
});

test('a test starts a service and moves its time', async () => {
  const binary = join(folder, 'meshwork');
  await Bun.write(binary, `#!/bin/sh\nexec '${process.execPath}' --no-env-file '${ENTRY}' "$@"\n`);
  chmodSync(binary, 0o755);
  const env = { MESHWORK_BINARY: binary };
  expect(await said('own.test.ts', block(RUN_HERE[2] ?? ''), { env, as_test: true })).toContain('1 pass');
}, 120_000);

test('the client checks a webhook', async () => {
  const begin = `import { createHmac } from 'node:crypto';
import { verifyWebhook } from 'meshwork-client';
const secret = 'whsec_c25pcHBldHM=';
const body = JSON.stringify({ event: 'test.ping', timestamp: new Date().toISOString(), data: { event: 'test.ping' } });
const signature = createHmac('sha256', secret).update(body).digest('hex');
const headers = { 'X-Webhook-Signature': signature, 'X-Webhook-Timestamp': new Date().toISOString() };
const request = new Request('http://127.0.0.1/', { method: 'POST', headers, body });`;
  expect(await said('webhook.ts', `${begin}\n${block(RUN_HERE[3] ?? '')}\nconsole.log(event);`)).toContain('test.ping');
});

test('the official A2A client finds an agent and writes to it', async () => {
  const send = `const sent = await grace.sendMessage({ message: { messageId: 'm1', role: 1, contextId: '', taskId: '', extensions: [],
  referenceTaskIds: [], metadata: undefined, parts: [{ content: { $case: 'text', value: 'Hello' }, filename: '', mediaType: '' }] },
  configuration: { returnImmediately: true, acceptedOutputModes: [] }, metadata: undefined, tenant: '' });
console.log(JSON.stringify(sent));`;
  const text = block(RUN_HERE[4] ?? '').replace('/agents/grace/', `/agents/${pair.buyer.handle}/`);
  const env = { MESHWORK_API_KEY: pair.seller.key ?? '' };
  expect(await said('a2a.ts', `${text}\n${send}`, { env })).toContain(pair.conversation_id);
});

test('settings are read', async () => {
  const lines = block('BASE_URL=https').split('\n').filter(Boolean);
  const settings = Object.fromEntries(lines.map((line) => line.replace(/ +#.*/, '').split(/=(.*)/, 2)));
  const plans = join(folder, 'plans.json');
  await Bun.write(plans, block('{\n  "free":'));
  const config = readConfig({ ...settings, PLANS: plans });
  expect(isConfigProblem(config) ? config.problem : 'read').toBe('read');
});

test('a mail server hands over what came', async () => {
  const env = {
    U: server.url,
    TOKEN,
    RECIPIENT: `${pair.seller.handle}@agents.localhost`,
    SENDER: '',
    CLIENT: '127.0.0.1',
  };
  const mail = 'From: mailer@example.org\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nI am away.\r\n';
  const shell = Bun.spawn(['sh', '-euc', block('curl -sf')], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdin: new TextEncoder().encode(mail),
    stdout: 'pipe',
  });
  expect(await new Response(shell.stdout).json()).toMatchObject({ outcome: 'dropped', reason: 'auto_reply' });
  expect(await shell.exited).toBe(0);
});

async function toolsOf(transport: Transport): Promise<string[]> {
  const mcp = new Client({ name: 'reader', version: '1' });
  await mcp.connect(transport);
  const { tools } = await mcp.listTools();
  await mcp.close();
  return tools.map(({ name }) => name);
}

/** Opens what a client of tools reads of its settings. */
function transportOf(entry: Json): Transport {
  const key = pair.seller.key ?? '';
  const text = JSON.stringify(entry).replaceAll('https://mesh.example.org', server.url).replaceAll('mesh_live_…', key);
  const { url, headers, http_headers, command, args, env } = JSON.parse(text);
  if (url)
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: headers ?? http_headers } });
  expect(command).toBe('meshwork');
  return new StdioClientTransport({
    command: process.execPath,
    args: [ENTRY, ...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
}

test.each([
  ['.mcp.json', () => JSON.parse(block('{ "mcpServers": { "meshwork": { "type": "http"')).mcpServers.meshwork],
  ['.vscode/mcp.json', () => JSON.parse(block('{ "servers"')).servers.meshwork],
  ['config.toml', () => (Bun.TOML.parse(block('[mcp_servers.meshwork]')) as Json).mcp_servers.meshwork],
  ['a program for stdio', () => JSON.parse(block('{ "mcpServers": { "meshwork": { "command"')).mcpServers.meshwork],
])('the settings of a client of tools open the tool server: %s', async (_name, entry) => {
  expect(await toolsOf(transportOf(entry()))).toContain('mesh_start_conversation');
});

test('what programs call by the client are operations, with fields that these take', () => {
  const calls = BLOCKS.filter(({ language }) => language === 'ts' || language === 'js').flatMap(({ text }) => [
    ...text.matchAll(/\b(?:mesh|client|person)\.(\w+)\.(\w+)\((?:\{([^}]*)\})?/g),
  ]);
  expect(calls.length).toBeGreaterThan(6);
  const wrong = calls.filter(([, noun = '', verb = '', fields = '']) => {
    const name = `${noun}.${verb}`.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const operation = registry().find((each) => each.name === name);
    const taken = Object.keys((operation?.input.properties ?? {}) as object);
    const given = fields.split(',').map((field) => field.replace(/:.*/, '').trim());
    return !operation || given.some((field) => field !== '' && field !== 'handle' && !taken.includes(field));
  });
  expect(wrong.map(([call]) => call)).toEqual([]);
});
