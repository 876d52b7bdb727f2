// A release that breaks a client says so: the comparison finds what is removed, newly required or narrowed, and nothing else.
import { describe, expect, test } from 'bun:test';
import { registry } from '../../src/operations/registry.ts';
import { openapiDocument } from '../../src/transports/openapi.ts';
import { breakingChanges } from './breaking.ts';

const document = (input: object, output: object, more: object = {}): Record<string, unknown> => ({
  paths: {
    '/a': {
      post: {
        requestBody: { content: { 'application/json': { schema: { type: 'object', ...input } } } },
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } } },
        ...more,
      },
    },
  },
  components: { schemas: { A: { type: 'object', ...output } } },
});
const OUTPUT = { properties: { id: { type: 'string' }, more: { $ref: '#/components/schemas/A' } }, required: ['id'] };
const INPUT = { properties: { n: { type: 'integer', maximum: 9 }, kind: { enum: ['a', 'b'] } }, required: ['n'] };
const OLD = document(INPUT, OUTPUT);

describe('breaking changes', () => {
  test.each([
    ['an operation that is gone', { paths: {} }, 'POST /a: the operation is removed'],
    [
      'an input field that is gone',
      document({ ...INPUT, properties: { n: { type: 'integer', maximum: 9 } } }, OUTPUT),
      'POST /a body.kind: removed',
    ],
    ['a new demand', document({ ...INPUT, required: ['n', 'kind'] }, OUTPUT), 'POST /a body.kind: newly required'],
    [
      'a lower bound',
      document({ ...INPUT, properties: { ...INPUT.properties, n: { type: 'integer', maximum: 8 } } }, OUTPUT),
      'POST /a body.n: maximum 9 is now 8',
    ],
    [
      'a value that is gone',
      document({ ...INPUT, properties: { ...INPUT.properties, kind: { enum: ['a'] } } }, OUTPUT),
      'POST /a body.kind: no longer takes b',
    ],
    [
      'another type',
      document({ ...INPUT, properties: { ...INPUT.properties, n: { type: 'string', maximum: 9 } } }, OUTPUT),
      'POST /a body.n: the type integer is now string',
    ],
    [
      'an answer without a field',
      document(INPUT, { ...OUTPUT, properties: { id: { type: 'string' } } }),
      'POST /a 200.more: removed',
    ],
    ['an answer that may lack it', document(INPUT, { ...OUTPUT, required: [] }), 'POST /a 200.id: may be missing now'],
    [
      'an answer that may be null',
      document(INPUT, { ...OUTPUT, properties: { ...OUTPUT.properties, id: { type: ['string', 'null'] } } }),
      'POST /a 200.id: the type string is now string | null',
    ],
    [
      'a parameter that is asked for',
      document(INPUT, OUTPUT, { parameters: [{ in: 'query', name: 'q', required: true }] }),
      'POST /a: the parameter query q is newly required',
    ],
  ])('%s', (_what, now, line) => expect(breakingChanges(OLD, now)).toEqual([line]));

  test('what only adds breaks nobody', () => {
    const kind = { enum: ['a', 'b', 'c'] };
    const now = document(
      { properties: { n: { type: ['integer', 'null'], maximum: 10 }, kind, new: { type: 'string' } }, required: [] },
      { properties: { ...OUTPUT.properties, new: { type: 'string' } }, required: ['id', 'new'] },
      { parameters: [{ in: 'query', name: 'q' }] },
    );
    expect(breakingChanges(OLD, now)).toEqual([]);
  });

  test('the document of the service differs from itself in nothing, and from one without a field in that field', () => {
    const now = openapiDocument(registry(), 'https://meshwork.test');
    expect(breakingChanges(now, now)).toEqual([]);
    const old = structuredClone(now) as { components: { schemas: Record<string, { properties: object }> } };
    Object.assign(old.components.schemas['Escrow']?.properties ?? {}, { gone: { type: 'string' } });
    expect(breakingChanges(old, now)).toContainEqual(expect.stringMatching(/\.gone: removed$/));
  });
});
