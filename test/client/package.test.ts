// meshwork-client as its users have it: installed out of its tarball, typed under a strict compiler, and at work under Node and
// under Bun against a server on a socket, also one that is killed and started again in the middle of an inbox.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { endServers, type ServerChild, startServer } from '../support/child.ts';
import { installedClient, run } from '../support/client-package.ts';
import { matchedPair, restClient } from '../support/rest-client.ts';

const TOKEN = 'token-of-the-client-test';
const COMPILER = join(import.meta.dir, '../../node_modules/typescript/bin/tsc');

/** What somebody writes who has the package; where an error is expected and none comes, that is one. */
const TYPED = `
import { startMeshwork, type TestMeshwork } from 'meshwork-client/testing';
export const started: Promise<TestMeshwork> = startMeshwork({ agents: ['ada'] });
import { type Input, type InboxEvent, MeshworkClient, MeshworkError, type OtherEvent, type Output, verifyWebhook } from 'meshwork-client';
const mesh = new MeshworkClient({ url: 'http://127.0.0.1:1', api_key: async () => 'key', agent: 'ada' });
export async function main(): Promise<void> {
  const listing = await mesh.listing.create({ card_type: 'selling', headline: 'Bread', price_cents: 500 });
  const id: string = listing.id;
  const sent = await mesh.message.send({ conversation_id: id, content: 'Hello' }, { idempotency_key: 'k', timeout_ms: 1 });
  const text: string = sent.content;
  for await (const match of mesh.match.list({ limit: 10 })) match.match_id satisfies string;
  const { items, next_cursor } = await mesh.conversation.list();
  const cursor: string | null = next_cursor;
  for await (const event of mesh.inbox({ after: 3 })) {
    event.seq satisfies number;
    if (event.kind === 'match.created') event.data.match_id satisfies string;
    // @ts-expect-error: a match has no such field.
    if (event.kind === 'match.created') event.data.escrow_id;
    // @ts-expect-error: there is no such kind; one of a newer server is read as OtherEvent.
    if (event.kind === 'match.exploded') return;
    const other: OtherEvent = event;
    if (other.kind === 'match.exploded') other.data['anything'] satisfies unknown;
  }
  await mesh.inbox().run({
    'conversation.started': (event: InboxEvent) => event.id,
    'deal.agreed': ({ data }) => data.escrow_id satisfies string | null,
    // @ts-expect-error: an agreement has no such field.
    'test.ping': ({ data }) => data.deal_id,
    other: ({ data }) => data['anything'],
  });
  for await (const { data } of mesh.notification.stream()) data.title satisfies string;
  const input: Input<'inbox.pull'> = { after: 1, peek: true };
  const page: Output<'inbox.pull'> = await mesh.inbox.pull(input);
  const same: Output<'agent.read'> = await mesh.call('agent.read', { handle: 'ada' });
  await mesh.with({ agent: 'ada_sales' }).agent.trackRecord({ handle: 'bo' });
  const read_all: Promise<unknown> = mesh.notification.readAll();
  const verified = await verifyWebhook('whsec_AA==', new Headers(), new Uint8Array());
  if (verified.type === 'test.ping') verified.data.message satisfies string;
  verified.data.delivered_at satisfies string;
  try {
    // @ts-expect-error: a message has content.
    await mesh.message.send({ conversation_id: id });
    // @ts-expect-error: there is no such field.
    await mesh.inbox.pull({ since: 1 });
    // @ts-expect-error: a stream is no promise.
    mesh.inbox.stream().then();
    // @ts-expect-error: there is no such operation.
    mesh.listing.explode();
    // @ts-expect-error: ids are texts.
    await mesh.listing.read({ handle: 'ada', cardId: 5 });
  } catch (error) {
    if (error instanceof MeshworkError && error.code === 'rate_limited') error.retry_after satisfies number | null;
  }
  void [text, items, cursor, page, same, read_all];
}
`;

/** The main job of somebody who talks; says what came of it as JSON. */
const TALKS = `
import { createRequire } from 'node:module';
import { MeshworkClient, MeshworkError } from 'meshwork-client';
const { URL: url, KEY: api_key, CONVERSATION: conversation_id } = process.env;
const mesh = new MeshworkClient({ url, api_key });
const contents = ['one', 'two & 3/4', '\\u{1F4AC} three'];
for (const content of contents) await mesh.message.send({ conversation_id, content });
const page = await mesh.message.list({ conversation_id, limit: 2 });
const all = [];
for await (const message of mesh.message.list({ conversation_id, limit: 2 })) all.push(message.content);
const refused = await mesh.message.send({ conversation_id, content: '' }).catch((error) => error);
const lost = await mesh.conversation.read({ conversation_id: 'a/../b' }).catch((error) => error);
const by_require = createRequire(import.meta.url)('meshwork-client');
console.log(JSON.stringify({
  page: page.items.length,
  more: typeof page.next_cursor,
  all: contents.every((content) => all.includes(content)),
  refused: [refused instanceof MeshworkError, refused.code, refused.status, refused.fields.map(({ path }) => path), refused.operation],
  request_id: refused.request_id,
  lost: [lost.code, lost.status],
  by_require: Object.keys(by_require).sort(),
}));
`;

