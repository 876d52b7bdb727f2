// The OpenAPI document: clean under the linter's recommended rules, complete, and true to the routes that it describes. It
// has a golden file with a digest of each operation and schema, so that a commit names what generated clients see of its change;
// `UPDATE_GOLDEN=1 bun test test/transports/openapi.test.ts` writes it anew.
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Code, FAULTS } from '../../src/domain/fault.ts';
import { STATUSES } from '../../src/domain/notes.ts';
import { registry } from '../../src/operations/registry.ts';
import { PROTOCOL_TAGS } from '../../src/transports/openapi/protocol-paths.ts';
import { openapiDocument } from '../../src/transports/openapi.ts';
import { withGolden } from '../support/digests.ts';

const ROOT = join(import.meta.dir, '../..');
const LINTER = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');

/** One rule cannot hold, because the interface has such addresses: `/api/agents/check/{handle}` beside
 * `/api/agents/{handle}/cards`. Nobody can be called `check`, so no request fits both. */
const LINT_CONFIG = 'extends:\n  - recommended\nrules:\n  no-ambiguous-paths: off\n';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { $ref?: string; name?: string; in?: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security: readonly unknown[];
  readonly description: string;
}

const SHOWN = expect.objectContaining({ example: expect.anything() });

const document = openapiDocument(registry(), 'https://meshwork.test');
const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
const { schemas } = document['components'] as { schemas: Readonly<Record<string, object>> };
const all = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

test('the document is the golden one', async () => {
  const { paths: _paths, components, ...rest } = document as { paths: object; components: Record<string, object> };
  const { schemas: _schemas, ...others } = components;
  const { now, golden } = await withGolden('openapi.txt', [
    ...all.map(({ method, path, operation }) => [`${method} ${path}`, operation] as const),
    ...Object.entries(schemas).map(([name, schema]) => [`schema ${name}`, schema] as const),
    ['all else', { ...rest, ...others }],
  ]);
  expect(now).toEqual(golden);
});

