// What the registry refuses at start: declarations that cannot hold, alone or beside the others. And that what is declared
// as an example is taken by the operation it stands for.
import { describe, expect, test } from 'bun:test';
import { Type } from 'typebox';
import { type AnyOperation, command, query } from '../../src/contract/operation.ts';
import type { ToolBinding } from '../../src/contract/tool.ts';
import { fault } from '../../src/domain/fault.ts';
import { assertSound, checkNouns, operationsOf, registry } from '../../src/operations/registry.ts';
import { InputCheck } from '../../src/pipeline/validate.ts';

const ROPE = query({
  name: 'rope.read',
  summary: 'Read a rope',
  input: Type.Object({ rope_id: Type.String(), knots: Type.Optional(Type.Boolean()) }),
  output: Type.Object({}),
  example: { rope_id: 'a' },
  access: 'key',
  scope: 'agents:read',
  rest: [{ method: 'GET', path: '/api/ropes/{rope_id}' }],
  tools: [{ name: 'mesh_get_rope', title: 'Read a rope', set: 'listings' }],
  run: async () => ({}),
});

const TIE = command({
  name: 'rope.tie',
  summary: 'Tie a rope',
  input: Type.Object({ knot: Type.String() }),
  output: Type.Object({}),
  example: { knot: 'bowline' },
  effect: 'adds',
  access: 'session',
  rest: [{ method: 'POST', path: '/api/ropes' }],
  load: async () => null,
  decide: () => ({ reply: {} }),
});

const NAMED = { name: 'mesh_get_rope', title: 'Read a rope', set: 'listings' } as const;

/** The rope's operation as declared otherwise; not held to types, which would refuse most of it. */
const rope = (change: object): AnyOperation => ({ ...ROPE, ...change }) as AnyOperation;
/** The rope's tool, declared otherwise. */
const tool = (change: object): AnyOperation => rope({ tools: [{ ...NAMED, ...change }] });
const tie = (change: object): AnyOperation => ({
  ...TIE,
  tools: [{ ...NAMED, access: 'key', scope: 'any', ...change }],
});

const GIVEN = { when: { argument: 'rope_id', given: true } };
const ABSENT = { when: { argument: 'rope_id', given: false } };
const IS = (is: string, argument = 'action'): Pick<ToolBinding, 'when'> => ({ when: { argument, is } });

describe('the registry refuses', () => {
  test.each<[what: string, operations: AnyOperation[], because: string]>([
    ['a name that is no noun and verb', [rope({ name: 'rope' })], 'an operation is named noun.verb'],
    ['a scope of what takes no key', [{ ...TIE, scope: 'any' }], 'only what has access key has a scope'],
    ['an internal operation with an address', [rope({ access: 'internal', scope: undefined })], 'has no door'],
    ['a fault that is not in the catalogue', [rope({ faults: ['too_long'] })], 'domain/fault.ts has no fault too_long'],
    ['a reply that looks like a fault', [rope({ output: Type.Object({ fault: Type.String() }) })], 'a reply may not'],
    ['an input that looks like a fault', [rope({ input: Type.Object({ fault: Type.String() }) })], 'an input may not'],
    [
      'two operations at one address',
      [ROPE, { ...TIE, rest: [{ method: 'GET', path: '/api/ropes/{knot}' }] }],
      'rope.tie: GET /api/ropes/{knot} is an address of rope.read already',
    ],
    ['two sets of one tool', [tool(GIVEN), tie({ ...ABSENT, set: 'inbox' })], 'has more than one set'],
    ['an operation with a door and no example', [rope({ example: undefined })], 'it has a door and no example'],
    ['an example without what its path names', [rope({ example: {} })], 'the example leaves out rope_id of /api/ropes'],
    ['a path of what is no input', [rope({ rest: [{ method: 'GET', path: '/api/{knot}' }] })], 'names no input knot'],
    ['a query that changes something', [rope({ effect: 'changes' })], 'a query does not do what `changes` says'],
    ['a command that only reads', [{ ...TIE, effect: 'reads' }], 'a command does not do what `reads` says'],
    ['a flow that only reads and is not safe', [rope({ kind: 'flow' })], 'a flow does not do what `reads` says'],
    ['what a key reaches and no tool does', [rope({ tools: undefined })], 'a key reaches it and no tool does'],
    ['what everybody reaches and no tool does', [{ ...TIE, access: 'public' }], 'a key reaches it and no tool does'],
    ['a tool that says why it is none', [rope({ no_tool: 'It is.' })], 'it is a tool, and says why it is none'],
    ['a scope where no key gets in', [{ ...TIE, scope: 'any' }], 'that of a tool stands in `tools`'],
    ['a fault that there is not', [rope({ faults: ['no_rope'] })], 'domain/fault.ts has no fault no_rope'],
    ['a tool that no key reaches', [tie({ access: undefined, scope: undefined })], 'is reached by no key'],
    ['a tool for keys of no scope', [tie({ scope: undefined })], 'is reached by no key'],
    ['fixing what is no input', [tool({ fixed: { color: 'red' } })], 'says fixed, which names no input color'],
    ['taking what is no input', [tool({ takes: ['color'] })], 'says takes, which names no input color'],
    ['renaming what is no input', [tool({ rename: { hue: 'color' } })], 'says rename, which names no input color'],
    ['two names of one input', [tool({ rename: { a: 'knots', b: 'knots' } })], 'says rename of one input twice'],
    ['an argument in the name of another input', [tool({ rename: { knots: 'rope_id' } })], 'names an argument knots'],
    ['fixing what is taken', [tool({ fixed: { knots: true }, takes: ['knots'] })], 'both fixes and takes knots'],
    ['two tools of one name', [ROPE, tie({})], 'of rope.read, rope.tie is one name for several'],
    ['one of two that says when', [tool(GIVEN), tie({})], 'is one name for several'],
    ['two that mean the same', [tool(GIVEN), tie(GIVEN)], 'is one name for several'],
    ['two that look at different arguments', [tool(GIVEN), tie(IS('tie'))], 'is one name for several'],
    ['a lone tool that says when', [tool(GIVEN)], 'has a `when`, and nothing to be told apart from'],
    ['two titles of one tool', [tool(GIVEN), tie({ ...ABSENT, title: 'Tie' })], 'has more than one title'],
    [
      'looking for what is no input',
      [tool({ when: { argument: 'color', given: true } }), tie({ when: { argument: 'color', given: false } })],
      'says when, which names no input color',
    ],
    ['looking at an input of one of them', [tool(IS('a', 'knots')), tie(IS('b', 'knots'))], 'names no input knots'],
  ])('%s', (_, operations, because) => {
    expect(() => assertSound(operations)).toThrow(because);
  });

  test.each<[what: string, operations: AnyOperation[]]>([
    ['what is declared well', [ROPE, TIE]],
    ['a flow that only reads and is safe', [rope({ kind: 'flow', safe: true })]],
    ['what says why it is no tool', [rope({ tools: undefined, no_tool: 'Ropes are not for models.' })]],
    ['several that share a tool by an argument of its own', [tool(IS('read')), tie(IS('tie'))]],
    ['several that share a tool by what is given', [tool(GIVEN), tie(ABSENT)]],
    [
      'what is fixed, taken and renamed',
      [tool({ fixed: { knots: true }, takes: ['rope_id'], rename: { id: 'rope_id' } })],
    ],
  ])('but takes %s', (_, operations) => {
    expect(() => assertSound(operations)).not.toThrow();
  });
});

