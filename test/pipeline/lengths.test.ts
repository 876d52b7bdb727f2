// Lists are counted before their items are looked at: every list and record that a call may hold has a bound, and of one that
// is longer nothing but its length is read.
import { expect, test } from 'bun:test';
import { type TSchema, Type } from 'typebox';
import { registry } from '../../src/operations/registry.ts';
import { InputCheck, lengthCheck, PROBLEMS_MAX } from '../../src/pipeline/validate.ts';

/** Where a schema has a list without a bound. */
function unbounded(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, maxItems } = schema as { type?: string; maxItems?: number };
  const here = type === 'array' && maxItems === undefined ? [path] : [];
  return [...here, ...Object.entries(schema).flatMap(([name, inner]) => unbounded(inner, `${path}.${name}`))];
}

test('every list that an operation takes has a bound', () => {
  expect(registry().flatMap(({ name, input }) => unbounded(input, name))).toEqual([]);
});

/** A list that notes each place that was looked at. */
function watched(length: number): { readonly list: unknown[]; readonly seen: Set<string> } {
  const seen = new Set<string>();
  const list = new Proxy(Array(length).fill({}), {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) seen.add(name);
      return Reflect.get(target, name, receiver);
    },
  });
  return { list, seen };
}

const Labels = Type.Array(Type.String(), { maxItems: 20 });
const SHAPES: readonly (readonly [string, TSchema])[] = [
  ['a list', Labels],
  ['one of several forms', Type.Union([Type.String(), Labels, Type.Null()])],
  ['a list within an object', Type.Object({ inner: Labels })],
  ['a list within a list', Type.Array(Type.Object({ inner: Labels }), { maxItems: 5 })],
  ['a list within a record', Type.Record(Type.String(), Labels)],
];

/** A value of a shape that holds the list where the shape has one. */
function holding(name: string, list: unknown[]): unknown {
  if (name === 'a list within a list') return [{ inner: ['a'] }, { inner: list }];
  return name.includes('within') ? { inner: list } : list;
}

test.each(SHAPES)('a list that is too long is refused by its length alone: %s', (name, shape) => {
  const { list, seen } = watched(100_000);
  const schema = Type.Object({ given: shape });
  const refusal = new InputCheck(schema).check({ given: holding(name, list) }) as { data?: { fields?: unknown[] } };
  expect(refusal.data?.fields).toHaveLength(1);
  expect(JSON.stringify(refusal.data?.fields)).toContain('must not have more than 20 items');
  expect(seen.size).toBe(0);
  expect(lengthCheck(schema)?.({ given: holding(name, Array(20).fill('a')) })).toBeNull();
});

test('a record of too many names is refused before its values are looked at', () => {
  const schema = Type.Object({ given: Type.Record(Type.String(), Type.Number(), { maxProperties: 3 }) });
  const given = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`n${at}`, 'no number']));
  expect(lengthCheck(schema)?.({ given })?.message).toBe('must not have more than 3 properties');
});

test('of many problems no more than eight are told', () => {
  const check = new InputCheck(Type.Object({ given: Type.Array(Type.Number(), { maxItems: 50 }) }));
  const refusal = check.check({ given: Array(50).fill('x') }) as { data?: { fields?: unknown[] } };
  expect(refusal.data?.fields?.length).toBeLessThanOrEqual(PROBLEMS_MAX);
  expect(PROBLEMS_MAX).toBe(8);
});
