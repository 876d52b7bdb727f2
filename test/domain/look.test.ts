// Whatever colour somebody sets, text in the accent and text on it can be read, in light and in dark.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { INSTANCE } from '../../src/domain/instance.ts';
import { contrast, lookOf, markSvg, type Scheme, tokenSheet } from '../../src/domain/look.ts';

const colours = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

/** Pairs of colours with too little contrast. */
function unreadable(scheme: Scheme): string[] {
  const { ink, quiet, accent, bad, good, wait, paper, card, raised, tint } = scheme;
  const texts = [ink, quiet, accent, bad, good, wait].flatMap((text) => [paper, card, raised].map((on) => [text, on]));
  const own = [
    [accent, tint],
    [ink, tint],
    [scheme['on-accent'], accent],
    [bad, scheme['bad-tint']],
    [good, scheme['good-tint']],
    [wait, scheme['wait-tint']],
  ];
  return [...texts, ...own].filter(([a = '', b = '']) => contrast(a, b) < 4.5).map((pair) => pair.join(' on '));
}

test('text can be read with every colour, and the mark can be seen', () => {
  fc.assert(
    fc.property(colours, (colour) => {
      const { light, dark, mark } = lookOf(colour);
      expect([unreadable(light), unreadable(dark)]).toEqual([[], []]);
      expect(contrast(mark.ground, mark.ink)).toBeGreaterThanOrEqual(3);
    }),
    { examples: [['#000000'], ['#ffffff'], ['#ffff00'], ['#7f7f7f'], ['#0000ff']] },
  );
});

test('a colour that can be read is taken as it is', () => {
  expect(lookOf(INSTANCE.color).light.accent).toBe(INSTANCE.color);
  expect(lookOf('#ffd400').dark.accent).toBe('#ffd400');
});

test('the sheet and the mark hold the colour', () => {
  const look = lookOf('#7a1fa2');
  expect(tokenSheet(look)).toContain(`--accent:${look.light.accent}`);
  expect(markSvg(look)).toContain('fill="#7a1fa2"');
});