test('the linter finds neither errors nor warnings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-lint-'));
  await Bun.write(join(folder, 'openapi.json'), JSON.stringify(document));
  await Bun.write(join(folder, 'redocly.yaml'), LINT_CONFIG);
  const linter = Bun.spawn(['node', LINTER, 'lint', '--config', 'redocly.yaml', '--format', 'json', 'openapi.json'], {
    cwd: folder,
    // It would tell its makers of each run, and ask them for news.
    env: { PATH: process.env['PATH'], REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', HOME: folder },
    stderr: 'ignore',
  });
  const report = JSON.parse(await new Response(linter.stdout).text());
  rmSync(folder, { recursive: true, force: true });
  const problems = (report.problems as { ruleId: string; message: string; location: { pointer?: string }[] }[]).map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`,
  );
  expect(problems).toEqual([]);
  expect(report.totals).toMatchObject({ errors: 0, warnings: 0 });
}, 600_000);

describe('the document', () => {
  test('is OpenAPI 3.1.0 of version 1.0.0', () => {
    expect(document['openapi']).toBe('3.1.0');
    expect(document['info']).toMatchObject({ version: '1.0.0' });
  });

  test('shows every address that is no alias, and no other', () => {
    const routed = registry().flatMap(({ rest }) =>
      rest.filter(({ alias }) => !alias).map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    );
    const spoken = all.filter(({ operation }) => /^(?:a2a|mcp)\./.test(operation.operationId));
    expect(spoken.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /a2a/rpc',
      'POST /mcp',
      'GET /mcp',
      'GET /mcp/sse',
    ]);
    const own = all.filter((each) => !spoken.includes(each));
    const shown = own.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(shown.toSorted()).toEqual(routed.map((route) => route.replace(/(?<=.)\/$/, '')).toSorted());
  });

  test('gives every operation an id of its own', () => {
    const ids = all.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('names every parameter of a path', () => {
    for (const { path, operation } of all) {
      const named = operation.parameters.filter((each) => each.in === 'path').map((each) => each.name ?? '');
      expect(named.toSorted()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted());
    }
  });

  test('shows an example of every body, and of all that a path names', () => {
    for (const { method, path, operation } of all) {
      const contents = Object.values(operation.requestBody?.content ?? {});
      const named = operation.parameters.filter((each) => each.in === 'path');
      for (const shown of [...contents, ...named]) expect([method, path, shown]).toEqual([method, path, SHOWN]);
    }
  });

  test('shows a success and every declared fault', () => {
    for (const each of registry().filter(({ rest }) => rest.length > 0)) {
      const shown = all.find(({ operation }) => operation.operationId === each.name);
      expect(Object.keys(shown?.operation.responses ?? {})).toContain(String(STATUSES[each.status ?? 'ok']));
      for (const code of each.faults as readonly Code[])
        expect(shown?.operation.responses).toHaveProperty(String(FAULTS[code].status));
    }
  });

  test('lists the addresses for servers that the interface lists, beside those that they stand for', () => {
    for (const [path, of] of [
      ['/api/v1/matches', 'match.list'],
      ['/api/v1/conversations', 'conversation.list'],
    ] as const) {
      const { operation } = all.find((each) => each.path === path && each.method === 'GET') ?? {};
      expect(operation?.operationId).toStartWith(`${of}.`);
      expect(operation?.description).toMatch(/The same as `GET \/api\/\S+`/);
      expect(operation?.security).not.toBeEmpty();
    }
  });

  test('says of every noun what it is', () => {
    const said = new Set([...registry().map(({ noun }) => noun), ...Object.values(PROTOCOL_TAGS)]);
    for (const tag of document['tags'] as { name: string; description: string }[])
      expect(said).toContain(tag.description);
  });

  test('shows no internal operation and needs a credential where one is needed', () => {
    for (const { access, name, rest } of registry()) {
      // Tools without an address are none of this document's.
      if (access !== 'internal' && rest.length === 0) continue;
      const { operation } = all.find((each) => each.operation.operationId === name) ?? {};
      if (access === 'internal') expect(operation).toBeUndefined();
      if (access === 'key' || access === 'session' || access === 'platform' || access === 'admin')
        expect(operation?.security).not.toBeEmpty();
    }
  });
});

/** Every object inside a value, with where it stands. */
function* within(value: unknown, at: string): Generator<{ at: string; part: Readonly<Record<string, unknown>> }> {
  if (typeof value !== 'object' || value === null) return;
  yield { at, part: value as Readonly<Record<string, unknown>> };
  for (const [key, inside] of Object.entries(value)) yield* within(inside, `${at}/${key}`);
}

/** What a successful answer of an operation is. */
function answerOf(operationId: string): unknown {
  const { operation } = all.find((each) => each.operation.operationId === operationId) ?? {};
  const { 200: ok, 201: made } = (operation?.responses ?? {}) as Readonly<Record<number, { content?: object }>>;
  return Object.values((ok ?? made)?.content ?? {})[0]?.schema;
}

describe('the named shapes', () => {
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

  test('are what operations answer and take: alone, in lists, one of two, and where there may be none', () => {
    expect(answerOf('listing.create')).toEqual(ref('Listing'));
    expect(answerOf('match.feed')).toEqual({ type: 'array', items: ref('Match') });
    expect(answerOf('agent.public')).toEqual(ref('PublicProfile'));
    expect(answerOf('inbox.recent')).toEqual({ type: 'array', items: ref('InboxEvent') });
    expect(answerOf('agent.read')).toEqual({ anyOf: [ref('Agent'), ref('PublicAgent')] });
    expect(schemas['Conversation']).toHaveProperty('properties.last_message', {
      anyOf: [ref('Message'), { type: 'null' }],
    });
    expect(all.find(({ operation }) => operation.operationId === 'listing.update')?.operation).toHaveProperty(
      ['requestBody', 'content', 'application/json', 'schema'],
      ref('ListingInput'),
    );
  });

  test('each say what they are, but for lists of words that say it themselves', () => {
    const silent = Object.entries(schemas).filter(([, shape]) => !('description' in shape) && !('enum' in shape));
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  test('keep their own description, and a place may have one beside it', () => {
    expect(schemas['Match']).toHaveProperty('properties.my_listing', {
      allOf: [ref('MatchedListing')],
      description: 'your own',
    });
    expect(schemas['MatchStatus']).toHaveProperty('description');
    expect(schemas['Match']).toHaveProperty('properties.status', ref('MatchStatus'));
  });

  test('are each referred to, and each reference names one', () => {
    const referred = [...within(document, '')].flatMap(({ part }) =>
      typeof part['$ref'] === 'string' && part['$ref'].startsWith('#/components/schemas/') ? [part['$ref']] : [],
    );
    const named = Object.keys(schemas).map((name) => `#/components/schemas/${name}`);
    expect([...new Set(referred)].toSorted()).toEqual(named);
  });

  test('are all replies and bodies of three fields or more', () => {
    const nameless = all.flatMap(({ operation: { operationId, requestBody } }) =>
      [answerOf(operationId), requestBody?.content['application/json']?.schema]
        .map((schema) => (schema as { items?: object } | undefined)?.items ?? schema)
        .filter((schema) => Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}).length >= 3)
        .map((schema) => `${operationId}: ${JSON.stringify(schema)}`),
    );
    expect(nameless).toEqual([]);
  });

  test('leave no object of three fields or more to be said twice', () => {
    const said = new Map<string, string>();
    for (const { at, part } of within({ paths, schemas }, '')) {
      if (part['type'] !== 'object' || Object.keys(part['properties'] ?? {}).length < 3) continue;
      const text = JSON.stringify(part);
      expect(said.get(text) ?? at, text).toBe(at);
      said.set(text, at);
    }
  });
});
