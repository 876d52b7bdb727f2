// Which members a schema does not name: at any depth, in any form of a union, and none where anything may stand.
import { expect, test } from 'bun:test';
import { type TSchema, Type } from 'typebox';
import { unknownMembers } from '../../src/pipeline/validate.ts';

const A = Type.Object({ a: Type.Optional(Type.String()) });
const B = Type.Object({ b: Type.Optional(Type.Array(A)) });

test.each<[string, TSchema, unknown, string[]]>([
  ['a member of its own', A, { a: 'x' }, []],
  ['another one', A, { a: 'x', c: 1 }, ['c']],
  ['within a list', B, { b: [{ a: 'x' }, { c: 1 }] }, ['b.1.c']],
  ['of any form of a union', Type.Union([A, B]), { a: 'x', b: [{ c: 1 }] }, ['b.0.c']],
  ['or null', Type.Object({ o: Type.Union([A, Type.Null()]) }), { o: { c: 1 } }, ['o.c']],
  ['of all parts of an intersection', Type.Intersect([A, B]), { a: 'x', b: [], c: 1 }, ['c']],
  ['a record', Type.Record(Type.String(), Type.Unknown()), { c: { d: 1 } }, []],
  ['within a record', Type.Record(Type.String(), A), { c: { d: 1 } }, ['c.d']],
  ['where anything may stand', Type.Object({ o: Type.Unknown() }), { o: { c: 1 } }, []],
  ['an object that says it takes more', Type.Object({}, { additionalProperties: true }), { c: 1 }, []],
  ['an object or anything', Type.Union([A, Type.Unknown()]), { c: 1 }, []],
  ['a name that all objects inherit', A, JSON.parse('{"__proto__":1,"toString":2}'), ['__proto__', 'toString']],
  ['a text where an object belongs', A, 'x', []],
])('%s', (_what, schema, value, paths) => {
  expect([...unknownMembers(schema, value)]).toEqual(paths);
});

test('a member without a name is named as JSON writes it, and an object in the place of a text is no member', () => {
  const schema = Type.Object({ deal_id: Type.String() });
  expect([...unknownMembers(schema, { '': 1 })]).toEqual(['""']);
  expect([...unknownMembers(schema, { deal_id: { a: 1 } })]).toEqual([]);
});