test('a file holds one operation that is named as the file is, or several of its noun', () => {
  expect(operationsOf('rope/read', { ROPE, KNOTS_MAX: 3 })).toEqual([ROPE]);
  expect(operationsOf('rope/knots', { ROPE, TIE })).toEqual([ROPE, TIE]);
  expect(() => operationsOf('rope/read', { TIE })).toThrow('rope/read: holds rope.tie, which belongs elsewhere');
  expect(() => operationsOf('rop/knots', { ROPE, TIE })).toThrow('rop/knots: holds rope.read, which belongs elsewhere');
  expect(() => operationsOf('rope/knots', { KNOTS_MAX: 3 })).toThrow(
    'holds no operation; what operations share stands in',
  );
});

test('of each noun with a door one operation says what it is', () => {
  const [read, tied] = [rope({ noun: 'Ropes: what is tied.' }), { ...TIE, noun: 'Ropes: what ties.' }];
  expect(() => checkNouns([ROPE, TIE])).toThrow('rope.read: say in `noun` what rope is');
  expect(() => checkNouns([read, tied])).toThrow('rope.read, rope.tie: one of them');
  expect(() => checkNouns([read, TIE])).not.toThrow();
  expect(() => checkNouns([{ ...TIE, rest: [] }])).not.toThrow();
});

test('an operation refuses with the faults that it declares alone, by its types', () => {
  const refusal = fault('not_found');
  const head = { ...ROPE, output: Type.Object({ knots: Type.Integer() }), run: async () => refusal };
  const { faults: declared } = query({ ...head, faults: ['not_found'] });
  // @ts-expect-error: a fault that is not among those of the head.
  const { faults: read } = query({ ...head, faults: [] });
  const { faults: _, ...bare } = head;
  // @ts-expect-error: the same where the head names none.
  const { faults: none } = query(bare);
  // @ts-expect-error: the same of a turn.
  const { faults: tied } = command({ ...TIE, faults: ['conflict'], decide: () => refusal });
  expect([declared, read, none, tied]).toEqual([['not_found'], [], [], ['conflict']]);
});

test('every example is an input that its operation takes', () => {
  const wrong: string[] = [];
  const shown = registry().filter(({ example }) => example !== undefined);
  for (const { name, input, example } of shown) {
    const problem = new InputCheck(input).explain(example);
    if (problem !== null) wrong.push(`${name}: ${problem}`);
  }
  expect(wrong).toEqual([]);
  expect(shown.length).toBeGreaterThan(90);
});

test('what a tool fixes is taken by its operation, with the rest of the example', () => {
  const wrong: string[] = [];
  for (const { name, input, example, tools = [] } of registry()) {
    for (const { name: tool, fixed = {} } of tools) {
      const problem = new InputCheck(input).explain({ ...(example as object), ...fixed });
      if (problem !== null) wrong.push(`${tool} of ${name}: ${problem}`);
    }
  }
  expect(wrong).toEqual([]);
});
