// The conformance suite of the protocol's own authors, as they publish it, against a real server on loopback: what each revision
// requires of a server, at its own wire. What it cannot pass stands below with the reason, and has to go from there when it passes.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newAgent } from '../../support/agents.ts';
import { CONFORMANCE } from '../../support/mcp-fixtures/overlay.ts';
import { listenFor, type McpServer } from '../../support/mcp-server.ts';
import { openTestService, type TestService } from '../../support/testbed.ts';

const SUITE = join(import.meta.dir, '../../../node_modules/@modelcontextprotocol/conformance');

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** Checks of a revision that fail or warn, as `scenario: check`, each with why that is right. */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2025-11-25': {
    'server-sse-multiple-streams: server-sse-multiple-streams-session':
      'There are no session ids, which 2025-11-25 leaves to the server; the suite warns and looks no further.',
  },
  '2026-07-28': {},
};

/** The scenarios that a revision requires of a server: the first list of the suite's own file. */
function requiredScenarios(revision: string): string[] {
  const text = readFileSync(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8');
  const [, server = ''] = /\nserver:\n((?: {2}- .+\n)+)/.exec(text) ?? [];
  return [...server.matchAll(/^ {2}- (.+)$/gm)].map(([, name = '']) => name);
}

let service: TestService;
let server: McpServer;
const folder = mkdtempSync(join(tmpdir(), 'meshwork-conformance-'));

beforeAll(async () => {
  service = await openTestService({}, 'memory', { mcp: CONFORMANCE });
  const { key } = await newAgent(service, { handle: 'ada' });
  server = listenFor(service, { authorization: `Bearer ${key}` });
});

afterAll(async () => {
  await server.stop();
  await service.close();
  rmSync(folder, { recursive: true });
});

/** The checks of all scenarios that ran, by scenario. */
function checksIn(results: string): Map<string, readonly Check[]> {
  const folders = readdirSync(results).map((name) => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
    return [scenario, JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8'))] as const;
  });
  return new Map(folders);
}

describe.each(Object.keys(EXPECTED))('MCP %s', (revision) => {
  test('passes all that the suite requires, but what is known and why', async () => {
    const results = join(folder, revision);
    const runner = join(SUITE, 'dist/index.js');
    const url = server.endpoint.href;
    const run = Bun.spawn(
      [process.execPath, runner, 'server', '--url', url, '--requirements', revision, '-o', results],
      { cwd: folder, stdout: 'pipe', stderr: 'pipe' },
    );
    await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text(), run.exited]);
    const ran = checksIn(results);
    const required = requiredScenarios(revision);
    expect(required.length).toBeGreaterThan(25);
    expect([...ran.keys()]).toEqual(expect.arrayContaining(required));
    const failed = required.flatMap((scenario) =>
      (ran.get(scenario) ?? [])
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map(({ id, errorMessage }) => ({ check: `${scenario}: ${id}`, errorMessage })),
    );
    const expected = EXPECTED[revision] ?? {};
    expect(failed.filter(({ check }) => !(check in expected))).toEqual([]);
    // What passes is not to be excused.
    expect(failed.map(({ check }) => check)).toEqual(expect.arrayContaining(Object.keys(expected)));
  });
});
