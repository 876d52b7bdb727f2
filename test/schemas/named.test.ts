// A component name changes nothing of a schema but what documents call it.
import { describe, expect, test } from 'bun:test';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { query } from '../../src/contract/operation.ts';
import { registry } from '../../src/operations/registry.ts';
import { componentOf, described, named, namedObject } from '../../src/schemas/named.ts';
import { documented, Shapes } from '../../src/transports/openapi/responses.ts';
import { openapiDocument } from '../../src/transports/openapi.ts';

const fields = { name: Type.String({ minLength: 1 }), size: Type.Optional(Type.Integer()) };
const plain = Type.Object(fields);
const Box = named('Box', plain);

const inComponents = (schema: object): [unknown, unknown] => {
  const shapes = new Shapes('#/components/schemas/');
  return [documented(schema, shapes), shapes.gathered()];
};
const ref = { $ref: '#/components/schemas/Box' };

describe('a name', () => {
  test('leaves the compiled check and the type as they were', () => {
    const value: Static<typeof Box> = { name: 'a' } satisfies Static<typeof plain>;
    expect(Compile(Box).Check(value)).toBe(true);
    const code = (shape: TSchema): string => Compile(shape).Code();
    const around = (shape: TSchema): TSchema =>
      Type.Object({ one: Type.Optional(shape), all: Type.Array(shape), none: Type.Union([shape, Type.Null()]) });
    expect(code(Box)).toBe(code(plain));
    expect(code(around(Box))).toBe(code(around(plain)));
    expect(JSON.stringify(Box)).toBe(JSON.stringify(plain));
  });

  test('is kept where the shape is optional, in a list or one of several, and not by who takes its fields', () => {
    const { optional, list, nullable, fresh } = Type.Object({
      optional: Type.Optional(Box),
      list: Type.Array(Box),
      nullable: Type.Union([Box, Type.Null()]),
      fresh: Type.Object({ ...(Box.properties as TProperties) }),
    }).properties;
    const gathered = { Box: documented(plain) };
    expect(inComponents(optional)).toEqual([ref, gathered]);
    expect(inComponents(list)).toEqual([{ type: 'array', items: ref }, gathered]);
    expect(inComponents(nullable)).toEqual([{ anyOf: [ref, { type: 'null' }] }, gathered]);
    expect(inComponents(fresh)).toEqual([documented(plain), {}]);
  });

  test('does not reach the schema that it was given to', () => {
    expect(componentOf(plain)).toBeNull();
    expect(componentOf(named('Crate', plain))?.name).toBe('Crate');
    expect(componentOf(plain)).toBeNull();
  });

  test('is PascalCase', () => {
    for (const name of ['box', 'Big-Box', 'Big_Box', 'Big Box', '']) expect(() => named(name, plain)).toThrow();
  });
});

describe('a document', () => {
  test('has the named shapes inline when it keeps no components', () => {
    expect(documented(Type.Array(Box))).toEqual({ type: 'array', items: documented(plain) });
  });

  test('keeps them where it says', () => {
    expect(documented(Box, new Shapes('#/$defs/'))).toEqual({ $ref: '#/$defs/Box' });
  });

  test('describes the place beside the shape, and leaves the shape its own description', () => {
    const Told = namedObject('Box', 'holds things', fields);
    expect(inComponents(described('the one on the left', Told))).toEqual([
      { allOf: [ref], description: 'the one on the left' },
      { Box: documented(Told) },
    ]);
    expect(documented(described('the one on the left', Told))).toMatchObject({ description: 'the one on the left' });
  });

  test('refuses two shapes of one name, also when one is an error body', () => {
    const other = namedObject('Box', 'another', { ...fields, lid: Type.Boolean() });
    expect(() => inComponents(Type.Object({ one: Box, other }))).toThrow('Box names two shapes');
    const answering = (output: typeof other): (() => unknown) => {
      const head = { name: 'box.read', summary: 'Read', access: 'public' } as const;
      const input = Type.Object({});
      const rest = [{ method: 'GET', path: '/api/box' }] as const;
      return () =>
        openapiDocument([query({ ...head, input, output, rest, run: async () => ({ name: '', lid: true }) })], '');
    };
    expect(answering(other)).not.toThrow();
    expect(answering(namedObject('Error', 'another', { ...fields, lid: Type.Boolean() }))).toThrow(
      'Error names two shapes',
    );
  });

  test('of every operation, with a door or without, could be made: no name stands for two shapes', () => {
    const shapes = new Shapes('#/$defs/');
    for (const { input, output } of registry()) {
      documented(output, shapes);
      // The name of an input is that of its body, which the document itself compares.
      for (const field of Object.values(input.properties ?? {})) documented(field, shapes);
    }
    expect(Object.keys(shapes.gathered()).length).toBeGreaterThan(80);
  });
});
