// RFC 8785 by its own examples: numbers (appendix B), strings and literals (3.2.2), the order of members (3.2.3), and what
// has no canonical form.
import { expect, test } from 'bun:test';
import { canonicalJson } from '../../../src/domain/agent/canonical-json.ts';

const doubleOf = (hex: string): number => Buffer.from(hex, 'hex').readDoubleBE();

test.each([
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
])('the double %s is written %s', (hex, text) => expect(canonicalJson(doubleOf(hex))).toBe(text));

test('strings, literals and numbers are written as the example of 3.2.2 says', () => {
  const text = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  expect(canonicalJson(JSON.parse(text))).toBe(
    `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"\u20ac$\\u000f\\nA'B\\"\\\\\\\\\\"/"}`,
  );
});

test('members stand in the order of 3.2.3, by code units and not by code points', () => {
  const members = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  const canonical = canonicalJson(members) ?? '';
  expect([...canonical.matchAll(/:"([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
  // At every level.
  expect(canonicalJson([{ b: { d: 1, c: [] }, a: {} }])).toBe('[{"a":{},"b":{"c":[],"d":1}}]');
});

test('a member that is undefined is none', () => expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}'));

test.each([
  ['a number that is not finite', Number.NaN],
  ['infinity', [Number.NEGATIVE_INFINITY]],
  ['a lone surrogate', 'x\ud800'],
  ['a lone surrogate in a name', { 'x\udc00': 1 }],
  ['what is no JSON', 1n],
])('%s has no canonical form', (_, value) => expect(canonicalJson(value)).toBeNull());

test('brackets in brackets without end have none either, instead of the end of the stack', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  expect(canonicalJson(nested(30))).toBe('['.repeat(30) + ']'.repeat(30));
  expect(canonicalJson(nested(5_000))).toBeNull();
});
