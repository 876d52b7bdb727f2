// The house keeps its own rules: layers, sizes, names, no dead code. Each rule is first shown to catch a small sample of
// what it forbids, so that none of them passes by looking at nothing.

import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TAXONOMY } from '../src/domain/listing/taxonomy.ts';
import { registry } from '../src/operations/registry.ts';
import { circleProblems } from './tidy/circles.ts';
import { spelledCallProblems } from './tidy/doors.ts';
import { constructed, expressionsIn, patternsIn, slowExpressions } from './tidy/expressions.ts';
import { environmentProblems, layerProblems, purityProblems } from './tidy/layers.ts';
import { deadFileProblems, operationProblems, partProblems, unusedExportProblems } from './tidy/reach.ts';
import {
  constructProblems,
  effectProblems,
  functionProblems,
  headerProblems,
  nameProblems,
  signatureProblems,
  sizeProblems,
  wordProblems,
} from './tidy/shape.ts';
import { isTypeScript, parse, readTree, type Syntax } from './tidy/source.ts';
import { stepProblems } from './tidy/steps.ts';

const ROOT = join(import.meta.dir, '..');

/** All that the top level may hold; what .gitignore names does not count. */
const TOP_LEVEL = [
  ...['package.json', 'bunfig.toml', 'src', 'actors', 'db', 'test', 'scripts', 'README.md'],
  ...['tsconfig.json', 'bun.lock', 'biome.json', '.ci', '.gitignore', '.git', 'LICENSE'],
];

/** Files of a sample house, from path to text. */
const sample = (texts: Record<string, string>): Syntax[] =>
  Object.entries(texts).map(([path, text]) => parse({ path, text }));

const one = (path: string, text: string): Syntax[] => sample({ [path]: text });

function topLevelProblems(names: readonly string[], ignored: readonly string[]): string[] {
  const globs = ignored.map((line) => new Bun.Glob(line.replace(/\/$/, '')));
  return names.filter((name) => !TOP_LEVEL.includes(name) && !globs.some((glob) => glob.match(name)));
}

describe('this house', () => {
  const all = readTree(ROOT, ['src', 'actors', 'db', 'test', 'scripts', '.ci']);
  const code = all.filter(isTypeScript).map(parse);

  test('was read', () => {
    expect(code.map(({ path }) => path)).toContain('src/config.ts');
    expect(code.length).toBeGreaterThan(20);
  });

  test('imports go one way', () => expect(layerProblems(code)).toEqual([]));
  test('nothing behind the doors speaks for one of them', () => expect(spelledCallProblems(code)).toEqual([]));
  test('no files import each other in a circle', () => expect(circleProblems(code)).toEqual([]));
  test('the domain is pure', () => expect(purityProblems(code)).toEqual([]));
  test('one file reads the environment', () => expect(environmentProblems(code)).toEqual([]));
  test('files are short', () => expect(sizeProblems(all)).toEqual([]));
  test('functions fit on a screen', () => expect(functionProblems(code)).toEqual([]));
  test('names say what is inside', () => expect(nameProblems(all)).toEqual([]));
  test('files open with what they are', () => expect(headerProblems(all)).toEqual([]));
  test('nothing is left unfinished or silenced', () => expect(wordProblems(all)).toEqual([]));
  test('no any, no !, no barrels', () => expect(constructProblems(code)).toEqual([]));
  test('reminders and letters are made by their constructors', () => expect(effectProblems(code)).toEqual([]));
  test('exported functions name their return type', () => expect(signatureProblems(code)).toEqual([]));
  test('every file is reached', () => expect(deadFileProblems(code, all)).toEqual([]));
  test('a file of an operation holds nothing else for others', () => expect(operationProblems(code)).toEqual([]));
  test('a part of an operation is of an operation, and for operations', () => expect(partProblems(code)).toEqual([]));
  test('a step loads or decides', () => expect(stepProblems(code)).toEqual([]));
  test('every exported name is used', () => expect(unusedExportProblems(code)).toEqual([]));

  test('no regular expression takes longer than linear, in the source or in a schema', async () => {
    const { found, made, problems } = expressionsIn(code);
    for (const path of made) {
      const here = await constructed(path, () => import(`${join(ROOT, path)}?anew`));
      if (here.length === 0) problems.push(`${path}: makes no RegExp when it is loaded`);
      found.push(...here);
    }
    for (const { name, input } of registry()) found.push(...patternsIn(name, input));
    for (const { subcategory, fields } of TAXONOMY) found.push(...patternsIn(subcategory, fields));
    expect(found.length).toBeGreaterThan(300);
    expect([...problems, ...slowExpressions(found, process.env['UPDATE_LEDGER'] === '1')]).toEqual([]);
  }, 600_000);

  test('the top level is fixed', () => {
    const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n').filter(Boolean);
    expect(topLevelProblems(readdirSync(ROOT), ignored)).toEqual([]);
  });
});

