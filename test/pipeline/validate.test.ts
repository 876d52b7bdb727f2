// What a refused input is told: the field, and in words what it may be.
import { expect, test } from 'bun:test';
import { type TSchema, Type } from 'typebox';
import { isFault } from '../../src/domain/fault.ts';
import { InputCheck } from '../../src/pipeline/validate.ts';

function fieldsOf(schema: TSchema, value: unknown): unknown {
  const checked = new InputCheck(Type.Object({ a: schema })).check({ a: value });
  return isFault(checked) ? checked.data['fields'] : null;
}

test.each<[string, TSchema, unknown, unknown[]]>([
  ['a list of values', Type.Enum(['weekly', 'monthly']), 'daily', ['must be one of weekly, monthly']],
  ['one of two words', Type.Union([Type.Literal('in'), Type.Literal('out')]), 'up', ['must be one of in, out']],
  ['the only word', Type.Literal('pro'), 'gold', ['must be pro']],
  ['an amount or null', Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]), -1, ['must be >= 0', 'must be null']],
  [
    'a time',
    Type.String({ format: 'date-time' }),
    '2026-11-27 10:00',
    ['must be a time, such as 2026-05-31T09:30:00Z'],
  ],
  ['a number', Type.Integer({ minimum: 1 }), '5', ['must be integer']],
])('%s', (_what, schema, value, messages) => {
  expect(fieldsOf(schema, value)).toEqual(messages.map((message) => ({ path: 'a', message })));
});

test('what is missing is named, within what it is missing from', () => {
  expect(fieldsOf(Type.Object({ b: Type.String() }), {})).toEqual([{ path: 'a.b', message: 'is required' }]);
});

test('what is wrong within a list that may be left out is told alone, and not that it could be null', () => {
  const list = Type.Union([Type.Array(Type.Object({ b: Type.Enum(['in', 'out']) })), Type.Null()]);
  expect(fieldsOf(list, [{ b: 'up' }])).toEqual([{ path: 'a.0.b', message: 'must be one of in, out' }]);
  expect(fieldsOf(list, 'up')).toEqual([
    { path: 'a', message: 'must be array' },
    { path: 'a', message: 'must be null' },
  ]);
});
