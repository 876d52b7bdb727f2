// What a client gets that is generated from the OpenAPI document: types under the names of the shapes, true to replies and
// bodies, which a strict compiler takes.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registry } from '../../src/operations/registry.ts';
import { openapiDocument } from '../../src/transports/openapi.ts';

const MODULES = join(import.meta.dir, '../../node_modules');
const GENERATOR = join(MODULES, 'openapi-typescript/bin/cli.js');
const COMPILER = join(MODULES, 'typescript/bin/tsc');
const STRICT = ['--strict', '--noUncheckedIndexedAccess', '--target', 'esnext', '--module', 'preserve'];

/** What somebody writes who has nothing but the generated types. Where an error is expected and none comes, that is one. */
const CLIENT = `
import type { components, operations, paths } from './api.js';
type Shape = components['schemas'];
type Answer<O extends keyof operations, S extends number> =
  operations[O]['responses'] extends { [status in S]: { content: { 'application/json': infer Body } } } ? Body : never;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T | void => {};

holds<Same<Answer<'listing.create', 201>, Shape['Listing']>>();
holds<Same<Answer<'match.feed', 200>, Shape['Match'][]>>();
holds<Same<Answer<'inbox.recent', 200>, Shape['InboxEvent'][]>>();
holds<Same<Answer<'message.send', 200>, Shape['Message']>>();
holds<Same<Answer<'agent.public', 200>, Shape['PublicProfile']>>();
holds<Same<paths['/api/v1/matches']['get']['responses'][200]['content']['application/json'], Shape['Match'][]>>();
holds<Same<Shape['Conversation']['last_message'], Shape['Message'] | null>>();
holds<Same<Shape['InboxPage']['events'], Shape['InboxEvent'][]>>();
holds<Same<Shape['Match']['my_listing'], Shape['MatchedListing']>>();
// @ts-expect-error: they are two shapes.
holds<Same<Shape['Agent'], Shape['PublicAgent']>>();

const given: Shape['ListingInput'] = { card_type: 'selling', headline: 'Bread', price_cents: 500, conditions: null };
const body: NonNullable<operations['listing.create']['requestBody']>['content']['application/json'] = given;
// @ts-expect-error: a status of the fixed list.
const status: Shape['ListingStatus'] = 'sold';
// @ts-expect-error: offers and seeks are required.
const intake: Shape['IntakeInput'] = { display_name: 'Ada' };
const refused = (error: Answer<'listing.create', 400>): string => \`\${error.error}: \${error.message}\`;
export { body, intake, refused, status };
`;

const folder = mkdtempSync(join(tmpdir(), 'meshwork-client-'));

async function run(...command: string[]): Promise<string> {
  const program = Bun.spawn([process.execPath, ...command], { cwd: folder, stdout: 'pipe', stderr: 'pipe' });
  const [out, err] = await Promise.all([program.stdout, program.stderr].map((pipe) => new Response(pipe).text()));
  return (await program.exited) === 0 ? '' : `${out}${err}`;
}

beforeAll(async () => {
  await Bun.write(join(folder, 'openapi.json'), JSON.stringify(openapiDocument(registry(), 'https://meshwork.test')));
  expect(await run(GENERATOR, 'openapi.json', '-o', 'api.d.ts')).toBe('');
  await Bun.write(join(folder, 'client.ts'), CLIENT);
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('compile, and name what a client takes and sends', async () => {
  expect(await run('--bun', COMPILER, '--noEmit', ...STRICT, 'client.ts')).toBe('');
}, 600_000);
