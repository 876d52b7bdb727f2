// Trace Context as the W3C has it: what is well formed is kept, what is not is as none, and a bad tracestate takes no trace along.
import { describe, expect, test } from 'bun:test';
import { traceHeaders, traceId, traceOf } from '../../src/domain/trace.ts';

const ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const GOOD = `00-${ID}-${SPAN}-01`;

describe('a traceparent', () => {
  test.each([
    [GOOD, GOOD],
    [` ${GOOD} `, GOOD],
    [`00-${ID}-${SPAN}-00`, `00-${ID}-${SPAN}-00`],
    // Flags without a meaning are not handed on (W3C Trace Context 2, 4.2.1).
    [`00-${ID}-${SPAN}-ff`, `00-${ID}-${SPAN}-03`],
    // A later version is read as far as this one goes.
    [`cc-${ID}-${SPAN}-01`, GOOD],
    [`cc-${ID}-${SPAN}-01-what-comes-later`, GOOD],
  ])('%s is kept', (header, kept) => expect(traceOf(header, null)).toBe(kept));

  test.each([
    '',
    'no trace',
    `00-${ID}-${SPAN}`,
    `00-${ID}-${SPAN}-01-more`,
    `cc-${ID}-${SPAN}-01.more`,
    `ff-${ID}-${SPAN}-01`,
    `00-${ID.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `00-${ID}x-${SPAN}-01`,
    `${GOOD}, ${GOOD}`,
    `${GOOD}\r\nX-Injected: 1`,
    `cc-${ID}-${SPAN}-01-${'x'.repeat(1_000)}`,
  ])('%j is as none', (header) => expect(traceOf(header, 'a=1')).toBeNull());

  test('that is not there is none, whatever the tracestate', () => expect(traceOf(null, 'a=1')).toBeNull());
});

describe('a tracestate', () => {
  const many = (count: number): string => Array.from({ length: count }, (_, at) => `k${at}=v`).join(',');
  test.each([
    ['rojo=00f067aa0ba902b7', 'rojo=00f067aa0ba902b7'],
    ['a=1 , b=two words,\t,c@d/e*f-g_h=3', 'a=1,b=two words,c@d/e*f-g_h=3'],
    [many(32), many(32)],
  ])('%j is kept', (state, kept) => expect(traceOf(GOOD, state)).toBe(`${GOOD} ${kept}`));

  test.each(['', ' , ', 'a', 'A=1', '=1', 'a=', 'a=1=2', 'a=\u00e9', 'a=1\nb=2', many(33), `a=${'x'.repeat(511)}`])(
    '%j is left out',
    (state) => expect(traceOf(GOOD, state)).toBe(GOOD),
  );
});

test('a call goes on in a trace as a span of its own; without one it begins none', () => {
  const span = '1234567890abcdef';
  expect(traceHeaders(null, span)).toEqual({});
  expect(traceHeaders(GOOD, span)).toEqual({ traceparent: `00-${ID}-${span}-01` });
  const tracestate = 'a=1,b=two words';
  expect(traceHeaders(`${GOOD} ${tracestate}`, span)).toEqual({ traceparent: `00-${ID}-${span}-01`, tracestate });
  expect(traceId(`${GOOD} a=1`)).toBe(ID);
});