describe('the rule of regular expressions', () => {
  test.each([
    ['/\\s+$/', '2nd degree'],
    ['/^(a+)+$/', 'exponential'],
    // Its degree is found by trying, in the time that the machine gives.
    ['/(?<!\\S)(?:[a-z.] ){2,}[a-z](?!\\S)/u', 'polynomial'],
  ])('finds that %s is slow', (literal, how) => {
    const { found } = expressionsIn(one('src/domain/a.ts', `export const SLOW = ${literal};`));
    expect(slowExpressions(found)).toEqual([expect.stringMatching(new RegExp(`^src/domain/a.ts SLOW:1: .*${how}`))]);
  });

  test.each([
    ['src/domain/disclosure/credential.ts', 'SHAPES = [/^(a+)+$/]', 'exponential'],
    ['src/outbound/page/read.ts', 'META = /\\s+$/', '2nd degree'],
  ])('finds a slow one in %s too, where others stand because their text is bounded', (path, made, how) => {
    const { found } = expressionsIn(one(path, `const ${made};`));
    expect(slowExpressions(found)).toEqual([expect.stringContaining(how)]);
  });

  test('lets pass what is linear, and refuses what is made where it is used', () => {
    const { found } = expressionsIn(one('src/domain/a.ts', 'export const QUICK = /^[a-z]{1,20}$/;'));
    expect(slowExpressions(found)).toEqual([]);
    const made = 'export const find = (q: string): boolean => new RegExp(q).test(q);';
    expect(expressionsIn(one('src/domain/a.ts', made)).problems).toEqual([
      'src/domain/a.ts:1: a RegExp is made in a function',
    ]);
  });
});