/** A test of somebody who has the package: two agents meet, and the time goes on. */
const TESTED = `
import { startMeshwork } from 'meshwork-client/testing';
const began = performance.now();
const mesh = await startMeshwork({ command: JSON.parse(process.env.COMMAND), agents: ['ada', 'bob', 'cyd'] });
const took_ms = performance.now() - began;
const [ada, bo] = [mesh.agent('ada').client, mesh.agent('bob').client];
const before = (await ada.wallet.balance()).balance_cents;
await ada.listing.create({ card_type: 'buying', direction: 'seek', headline: 'SEO audit of my shop wanted', labels: ['seo'], budget_cents: 80_000 });
await bo.listing.create({ card_type: 'selling', direction: 'offer', headline: 'SEO audits for small shops', labels: ['seo'], price_cents: 50_000 });
const { items: [match] } = await ada.match.list();
const sent = await mesh.agent('ada').person.wallet.send({ to_handle: 'bob', amount_cents: 1_000 });
const day = async () => (await mesh.agent('cyd').client.inbox.test()).created_at;
const first = Date.parse(await day());
await mesh.advance('3 days');
const again = await mesh.agent('ada').person.wallet.send({ to_handle: 'bob', amount_cents: 500 });
const days = (Date.parse(await day()) - first) / 86_400_000;
const wrong = await mesh.advance('soon').catch((error) => error.message);
await mesh.stop();
const after = await fetch(mesh.url).then(() => 'answers', () => 'gone');
console.log(JSON.stringify({ before, match: typeof match.match_id, sent: [sent.amount_cents, again.amount_cents], days: Math.round(days), wrong, after }));
`;

/** Prints the seq of each event of an inbox, until the one that the environment names. */
const FOLLOWS = `
import { MeshworkClient } from 'meshwork-client';
const { URL: url, KEY: api_key, LAST } = process.env;
const ending = new AbortController();
for await (const { seq } of new MeshworkClient({ url, api_key }).inbox({ signal: ending.signal })) {
  console.log(seq);
  if (seq === Number(LAST)) ending.abort();
}
console.log('ended');
`;

test('a program that is named by a path is that of the caller, wherever the service lies', async () => {
  const { startMeshwork } = await import('../../src/client/testing.ts');
  const command = [relative(process.cwd(), process.execPath), join(import.meta.dir, '../../src/cli/meshwork.ts')];
  await using mesh = await startMeshwork({ command, agents: [] });
  expect((await fetch(`${mesh.url}/readyz`)).status).toBe(200);
}, 60_000);

const RUNTIMES: readonly (readonly [string, readonly string[]])[] = [
  ['Node', ['node']],
  ['Bun', [process.execPath, '--no-env-file']],
];

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-client-server-'));
let folder = '';
let server: ServerChild;
let pair: Awaited<ReturnType<typeof matchedPair>>;
beforeAll(async () => {
  folder = await installedClient();
  await Bun.write(join(folder, 'talks.mjs'), TALKS);
  await Bun.write(join(folder, 'follows.mjs'), FOLLOWS);
  server = await startServer(data_dir, { INTERNAL_TOKEN: TOKEN, TEST_CLOCK: '1' });
  pair = await matchedPair(restClient(server.url), TOKEN);
}, 600_000);
afterAll(() => {
  endServers();
  rmSync(data_dir, { recursive: true, force: true });
});

describe('the package', () => {
  test('depends on nothing, and brings its types, its licence and what it is', async () => {
    const at = join(folder, 'node_modules/meshwork-client');
    const own = await Bun.file(join(at, 'package.json')).json();
    const { version } = await Bun.file(join(import.meta.dir, '../../package.json')).json();
    expect(own).toMatchObject({ name: 'meshwork-client', version, license: 'Apache-2.0' });
    expect(Object.keys(own).filter((name) => /ependencies$/.test(name))).toEqual([]);
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'meshwork-client',
    ]);
    expect(readdirSync(at).toSorted()).toEqual(['LICENSE', 'README.md', 'cjs', 'esm', 'package.json']);
    const portable = readdirSync(join(at, 'esm')).filter((each) => each.endsWith('.js') && each !== 'testing.js');
    for (const name of portable) {
      expect([name, await Bun.file(join(at, 'esm', name)).text()]).toEqual([name, expect.not.stringMatching(/node:/)]);
    }
  });

  test.each([
    ['nodenext', 'module'],
    ['nodenext', 'commonjs'],
    ['preserve', 'module'],
  ])('types what each operation takes and answers, for %s in a %s', async (module, type) => {
    const project = join(folder, `typed-${module}-${type}`);
    await Bun.write(join(project, 'package.json'), JSON.stringify({ type }));
    await Bun.write(join(project, 'typed.ts'), TYPED);
    const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--noEmit'];
    const libraries = ['--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--module', module];
    expect(await run([process.execPath, '--bun', COMPILER, ...strict, ...libraries, 'typed.ts'], project)).toBe('');
  });
});

