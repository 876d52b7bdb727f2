// The code that the developer pages show works as it stands: each of it is run here as its reader would.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Snippet, webhookSnippets } from '../../src/dashboard/snippets.ts';
import { registry } from '../../src/operations/registry.ts';
import { signHeaders } from '../../src/outbound/webhook-signature.ts';
import { clientTable } from '../../src/transports/openapi/client-table.ts';

const ROOT = join(import.meta.dir, '../..');
const SECRET = 'whsec_c25pcHBldHMgb2YgY29kZQ==';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'meshwork-app-snippets-'));
  const client = join(folder, 'node_modules/meshwork-client');
  cpSync(join(ROOT, 'src/client'), client, { recursive: true });
  await Bun.write(join(client, 'operations.ts'), `export const OPERATIONS = ${JSON.stringify(clientTable(registry()))};\n`);
  await Bun.write(join(client, 'package.json'), JSON.stringify({ name: 'meshwork-client', exports: './package.ts' }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const textOf = (of: readonly Snippet[], name: string): string => of.find((each) => each.name === name)?.text ?? '';

/** A program that runs until it is ended; `env` is all that it is given. */
async function start(name: string, text: string, env: Readonly<Record<string, string>>): Promise<Bun.Subprocess<'ignore', 'pipe', 'pipe'>> {
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
  return { body, headers: signHeaders([secret], { id: crypto.randomUUID(), event: 'test.ping', body, at_ms: Date.now() }) };
}

/** Serves what the snippet for meshwork-client exports. */
const SERVES = "\nconst served = Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: (request) => receive(request).catch(() => new Response(null, { status: 401 })) });";

test.each([
  ['meshwork-client', SECRET],
  ['meshwork-client', null],
  ['Node', SECRET],
  ['Node', null],
])('the code that checks a webhook takes what is signed and refuses the rest: %s, %p', async (name, secret) => {
  const free = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const port = String(free.port);
  await free.stop(true);
  const text = textOf(webhookSnippets(secret), name) + (name === 'Node' ? '' : SERVES);
  const child = await start(`hook-${name}-${secret === null}.ts`, text, {
    PORT: port,
    ...(secret === null && { MESHWORK_WEBHOOK_SECRET: SECRET }),
  });
  const send = (by: string) => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...delivery(by, { message: 'hello' }) });
  const answers = async (by: string): Promise<number> => {
    for (let tries = 0; tries < 500; tries += 1) {
      const status = await send(by).then((answer) => answer.status, () => null);
      if (status !== null) return status;
      await Bun.sleep(20);
    }
    throw new Error(await new Response(child.stderr).text());
  };
  expect([await answers(SECRET), await answers('whsec_b3RoZXI=')]).toEqual([204, 401]);
  child.kill();
  expect(await new Response(child.stdout).text()).toContain('test.ping');
}, 60_000);