describe('the layer rule', () => {
  test.each([
    ['src/domain/money.ts', "import { x } from '../outbound/mail.ts';", 'domain may not import outbound'],
    ['src/domain/money.ts', "import type { Row } from '../../db/schema.ts';", 'domain may not import db'],
    ['src/domain/money.ts', "import { z } from 'zod';", 'domain is pure and imports no package'],
    ['src/domain/money.ts', "import { join } from 'node:path';", 'domain is pure and imports no package'],
    ['src/domain/money.ts', "const lazy = () => import('../main.ts');", 'domain may not import compose'],
    ['db/store.ts', "import { a } from '../actors/agent.ts';", 'db may not import actors'],
    ['db/store.ts', "import { m } from '../src/outbound/mail.ts';", 'db may not import outbound'],
    ['src/outbound/mail.ts', "import { q } from '../../db/store.ts';", 'outbound may not import db'],
    ['actors/agent.ts', "import { o } from '../src/operations/registry.ts';", 'actors may not import operations'],
    ['src/operations/a/b.ts', "import { r } from '../../transports/rest.ts';", 'operations may not import transports'],
    ['src/operations/a/b.ts', "import { p } from '../../pipeline/admission.ts';", 'operations may not import pipeline'],
    [
      'src/operations/a/b.ts',
      "import type { World } from '../../compose/world.ts';",
      'operations may not import compose',
    ],
    ['src/contract/context.ts', "import type { World } from '../compose/world.ts';", 'contract may not import compose'],
    ['src/steps/post.ts', "import type { World } from '../compose/world.ts';", 'steps may not import compose'],
    ['src/schemas/agent.ts', "import type { World } from '../compose/world.ts';", 'schemas may not import compose'],
    [
      'src/matching/listing-cache.ts',
      "import type { World } from '../compose/world.ts';",
      'matching may not import compose',
    ],
    ['src/delivery/attempt.ts', "import type { World } from '../compose/world.ts';", 'delivery may not import compose'],
    ['src/pipeline/runner.ts', "import type { World } from '../compose/world.ts';", 'pipeline may not import compose'],
    ['src/schemas/a.ts', "import { s } from '../steps/a.ts';", 'schemas may not import steps'],
    ['src/steps/a.ts', "import { o } from '../operations/a/b.ts';", 'steps may not import operations'],
    ['src/delivery/a.ts', "import { m } from '../matching/a.ts';", 'delivery may not import matching'],
    ['src/pipeline/a.ts', "import { o } from '../operations/a/b.ts';", 'pipeline may not import operations'],
    [
      'src/transports/rest.ts',
      "import type { World } from '../compose/world.ts';",
      'transports may not import compose',
    ],
    ['src/transports/rest.ts', "import { readConfig } from '../config.ts';", 'transports may not import config'],
    ['src/operations/a/b.ts', "import { createLog } from '../../log.ts';", 'operations may not import log'],
    ['src/client/a.ts', "import { FAULTS } from '../domain/fault.ts';", 'client may not import domain'],
    ['src/client/a.ts', "import { join } from 'node:path';", 'client runs everywhere and imports no package'],
    ['src/main.ts', "import { serve } from './cli/serve.ts';", 'compose may not import cli'],
    ['src/main.ts', "import { world } from '../test/world.ts';", 'the service imports test/world.ts'],
    ['src/operations/a/b.ts', "import { Database } from 'bun:sqlite';", 'bun:sqlite belongs to db'],
    ['src/operations/a/b.ts', "import { t } from 'elysia';", 'elysia belongs to transports'],
  ])('%s with %s is caught', (path, text, problem) => {
    expect(layerProblems(one(path, text))).toEqual([expect.stringContaining(problem)]);
  });

  test('lets through what it should', () => {
    const texts = {
      'src/domain/a.ts': "import { b } from './b.ts';",
      'src/operations/a/b.ts': "import type { Log } from '../../log.ts';\nimport { s } from '../../../db/store.ts';",
      'src/transports/rest.ts': "import { Elysia } from 'elysia';\nimport { r } from '../operations/registry.ts';",
      'src/cli/serve.ts': "import { start } from '../main.ts';",
      'src/domain/c.ts': "import { Type } from 'typebox';",
      'actors/a.ts': "import { errorFields, type Log } from '../src/log.ts';",
      'src/outbound/a.ts': "import type { Config } from '../config.ts';",
    };
    expect(layerProblems(sample(texts))).toEqual([]);
  });
});

describe('the rule of circles', () => {
  test('a circle is caught once, types included, by its shortest way', () => {
    const texts = {
      'src/a.ts': "import { c } from './c.ts';\nimport { b } from './b.ts';",
      'src/b.ts': "import type { A } from './a.ts';",
      'src/c.ts': "import { b } from './b.ts';",
      'src/d.ts': "import { a } from './a.ts';",
    };
    expect(circleProblems(sample(texts))).toEqual(['src/a.ts → src/b.ts → src/a.ts: a circle of imports']);
  });

  test('lets pass two ways to one file', () => {
    const texts = { 'src/a.ts': "import './b.ts';\nimport './c.ts';", 'src/b.ts': "import './c.ts';", 'src/c.ts': '' };
    expect(circleProblems(sample(texts))).toEqual([]);
  });
});

