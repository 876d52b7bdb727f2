// The list of faults stays true: each still finds the one place that it changes, leaves a program that can be read, and
// names tests that are there. Whether the tests notice it, scripts/plant-faults tells.
import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { occurrences } from './fault.ts';
import { FAULTS } from './faults.ts';

const ROOT = join(import.meta.dir, '../..');
const ENOUGH = 100;

test('there are enough of them, each with a name of its own', () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(ENOUGH);
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});

describe('the fault', () => {
  const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) };

  test.each(FAULTS.map((fault) => [fault.name, fault] as const))('%s', (_name, { file, find, replace, tests }) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect([file, find, occurrences(text, find)]).toEqual([file, find, 1]);
    const transpiler = file.endsWith('.tsx') ? transpilers.tsx : transpilers.ts;
    const planted = text.replace(find, () => replace);
    expect(transpiler.transformSync(planted)).not.toBe(transpiler.transformSync(text));
    expect(tests.length).toBeGreaterThan(0);
    for (const path of tests) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
  });
});