describe.each(RUNTIMES)('meshwork-client/testing under %s', (_name, runtime) => {
  test('starts a service with agents that are verified and have money, moves its time, and leaves nothing', async () => {
    await Bun.write(join(folder, 'tested.mjs'), TESTED);
    const COMMAND = JSON.stringify([process.execPath, join(import.meta.dir, '../../src/cli/meshwork.ts')]);
    expect(JSON.parse(await run([...runtime, 'tested.mjs'], folder, { COMMAND }))).toEqual({
      before: 100_000,
      match: 'string',
      sent: [1_000, 500],
      days: 3,
      wrong: 'advance takes milliseconds, or a text such as "3 days", not "soon"',
      after: 'gone',
    });
  }, 120_000);
});

/** The lines of a program as they come; each waits until it is there. */
function linesOf(child: Bun.Subprocess<'ignore', 'pipe', 'inherit'>): { heard(line: string): Promise<string> } {
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let said = '';
  const heard = async (line: string): Promise<string> => {
    while (!`\n${said}`.includes(`\n${line}\n`)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`it ended after ${said}`);
      said += decoder.decode(value, { stream: true });
    }
    return said;
  };
  return { heard };
}

/** A key of a new account with one agent. */
async function freshKey(): Promise<string> {
  const [client, email] = [restClient(server.url), `quick@example.org`];
  await client.ask('POST', '/api/auth/signup/start', {}, { email });
  const outbox = await client.ask('GET', `/internal/outbox?to=${email}`, {}, undefined, { 'X-Internal-Token': TOKEN });
  const code = /\b\d{6}\b/.exec(outbox[0].text)?.[0];
  const { api_key: key } = await client.ask('POST', '/api/auth/signup/verify', {}, { email, code });
  await client.ask('POST', '/api/agents', { key }, { handle: 'quick', display_name: 'Quick' });
  return key;
}

test('the lines under "From a program" in README.md, fewer than twenty, show an event of the inbox', async () => {
  const readme = await Bun.file(join(import.meta.dir, '../../README.md')).text();
  const lines = /## From a program[\s\S]*?```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(lines.split('\n').length).toBeWithin(5, 20);
  await Bun.write(join(folder, 'quick.mjs'), lines);
  const env = { PATH: process.env.PATH ?? '', U: server.url, KEY: await freshKey() };
  const child = Bun.spawn(['node', 'quick.mjs'], { cwd: folder, env, stdin: 'ignore', stdout: 'pipe' });
  expect(await linesOf(child).heard('1 test.ping')).toBe('1 test.ping\n');
  child.kill();
  await child.exited;
});

describe.each(RUNTIMES)('under %s', (_name, runtime) => {
  const env = (more: Record<string, string> = {}) => ({ URL: server.url, KEY: pair.buyer.key ?? '', ...more });

  test('sends, reads in pages, and tells a refusal as a typed error', async () => {
    const { conversation_id } = pair;
    const said = JSON.parse(await run([...runtime, 'talks.mjs'], folder, env({ CONVERSATION: conversation_id })));
    expect(said).toMatchObject({
      page: 2,
      more: 'string',
      all: true,
      refused: [true, 'invalid_request', 400, ['content'], 'message.send'],
      lost: ['not_found', 404],
      by_require: ['MeshworkClient', 'MeshworkError', 'verifyWebhook'],
    });
    expect(said.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('an inbox goes on over a kill -9 and a new start of the server, with each event once and in order', async () => {
    const ping = () => restClient(server.url).ask('POST', '/api/inbox/test', pair.buyer);
    const { events } = await restClient(server.url).ask('GET', '/api/inbox?limit=100&peek=true', pair.buyer);
    const last = events.length + 4;
    const child = Bun.spawn([...runtime, 'follows.mjs'], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', ...env({ LAST: String(last) }) },
      stdin: 'ignore',
      stdout: 'pipe',
    });
    await ping();
    const { heard } = linesOf(child);
    await heard(String(events.length + 1));
    const { port } = new URL(server.url);
    await server.end('SIGKILL');
    server = await startServer(data_dir, { INTERNAL_TOKEN: TOKEN, TEST_CLOCK: '1', PORT: port });
    for (let seq = events.length + 2; seq <= last; seq++) await ping();
    expect(await heard('ended')).toBe(`${Array.from({ length: last }, (_, at) => at + 1).join('\n')}\nended\n`);
    expect(await child.exited).toBe(0);
  });
});