describe('the purity rule', () => {
  test.each(['Date.now()', 'new Date()', 'Math.random()', 'fetch(url)', 'crypto.randomUUID()', 'process.exit()'])(
    '%s is caught in the domain',
    (text) => expect(purityProblems(one('src/domain/a.ts', `export const a = () => ${text};`))).toHaveLength(1),
  );

  test('a date of given milliseconds and a field of the same name are fine', () => {
    const text = 'const a = (now_ms: number) => new Date(now_ms);\nconst b = { process: 1 }.process;';
    expect(purityProblems(one('src/domain/a.ts', text))).toEqual([]);
  });

  test('the environment is read in one file', () => {
    expect(environmentProblems(one('src/outbound/a.ts', 'const a = process.env.HOME;'))).toHaveLength(1);
    expect(environmentProblems(one('db/a.ts', 'const a = Bun.env.HOME;'))).toHaveLength(1);
    expect(environmentProblems(one('src/config.ts', 'const a = process.env;'))).toEqual([]);
  });
});

describe('the shape rules', () => {
  const long = (lines: number): string => 'a();\n'.repeat(lines);

  test('a long file is caught, a test may be longer', () => {
    expect(sizeProblems(one('src/a.ts', long(501)))).toContain('src/a.ts: 501 lines, at most 500');
    expect(sizeProblems(one('test/a.test.ts', long(600)))).toEqual([]);
    expect(sizeProblems(one('test/a.test.ts', long(601)))).toHaveLength(1);
  });

  test('a long function is caught, of any kind', () => {
    for (const head of ['function f() {', 'const f = () => {', 'class C { m() {']) {
      const tail = head.startsWith('class') ? '} }' : '}';
      expect(functionProblems(one('src/a.ts', `${head}\n${long(59)}${tail}`))).toHaveLength(1);
      expect(functionProblems(one('src/a.ts', `${head}\n${long(58)}${tail}`))).toEqual([]);
    }
  });

  test.each(['src/utils.ts', 'src/stream-manager.ts', 'src/common/a.ts', 'db/index.ts', 'test/helpers.ts'])(
    'the name %s is caught',
    (path) => expect(nameProblems(one(path, ''))).toHaveLength(1),
  );

  test('a missing or endless opening comment is caught', () => {
    expect(headerProblems(one('src/a.ts', 'const a = 1;'))).toHaveLength(1);
    expect(headerProblems(one('src/a.ts', `${'// Word.\n'.repeat(7)}`))).toHaveLength(1);
    expect(headerProblems(one('src/a.ts', '// What it is.\nconst a = 1;'))).toEqual([]);
    expect(headerProblems([{ path: 'scripts/a', text: '#!/bin/sh\nset -e\n' }])).toHaveLength(1);
    expect(headerProblems([{ path: 'scripts/a', text: '#!/bin/sh\n# What it is.\nset -e\n' }])).toEqual([]);
  });

  test('marks of unfinished work are caught, longer words with the same letters are not', () => {
    expect(wordProblems(one('src/a.ts', `// ${'TO'}DO: later`))).toHaveLength(1);
    expect(wordProblems(one('src/a.ts', '// A code looks like XXXX-XXXX.'))).toEqual([]);
  });

  test.each([
    'const a: any = 1;',
    'const a = b as any;',
    'const a = b!;',
    'class A { b!: string; }',
    "export * from './b.ts';",
    "export { b } from './b.ts';",
    'export default 1;',
    'export default function a() {}',
  ])('%s is caught', (text) => expect(constructProblems(one('src/a.ts', text))).toHaveLength(1));

  test('the same words as text, and an explained any, are fine', () => {
    const explained = '// biome-ignore lint/suspicious/noExplicitAny: of every kind.\ntype A = B<any>;';
    expect(constructProblems(one('src/a.ts', explained))).toEqual([]);
    expect(constructProblems(one('src/a.ts', "const a = 'any! as any';\n// any\nconst b = a != c;"))).toEqual([]);
  });

  test('a reminder or a letter made by hand is caught, outside of what makes them', () => {
    for (const kind of ['remind', 'unremind', 'send']) {
      const text = `const a = { do: '${kind}', id: 'a' };`;
      expect(effectProblems(one('src/operations/a/b.ts', text))).toHaveLength(1);
      expect(effectProblems(one('src/steps/reminder.ts', text))).toEqual([]);
      expect(effectProblems(one('test/db/a.test.ts', text))).toEqual([]);
    }
    expect(effectProblems(one('src/operations/a/b.ts', "if (effect.do === 'send') a();"))).toEqual([]);
  });

  test('a call of some door is caught where any may have called, but not where it is declared', () => {
    for (const call of [
      "'see GET /api/x'",
      "'ask mesh_find_matches'",
      '`/api/agents/` + name',
      "'POST /internal/clock'",
    ]) {
      expect(spelledCallProblems(one('src/steps/a.ts', `const a = (name: string) => ${call};`))).toHaveLength(1);
      expect(spelledCallProblems(one('src/domain/a.ts', `const a = { how: ${call} };`))).toHaveLength(1);
      expect(spelledCallProblems(one('src/operations/a/b.ts', `const a = { path: ${call} };`))).toEqual([]);
      expect(spelledCallProblems(one('src/operations/a/b.ts', `const a = { description: 'As ' + ${call} };`))).toEqual(
        [],
      );
      expect(spelledCallProblems(one('src/transports/a.ts', `const a = ${call};`))).toEqual([]);
    }
    expect(spelledCallProblems(one('src/steps/a.ts', "// As GET /api/x.\nconst a = 'get it';"))).toEqual([]);
  });

  test('an exported function without a return type is caught', () => {
    expect(signatureProblems(one('src/a.ts', 'export function a() {}'))).toHaveLength(1);
    expect(signatureProblems(one('src/a.ts', 'export const a = () => 1;'))).toHaveLength(1);
    expect(signatureProblems(one('src/a.ts', 'export function a(): void {}'))).toEqual([]);
  });
});

