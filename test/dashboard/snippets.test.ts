// The code that the developer pages show works as it stands: each of it is run here as its reader would.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { programSnippets, type Snippet, webhookSnippets } from '../../src/dashboard/snippets.ts';
import { registry } from '../../src/operations/registry.ts';
import { signHeaders } from '../../src/outbound/webhook-signature.ts';
import { clientTable } from '../../src/transports/openapi/client-table.ts';
import { type RestClient, restClient, verifiedAgent } from '../support/rest-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const ROOT = join(import.meta.dir, '../..');
const ENTRY = join(ROOT, 'src/cli/meshwork.ts');
const HANDLE = 'ada_codes';
const TOKEN = 'token-of-the-snippets';
const SECRET = 'whsec_c25pcHBldHMgb2YgY29kZQ==';

let folder: string;
let server: TestServer;
let client: RestClient;
let key: string;
beforeAll(async () => {
  server = await startTestServer({ INTERNAL_TOKEN: TOKEN });
  client = restClient(server.url);
  ({ key } = await verifiedAgent(client, TOKEN, HANDLE, '+14155550161'));
  folder = mkdtempSync(join(tmpdir(), 'meshwork-app-snippets-'));
  const package_at = join(folder, 'node_modules/meshwork-client');
  cpSync(join(ROOT, 'src/client'), package_at, { recursive: true });
  await Bun.write(
    join(package_at, 'operations.ts'),
    `export const OPERATIONS = ${JSON.stringify(clientTable(registry()))};\n`,
  );
  await Bun.write(
    join(package_at, 'package.json'),
    JSON.stringify({ name: 'meshwork-client', exports: './package.ts' }),
  );
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const textOf = (of: readonly Snippet[], name: string): string => of.find((each) => each.name === name)?.text ?? '';

/** A program that runs until it is ended; `env` is all that it is given. */
async function start(
  name: string,
  text: string,
  env: Readonly<Record<string, string>>,
): Promise<Bun.Subprocess<'ignore', 'pipe', 'pipe'>> {
  const file = join(folder, name);
  await Bun.write(file, text);
  return Bun.spawn([process.execPath, '--no-env-file', file], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** A delivery as the service sends it. */
function delivery(secret: string, data: object): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({ event: 'test.ping', data });
  return {
    body,
    headers: signHeaders([secret], { id: crypto.randomUUID(), event: 'test.ping', body, at_ms: Date.now() }),
  };
}

/** Serves what the snippet for meshwork-client exports. */
const SERVES =
  "\nconst served = Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: (request) => receive(request).catch(() => new Response(null, { status: 401 })) });";

test.each([
  ['meshwork-client', SECRET],
  ['meshwork-client', null],
  ['Node', SECRET],
  ['Node', null],
])(
  'the code that checks a webhook takes what is signed and refuses the rest: %s, %p',
  async (name, secret) => {
    const free = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const port = String(free.port);
    await free.stop(true);
    const text = textOf(webhookSnippets(secret), name) + (name === 'Node' ? '' : SERVES);
    const child = await start(`hook-${name}-${secret === null}.ts`, text, {
      PORT: port,
      ...(secret === null && { MESHWORK_WEBHOOK_SECRET: SECRET }),
    });
    const send = (by: string) =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...delivery(by, { message: 'hello' }) });
    const answers = async (by: string): Promise<number> => {
      for (let tries = 0; tries < 500; tries += 1) {
        const status = await send(by).then(
          (answer) => answer.status,
          () => null,
        );
        if (status !== null) return status;
        await Bun.sleep(20);
      }
      throw new Error(await new Response(child.stderr).text());
    };
    expect([await answers(SECRET), await answers('whsec_b3RoZXI=')]).toEqual([204, 401]);
    child.kill();
    expect(await new Response(child.stdout).text()).toContain('test.ping');
  },
  60_000,
);

const commandLine = async (text: string, env: Readonly<Record<string, string>>): Promise<string> => {
  const shell = Bun.spawn(['sh', '-euc', text], { env: { PATH: process.env['PATH'] ?? '', ...env }, stdout: 'pipe' });
  return new Response(shell.stdout).text();
};

test.each([true, false])(
  'the first calls with a key work, filled in: %p',
  async (filled) => {
    const snippets = programSnippets(server.url, filled ? key : null);
    const env: Record<string, string> = filled ? {} : { MESHWORK_KEY: key };
    expect(JSON.parse(await commandLine(textOf(snippets, 'curl'), env))).toMatchObject({ handle: HANDLE });
    const child = await start(`client-${filled}.ts`, textOf(snippets, 'meshwork-client'), env);
    await client.ask('POST', '/api/inbox/test', { key });
    let out = '';
    for await (const part of child.stdout) {
      out += new TextDecoder().decode(part);
      if (out.includes('test.ping')) child.kill();
    }
    expect(out).toContain(HANDLE);
    expect(out).toContain('test.ping');
  },
  60_000,
);

test.each([
  ['Claude Code', '.mcp.json'],
  ['Cursor', '.cursor/mcp.json'],
  ['VS Code', '.vscode/mcp.json'],
  ['Claude Desktop', 'claude_desktop_config.json'],
])(
  'the settings open the tools in %s',
  async (name, file) => {
    const snippet = programSnippets(server.url, key).find((each) => each.name === name);
    expect(snippet?.file).toBe(file);
    const read = JSON.parse(snippet?.text ?? '');
    const { url, headers, command, args, env } = (read.mcpServers ?? read.servers).meshwork;
    const path = process.env['PATH'] ?? '';
    const transport: Transport =
      command === undefined
        ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
        : new StdioClientTransport({ command: process.execPath, args: [ENTRY, ...args], env: { PATH: path, ...env } });
    const mcp = new Client({ name: 'reader', version: '1' });
    await mcp.connect(transport);
    const { tools } = await mcp.listTools();
    await mcp.close();
    expect(tools.map((tool) => tool.name)).toContain('mesh_start_conversation');
  },
  60_000,
);