describe('the law of steps', () => {
  const base = {
    'db/effects.ts': 'export interface Effect {}\nexport function insert(): Effect { return {}; }',
    'src/steps/tell.ts':
      "import type { Effect } from '../../db/effects.ts';\nexport function tell(): Effect[] { return []; }",
    'src/steps/telling.ts':
      "import { tell } from './tell.ts';\nexport function telling(): ReturnType<typeof tell> { return tell(); }",
    'src/steps/told.ts':
      "import type { Effect } from '../../db/effects.ts';\nexport interface Told { effects: Effect[] }",
  };
  const told = (text: string): string[] => stepProblems(sample({ ...base, 'src/steps/a.ts': text }));

  test.each([
    [
      "import { insert } from '../../db/effects.ts';\nexport async function a() { await b(); return insert(); }",
      'insert',
    ],
    ["import { tell } from './tell.ts';\nexport function a(read: Read) { return tell(); }", 'tell'],
    ["import { telling } from './telling.ts';\nexport async function a(read: Read) { return telling(); }", 'telling'],
    ["import type { Told } from './told.ts';\nexport async function a(read: Read): Told { return b(); }", 'Told'],
    ['export const a = async () => ({ do: "answer" });', 'answer'],
    ['export async function a(ctx: FlowCtx) { await ctx.turn({}); }', 'turn'],
    [
      "import { tell } from './tell.ts';\nimport { q } from '../../db/queries/a.ts';\nexport const a = [q, tell];",
      'tell',
    ],
  ])('catches what loads and decides: %s', (text, made) => {
    expect(told(text)).toEqual([expect.stringContaining(made)]);
  });

  test.each([
    "import { insert } from '../../db/effects.ts';\nimport type { Party } from '../../db/queries/a.ts';\nexport const a = insert();",
    "import { q } from '../../db/queries/a.ts';\nexport async function a(read: Read) { return await read(q, {}); }",
  ])('lets pass what does one of them: %s', (text) => expect(told(text)).toEqual([]));
});

describe('the dead code rules', () => {
  test('a file that nothing reaches is caught, through whatever chain', () => {
    const texts = {
      'src/main.ts': "import { a } from './a.ts';\nnew Worker(new URL('./worker.ts', import.meta.url));",
      'src/a.ts': "import type { B } from './b.ts';",
      'src/b.ts': '',
      'src/worker.ts': '',
      'src/island.ts': "import { c } from './circle.ts';",
      'src/circle.ts': "import { i } from './island.ts';",
    };
    const told = deadFileProblems(sample(texts));
    expect(told).toEqual(['src/island.ts: nothing reaches this file', 'src/circle.ts: nothing reaches this file']);
  });

  test('an exported name that nobody imports is caught', () => {
    const texts = {
      'src/a.ts':
        'export const used = 1;\nexport type Unused = 1;\nexport function alsoUnused(a: Own): void {}\nexport interface Own {}',
      'src/b.ts': "import { used } from './a.ts';",
    };
    const told = unusedExportProblems(sample(texts));
    expect(told).toEqual(['src/a.ts:2: nobody imports Unused', 'src/a.ts:3: nobody imports alsoUnused']);
  });

  test('an exported name that only a test imports is caught, unless its own file uses it', () => {
    const texts = {
      'src/a.ts': 'export const tried = 1;\nexport const rule = 1;\nexport const use = rule;',
      'src/b.ts': "import { use } from './a.ts';",
      'test/a.test.ts': "import { rule, tried } from '../src/a.ts';\nimport { own } from './support/own.ts';",
      'test/support/own.ts': 'export const own = 1;',
    };
    expect(unusedExportProblems(sample(texts))).toEqual(['src/a.ts:1: nobody imports tried']);
  });

  test('what an operation exports beside itself is caught', () => {
    const text = 'export const knot = 1;\nexport const ropeTie = command({});';
    expect(operationProblems(one('src/operations/rope/tie.ts', text))).toEqual([
      'src/operations/rope/tie.ts:1: exports knot beside its operations',
    ]);
    expect(operationProblems(one('src/steps/rope.ts', text))).toEqual([]);
  });

  test('a part of an operation that others import, or of no operation, is caught', () => {
    const texts = {
      'src/operations/rope/tie.ts': "import { a } from './tie/knot.ts';",
      'src/operations/rope/tie/knot.ts': 'export const a = 1;',
      'src/operations/rope/cut/end.ts': 'export const b = 1;',
      'src/compose/a.ts': "import { a } from '../operations/rope/tie/knot.ts';",
    };
    expect(partProblems(sample(texts))).toEqual([
      'src/operations/rope/cut/end.ts: its folder is named as no operation',
      "src/compose/a.ts:1: imports a part of an operation's body",
    ]);
  });

  test('a namespace import uses the members that it names', () => {
    const a = 'export const x = 1;\nexport const y = 1;';
    const by = (b: string): string[] => unusedExportProblems(sample({ 'src/a.ts': a, 'src/b.ts': b }));
    expect(by("import * as a from './a.ts';\na.x();")).toEqual(['src/a.ts:2: nobody imports y']);
    expect(by("import * as a from './a.ts';\nuse(a);")).toEqual([]);
    expect(by("const { x } = await import('./a.ts');")).toEqual([]);
  });
});

test('the top level rule catches a new folder, not an ignored one', () => {
  expect(topLevelProblems(['src', 'lib', 'dist', 'x.log'], ['dist/', '*.log'])).toEqual(['lib']);
});
